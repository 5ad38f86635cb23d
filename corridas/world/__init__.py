"""Pure functions for a season of corridas: dates, contracts, bulls, injuries, form, broadcasts.

These are the rules that the card game's rulebook leaves open. Modules in this package import only
the standard library, `fairness` and `corridas.engine`. Randomness and the current time are
arguments.
"""
