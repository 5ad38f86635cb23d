"""The record book to be read: lines, awards, honours, duels, years; only what is posted."""
