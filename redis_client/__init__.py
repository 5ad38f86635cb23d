"""Redis as pages ask it: for a moment at most, and not again and again where it is away."""
