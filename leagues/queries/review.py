"""Stored results that the referees of today would not take as they stand.

A referee that learns to exclude more does not touch what it once took: standings stay as they are
until an organiser corrects a match. This only names such matches, each with the reason.
"""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from leagues.games import games
from leagues.models import Match
from leagues.queries.results import SHOWN, with_seats

WRITTEN = (Match.Origin.TABLE, Match.Origin.IMPORTED)
"""Origins of sheets that people wrote; what was played here is held against its seeds instead."""
CHUNK = 100
"""Matches read together."""


def written(chosen: QuerySet[Match]) -> QuerySet[Match]:
    """Those of these matches whose sheets were written by people, the latest first."""
    found = chosen.filter(state__in=SHOWN, origin__in=WRITTEN).exclude(sheet=None)
    return found.order_by("-played_at", "-pk")


def judged(chosen: QuerySet[Match]) -> Iterator[tuple[Match, tuple[str, ...]]]:
    """Each of these matches, and why it would not be taken as it stands; mostly for no reason."""
    for match in with_seats(chosen).iterator(chunk_size=CHUNK):
        yield match, _reasons(match)


def _reasons(match: Match) -> tuple[str, ...]:
    """Why the sheet would be refused, or what it comes to today; nothing where it stands."""
    game, sheet = games.find(match.game), match.sheet
    if game is None or sheet is None:
        return ()
    seats = len(match.seats.all())
    judged = game.referee.judge(rules=match.rules, seats=seats, sheet=sheet.content)
    if judged.objections:
        return tuple(dict.fromkeys(str(objection.sentence) for objection in judged.objections))
    if not judged.over:
        return (_("According to this scoresheet, the match is not over yet."),)
    if list(judged.points) != sheet.points or list(judged.places) != sheet.places:
        counted = " : ".join(map(str, judged.points))
        return (
            _("According to its scoresheet, the points today would be %(points)s.")
            % {"points": counted},
        )
    return ()
