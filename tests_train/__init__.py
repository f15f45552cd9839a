"""Tests that need the packages of the extra `train`: `make test-train` runs them, in an environment of their own."""
