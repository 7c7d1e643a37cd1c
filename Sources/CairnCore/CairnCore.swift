// CairnCore
