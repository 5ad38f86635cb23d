"""Reading and writing tables in untrusted files: CSV, XLSX and zipped bundles.

This package does not depend on the site. `read_sheets` runs in a separate process
(`core.isolation`).
"""
