"""The pool of reference pictures that trajectories are painted after."""
