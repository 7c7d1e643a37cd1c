// CairnClient
