"""Rubric sets in each of the forms that they can leave the studio in."""
