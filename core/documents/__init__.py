"""Documents from strangers: JSON within limits, and formats as models."""
