"""A match among friends: who sits there is told by name; who is new becomes a guest."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from django.db import transaction
from django.utils.translation import gettext as _

from leagues.models import Match, MatchSeat, Player
from leagues.operations.errors import OperationError
from leagues.operations.matches import open_match
from leagues.operations.players import clean_name, new_player
from leagues.queries.people import belongs_to

MOST = 30


def friends_of(player: Player) -> list[Player]:
    """Whom this person sat at a match with, or added as a guest; the latest first."""
    together = MatchSeat.objects.filter(belongs_to(player)).values("match")
    seats = MatchSeat.objects.filter(match__in=together).select_related("player__merged_into")
    sat = [seat.player.merged_into or seat.player for seat in seats.order_by("-match", "number")]
    added = Player.objects.guests().filter(added_by=player).order_by("-pk")[:MOST]
    found = {one.pk: one for one in [*sat, *added] if one.pk != player.person_id}
    return list(found.values())[:MOST]


def open_among_friends(
    *, by: Player, at: dt.datetime, names: Sequence[str], game: str, profile: str
) -> Match:
    """A match of these, in the order in which they sit; an empty name is `by`.

    A name that a friend of `by` bears is that friend. Raises `OperationError`.
    """
    with transaction.atomic():
        players = people_named(by=by, at=at, names=names)
        return open_match(by=by, at=at, players=players, game=game, profile=profile)


def people_named(*, by: Player, at: dt.datetime, names: Sequence[str]) -> list[Player]:
    """Who these are, seat by seat; an empty name is `by`, who is new becomes a guest.

    A name that a friend of `by` bears is that friend. Raises `OperationError`.
    """
    known = {friend.name.casefold(): friend for friend in friends_of(by)}
    known[by.name.casefold()] = by
    if sum(1 for name in names if not name.strip()) > 1:
        raise OperationError(_("Choose a player for each seat."), "players")
    return [_person(by, name, known, at) for name in names]


def _person(by: Player, name: str, known: dict[str, Player], at: dt.datetime) -> Player:
    if not name.strip():
        return by
    clean = clean_name(name)
    found = known.get(clean.casefold())
    return found or new_player(name=clean, at=at, added_by=by)
