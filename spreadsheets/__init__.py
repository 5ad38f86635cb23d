"""Tables in files from strangers: CSV, XLSX and zipped bundles, into rows of text and back.

Nothing here knows the site: `read_sheets` is run in a process of its own (`isolation`).
"""
