// CairnServerTests
