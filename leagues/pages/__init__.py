"""Pages: views, forms, access checks and URLs, with a folder per feature."""
