"""Running the site: web server, worker processes, health checks and backups."""
