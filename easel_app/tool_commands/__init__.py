"""`easel tools …`: one module for each command."""
