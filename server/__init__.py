"""How a site is served and kept alive."""
