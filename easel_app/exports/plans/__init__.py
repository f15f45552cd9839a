"""Sets of plans, and single plans, in each of the forms that they can leave the studio in."""
