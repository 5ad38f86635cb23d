"""Resources of leagues, one module or folder a feature."""
