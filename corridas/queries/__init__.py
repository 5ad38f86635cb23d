"""Reads that join, rank and annotate, one module a page; each a fixed number of queries."""
