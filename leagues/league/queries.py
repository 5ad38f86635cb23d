"""Queries of leagues, and of the edition that a cached page belongs to."""

from __future__ import annotations

from typing import Final, NamedTuple

from django.db import connection
from django.db.models import Count, F, Max, Q, QuerySet

from leagues.members.queries import belongs_to
from leagues.models import League, Member, Player

_MOST_ACTIVE_FIRST = (
    F("closed_at").desc(nulls_first=True),
    F("last").desc(nulls_last=True),
    F("created_at").desc(),
)
"""Open ones first, then by the last result."""


def _with_counts() -> QuerySet[League]:
    """Leagues with `playing` (how many play) and `last` (when the last result was played)."""
    playing = Count(
        "members",
        filter=Q(members__plays=True, members__withdrawn_at=None),
        distinct=True,
    )
    return League.objects.annotate(playing=playing, last=Max("results__played_at"))


def public_leagues(game: str = "", limit: int = 50) -> list[League]:
    """Public leagues, the liveliest first; one query."""
    chosen = _with_counts().filter(visibility=League.Visibility.PUBLIC)
    if game:
        chosen = chosen.filter(game=game)
    return list(chosen.order_by(*_MOST_ACTIVE_FIRST)[:limit])


def leagues_of_player(player: Player) -> list[League]:
    """The leagues of a person, the open ones first; one query."""
    mine = Member.objects.filter(belongs_to(player)).values("league")
    return list(_with_counts().filter(pk__in=mine).order_by(*_MOST_ACTIVE_FIRST))


def leagues_known_to(player: Player | None) -> QuerySet[League]:
    """Leagues that somebody may know of: public ones and their own, counted as above."""
    seen = Q(visibility=League.Visibility.PUBLIC) | Q(pk__in=league_ids_of_player(player))
    return _with_counts().filter(seen)


def league_ids_of_player(player: Player | None) -> QuerySet[Member, int]:
    """The numbers of the leagues of a person, for a filter; of a stranger none."""
    if player is None:
        return Member.objects.none().values_list("league", flat=True)
    return Member.objects.filter(belongs_to(player)).values_list("league", flat=True)


class LeagueEdition(NamedTuple):
    """Which league, and which edition of it: a kept page of any other one is out of date."""

    league: int
    edition: int
    visibility: str

    @property
    def private(self) -> bool:
        """Whether only its players may see it, whatever address they have."""
        return self.visibility == League.Visibility.PRIVATE


_EDITION_SQL: Final = "SELECT id, edition, visibility FROM leagues_league WHERE slug = %s"


def find_edition(slug: str) -> LeagueEdition | None:
    """The present edition of the league at an address, None where there is none; one query.

    Written out, for the page that is asked for most asks nothing else once it is kept: making
    this query anew every time took longer than all the rest of the answer.
    """
    with connection.cursor() as cursor:
        cursor.execute(_EDITION_SQL, [slug])
        row = cursor.fetchone()
    return LeagueEdition(*row) if row else None
