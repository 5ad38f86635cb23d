"""One search box for everything that has a name."""
