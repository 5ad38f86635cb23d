"""Benches and scripts, which a site does not need."""
