// CairnCoreTests
