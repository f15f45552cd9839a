"""`easel rubrics …`: one module for each command."""
