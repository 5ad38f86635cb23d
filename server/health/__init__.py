"""Health of the site: liveness, readiness, status page, metrics and request ids."""
