"""Benchmarks for all performance targets of the project.

Run them with `make bench`, or one of them with `make bench ONLY=name`.
"""
