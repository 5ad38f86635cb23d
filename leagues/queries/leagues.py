"""Leagues as lists show them."""

from __future__ import annotations

from django.db.models import Count, F, Max, Q, QuerySet

from leagues.models import League, Member, Player
from leagues.queries.people import belongs_to

_LIVELIEST = (
    F("closed_at").desc(nulls_first=True),
    F("last").desc(nulls_last=True),
    F("created_at").desc(),
)
"""Open ones first, then by the last result."""


def _counted() -> QuerySet[League]:
    """Leagues with `playing` (how many play) and `last` (when the last result was played)."""
    playing = Count(
        "members",
        filter=Q(members__plays=True, members__withdrawn_at=None),
        distinct=True,
    )
    return League.objects.annotate(playing=playing, last=Max("results__played_at"))


def listed(game: str = "", limit: int = 50) -> list[League]:
    """Public leagues, the liveliest first; one query."""
    chosen = _counted().filter(visibility=League.Visibility.PUBLIC)
    if game:
        chosen = chosen.filter(game=game)
    return list(chosen.order_by(*_LIVELIEST)[:limit])


def of_player(player: Player) -> list[League]:
    """The leagues of a person, the open ones first; one query."""
    mine = Member.objects.filter(belongs_to(player)).values("league")
    return list(_counted().filter(pk__in=mine).order_by(*_LIVELIEST))


def known_to(player: Player | None) -> QuerySet[League]:
    """Leagues that somebody may know of: public ones and their own, counted as above."""
    seen = Q(visibility=League.Visibility.PUBLIC) | Q(pk__in=of_player_rows(player))
    return _counted().filter(seen)


def of_player_rows(player: Player | None) -> QuerySet[Member, int]:
    """The numbers of the leagues of a person, for a filter; of a stranger none."""
    if player is None:
        return Member.objects.none().values_list("league", flat=True)
    return Member.objects.filter(belongs_to(player)).values_list("league", flat=True)
