"""From the form of a new corrida to its match: people, frame, row."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from corridas.engine import MATADORS
from corridas.models import TableCorrida
from corridas.views.tabletop.at_corrida import GAME
from corridas.views.tabletop.beginning import SEATS, Beginning
from corridas.views.tabletop.writing import whole
from leagues.models import League, Match, Player
from leagues.operations import matches
from leagues.operations.errors import NotAllowed, OperationError
from leagues.operations.friends import open_among_friends
from leagues.operations.players import become_guest


def open_corrida(request: HttpRequest, asked: Beginning, player: Player | None) -> Match:
    """The match with its empty sheet. Raises `OperationError`."""
    with transaction.atomic():
        match = _open(request, asked, player)
        seats = match.seats.count()
        leads = [_lead(asked, place, seats) for place in range(MATADORS)]
        by = match.entered_by
        assert by is not None
        matches.save_draft(match=match, version=match.version, content=asked.frame(leads), by=by)
        TableCorrida.objects.create(
            match=match,
            circuit=asked.circuit if asked.counts else None,
            plaza=asked.plaza,
            date=asked.date or timezone.localdate(),
        )
    return match


def _lead(asked: Beginning, place: int, seats: int) -> int:
    """The seat that leads the matador of this place of the form."""
    seat = whole(asked.of(f"lead-{place}"))
    return seat if seat is not None and 0 <= seat < seats else place % seats


def _open(request: HttpRequest, asked: Beginning, player: Player | None) -> Match:
    if asked.league is not None:
        return _in_league(asked, asked.league, player)
    by = player or become_guest(request, asked.of("own"))
    others = [asked.of(f"name-{seat}") for seat in range(1, SEATS)]
    rules: Any = asked.circuit.engine_rules().options()
    names = ["", *(name for name in others if name)]
    if len(names) == 1:
        return matches.open_match(
            by=by,
            at=timezone.now(),
            players=[by],
            game=GAME,
            profile=matches.OWN_RULES,
            rules=rules,
        )
    return open_among_friends(
        by=by, at=timezone.now(), names=names, game=GAME, profile=matches.OWN_RULES, rules=rules
    )


def _in_league(asked: Beginning, league: League, player: Player | None) -> Match:
    if player is None:
        raise NotAllowed(_("Say first who you are."))
    by_key = {str(member.pk): member for member in asked.members}
    chosen = [asked.of(f"seat-{seat}") for seat in range(SEATS)]
    players = [by_key[key] for key in chosen if key in by_key]
    if not players:
        raise OperationError(_("Say who of the league sat there."), "players")
    return matches.open_match(by=player, at=timezone.now(), players=players, league=league)
