"""A sandbox for Python that a model wrote: bubblewrap with name spaces of its own, and no way around it."""
