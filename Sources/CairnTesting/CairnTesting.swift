// testing
