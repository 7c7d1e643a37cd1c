// CairnServer
