"""Pages of leagues: views, forms, access checks and URLs, with a package per feature."""
