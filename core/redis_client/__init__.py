"""Redis clients for pages, with short timeouts and a circuit breaker."""
