"""Trains the second reader of handwriting, `easel_app/handwriting/head.npz`. Run by hand."""
