"""Serving the site and keeping it running: web server, processes, health and backups."""
