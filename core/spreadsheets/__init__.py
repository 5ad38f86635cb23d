"""Read and write tables in untrusted files: CSV, XLSX and zipped bundles.

This package does not depend on the rest of the site. `read_sheets` runs in a separate process
(`core.isolation`).
"""
