"""Running with the Bulls for programs: its boards and cards, odds, boards kept for real tables.

Tables, matches and leagues of it are asked for where those of every game are: `leagues.api`.
"""

from eltoro.api.telling import offer

__all__ = ["offer"]
