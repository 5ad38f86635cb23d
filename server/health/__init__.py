"""Health of the site: liveness and readiness checks, status page, metrics and request ids."""
