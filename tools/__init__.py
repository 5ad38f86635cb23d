"""Benchmarks and scripts for developers. A site does not need them."""
