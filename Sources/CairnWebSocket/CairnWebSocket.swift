// CairnWebSocket
