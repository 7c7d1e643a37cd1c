// CairnFeatures
