// CairnGeoTests
