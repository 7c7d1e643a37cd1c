// CairnGeo
