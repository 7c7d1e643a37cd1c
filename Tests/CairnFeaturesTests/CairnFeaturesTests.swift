// CairnFeaturesTests
