"""What callers may do with rubrics: look, import, review, and see how far a judge agrees with people."""
