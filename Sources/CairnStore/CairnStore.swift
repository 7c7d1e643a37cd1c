// CairnStore
