"""Reads that join, rank and annotate, each in a fixed number of queries."""
