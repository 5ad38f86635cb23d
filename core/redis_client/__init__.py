"""Redis clients for use in requests, with short timeouts and a circuit breaker."""
