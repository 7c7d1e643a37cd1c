print("crowd")
