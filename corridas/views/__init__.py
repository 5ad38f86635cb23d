"""The season's pages, one module a page: translate the request, then one call below."""
