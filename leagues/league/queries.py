"""Queries of leagues for lists, and of the edition that is part of the cache key of their pages."""

from __future__ import annotations

from typing import Final, NamedTuple

from django.db import connection
from django.db.models import Count, F, Max, Q, QuerySet

from leagues.members_read.queries import belongs_to
from leagues.models import League, Member, Player

# Order of lists of leagues: open leagues first, then by the time of the latest result.
_MOST_ACTIVE_FIRST = (
    F("closed_at").desc(nulls_first=True),
    F("last").desc(nulls_last=True),
    F("created_at").desc(),
)


def _with_counts() -> QuerySet[League]:
    """Annotate leagues with `playing` (active players) and `last` (time of the latest result)."""
    playing = Count(
        "members",
        filter=Q(members__plays=True, members__withdrawn_at=None),
        distinct=True,
    )
    return League.objects.annotate(playing=playing, last=Max("results__played_at"))


def public_leagues(game: str = "", limit: int = 50) -> list[League]:
    chosen = _with_counts().filter(visibility=League.Visibility.PUBLIC)
    if game:
        chosen = chosen.filter(game=game)
    return list(chosen.order_by(*_MOST_ACTIVE_FIRST)[:limit])


def leagues_of_player(player: Player) -> list[League]:
    mine = Member.objects.filter(belongs_to(player)).values("league")
    return list(_with_counts().filter(pk__in=mine).order_by(*_MOST_ACTIVE_FIRST))


def leagues_known_to(player: Player | None) -> QuerySet[League]:
    visible = Q(visibility=League.Visibility.PUBLIC) | Q(pk__in=league_ids_of_player(player))
    return _with_counts().filter(visible)


def league_ids_of_player(player: Player | None) -> QuerySet[Member, int]:
    if player is None:
        return Member.objects.none().values_list("league", flat=True)
    return Member.objects.filter(belongs_to(player)).values_list("league", flat=True)


class LeagueEdition(NamedTuple):
    """A league and its edition. Pages cached for another edition are out of date."""

    league: int
    edition: int
    visibility: str

    @property
    def private(self) -> bool:
        return self.visibility == League.Visibility.PRIVATE


_EDITION_SQL: Final = "SELECT id, edition, visibility FROM leagues_league WHERE slug = %s"


def find_edition(slug: str) -> LeagueEdition | None:
    """Return a league and its edition by slug, or None, with one query.

    This is raw SQL, because it is the only query of a cached page, and building the query with the
    ORM took most of the response time.
    """
    with connection.cursor() as cursor:
        cursor.execute(_EDITION_SQL, [slug])
        row = cursor.fetchone()
    return LeagueEdition(*row) if row else None
