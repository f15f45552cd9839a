"""Sets of plans: what callers may do with them."""
