// CairnStoreTests
