"""Rate limits shared by pages and the API."""
