"""The pages of the record book, one module a page."""
