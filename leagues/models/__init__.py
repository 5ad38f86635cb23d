"""Models of leagues, matches and live tables."""

from leagues.models.leagues import (
    Absence,
    CancelledEntry,
    Fixture,
    FixtureSeat,
    League,
    Member,
    Round,
)
from leagues.models.matches import Dispute, Match, MatchSeat, Place, Proposal, Result, Sheet
from leagues.models.players import Claim, FormerName, Merge, Player
from leagues.models.ratings import Pool, Rating, RatingStep, Recount
from leagues.models.site import SiteIdentity
from leagues.models.tables import Table, TableMoment, TableMove, TableRound, TableSeat
from leagues.models.webhooks import Delivery, Webhook

__all__ = [
    "Absence",
    "CancelledEntry",
    "Claim",
    "Delivery",
    "Dispute",
    "Fixture",
    "FixtureSeat",
    "FormerName",
    "League",
    "Match",
    "MatchSeat",
    "Member",
    "Merge",
    "Place",
    "Player",
    "Pool",
    "Proposal",
    "Rating",
    "RatingStep",
    "Recount",
    "Result",
    "Round",
    "Sheet",
    "SiteIdentity",
    "Table",
    "TableMoment",
    "TableMove",
    "TableRound",
    "TableSeat",
    "Webhook",
]
