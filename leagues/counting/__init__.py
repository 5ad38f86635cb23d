"""The bridge of results: confirmed matches in, places, standings and ratings out.

Nothing else writes `Result`, `Place`, `Rating` and `RatingStep`, and nothing that counts reads
what a match or a sheet says by itself.
"""

from leagues.counting.previews import Consequences, RatingChange, Repairing, StandingChange
from leagues.counting.recording import record_played_match
from leagues.counting.results import publish, retitle_site, retract, touch
from leagues.counting.standing import basis_of

__all__ = [
    "Consequences",
    "RatingChange",
    "Repairing",
    "StandingChange",
    "basis_of",
    "publish",
    "record_played_match",
    "retitle_site",
    "retract",
    "touch",
]
