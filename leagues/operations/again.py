"""Once more at a real table: the same players, the same rules, a new match."""

from __future__ import annotations

import datetime as dt

from django.utils.translation import gettext as _

from leagues.models import League, Match, MatchSeat, Player
from leagues.operations.errors import NotAllowed
from leagues.operations.matches import OWN_RULES, open_match


def may_rematch(match: Match, player: Player | None) -> bool:
    """Whether the same players may sit down again by one tap of this one."""
    if player is None or match.state == Match.State.DRAFT:
        return False
    league = match.league
    drawn = league is not None and league.format != League.Format.LADDER
    closed = league is not None and league.closed_at is not None
    persons = {seat.player.person_id for seat in match.seats.select_related("player")}
    return not drawn and not closed and player.person_id in persons


def open_rematch(*, match: Match, by: Player, at: dt.datetime) -> Match:
    """A new match of the same players in the same order. Raises `OperationError`."""
    if not may_rematch(match, by):
        raise NotAllowed(
            _("You can’t open a new match: this league is closed or draws its matches.")
        )
    seats = MatchSeat.objects.filter(match=match).select_related("player__merged_into")
    players = [seat.player.merged_into or seat.player for seat in seats.order_by("number")]
    if match.league is not None:
        return open_match(by=by, at=at, players=players, league=match.league)
    return open_match(
        by=by,
        at=at,
        players=players,
        game=match.game,
        profile=OWN_RULES,
        rules=match.rules,
        rated=match.rated,
    )
