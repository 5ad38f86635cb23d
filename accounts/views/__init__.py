"""Pages of the account; what a person asks for goes to operations, notices, exports, leaving."""
