"""Documents from strangers: JSON within limits."""
