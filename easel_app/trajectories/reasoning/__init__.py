"""Short texts of a model on why a stroke helps, for a share of the references of a finished data set."""
