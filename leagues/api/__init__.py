"""REST API of leagues, with a module or folder per feature."""
