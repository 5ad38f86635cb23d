"""Pages to download and import season files, and to download records of corridas."""
