// CairnClientTests
