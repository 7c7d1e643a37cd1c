// CairnWebSocketTests
