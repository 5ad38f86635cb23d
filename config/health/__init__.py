"""How the site is: for whoever watches processes, for people, for Prometheus, for logs."""
