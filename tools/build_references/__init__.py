"""Builds `data/references`: fonts and emoji that the pool of reference pictures is drawn with."""
