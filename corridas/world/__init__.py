"""What the rulebook leaves to a season: dates, contracts, bulls, injuries, form, broadcasts.

As pure as the engine: the standard library, `fairness` and `corridas.engine` only. Chance and time
are arguments.
"""
