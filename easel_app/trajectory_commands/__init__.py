"""`easel trajectories …`: one module for each command."""
