"""Builds the bank of single-line glyphs that the benchmark of handwriting writes with. Run by hand."""
