"""`easel plans …`: one module for each command."""
