"""Laying a table: which game by which rules, how many seats, how fast, who may come."""

from __future__ import annotations

import datetime as dt
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from fairness import Seed
from leagues import playing, tasks
from leagues.games import Game
from leagues.models import Fixture, League, Player, Table, TableSeat
from leagues.operations.errors import NotAllowed, OperationError
from leagues.operations.matches import game_of, pinned
from leagues.operations.tables.begin import begin_play
from leagues.operations.tables.sitting import check_fixture, seat_of_fixture
from leagues.playing import Event
from leagues.playing.clock import OPEN_FOR
from leagues.rules import may_play

DAY: Final = 24 * 60 * 60
ALLOWANCES: Final = {Table.Pace.LIVE: (5, 900, 1), Table.Pace.DAYS: (1, 14, DAY)}
"""Of each pace the least and the most, and seconds a unit: seconds a move, or days."""
DELAYS: Final = (0, 3600)
"""Seconds that watchers can be behind."""
HOSTED: Final = 20
"""Tables that somebody may have laid and not seen through."""


@dataclass(frozen=True, kw_only=True)
class House:
    """How a table is kept.

    `allowance`: seconds a move where `pace` is live (5 to 900), days where it is days (1 to 14).
    `delay`: seconds that watchers are behind (0 to 3,600).
    """

    pace: Table.Pace = Table.Pace.LIVE
    allowance: int = 60
    seating: Table.Seating = Table.Seating.ANYBODY
    watch: Table.Watch = Table.Watch.ANYBODY
    delay: int = 30
    rated: bool = True


def lay_table(
    *,
    host: Player,
    at: dt.datetime,
    game: str = "",
    profile: str = "",
    options: Mapping[str, Any] | None = None,
    seats: int = 2,
    house: House | None = None,
    bots: Mapping[int, str] | None = None,
    host_sits: bool = True,
    league: League | None = None,
    fixture: Fixture | None = None,
    invitation: str = "",
) -> Table:
    """Lay a table; its first round is sealed at once (Ruling F-2). One that is full begins.

    `profile` names the rules, or is `own` with `options`; a league brings its own game, rules and
    seats. `bots`: names by seat. The host takes the first seat that is free, or that of the
    fixture. `invitation`: the secret of its link, drawn where none is given. Raises
    `OperationError`, its `field` the argument to blame.
    """
    house = house or House()
    league = fixture.round.league if fixture is not None else league
    _check_house(house)
    _check_host(host, league, fixture, bots or {})
    rules = _rules_of_league(league) if league else _rules(game_of(game), profile, options or {})
    _check_played_here(rules.game)
    count = league.seats if league is not None else seats
    _check_seats(rules, count, bots or {})
    with transaction.atomic():
        table = _create(rules, house, host, at, league, fixture, invitation)
        _seat(table, count, bots or {})
        turn = _open(table, host, count, sits=host_sits, at=at)
    tasks.wake(turn)
    return table


@dataclass(frozen=True)
class _Rules:
    game: Game
    profile: str
    options: Mapping[str, Any]


def _rules(game: Game, profile: str, options: Mapping[str, Any]) -> _Rules:
    return _Rules(game, profile, pinned(game, profile, options))


def _rules_of_league(league: League) -> _Rules:
    return _Rules(game_of(league.game), league.profile, league.rules)


def _check_played_here(game: Game) -> None:
    if not game.played_here:
        raise OperationError(
            _("%s can only be played at a real table. Enter the result here afterwards.")
            % game.name,
            "game",
        )


def _check_house(house: House) -> None:
    low, high, _unit = ALLOWANCES[house.pace]
    if not low <= house.allowance <= high:
        sentence = (
            _("Choose %(low)s to %(high)s seconds for each move.")
            if house.pace == Table.Pace.LIVE
            else _("Choose %(low)s to %(high)s days for each move.")
        )
        raise OperationError(sentence % {"low": low, "high": high}, "allowance")
    if not DELAYS[0] <= house.delay <= DELAYS[1]:
        raise OperationError(
            _("The delay for spectators must be between 0 and 3,600 seconds."), "delay"
        )


def _check_host(
    host: Player, league: League | None, fixture: Fixture | None, bots: Mapping[int, str]
) -> None:
    if Table.objects.filter(host=host, state__in=Table.ACTIVE).count() >= HOSTED:
        raise OperationError(
            _("You already have %d tables open. Finish or close one of them first.") % HOSTED
        )
    if league is not None and not may_play(host, league):
        raise NotAllowed(_("Only players of this league can open tables for it."))
    if league is not None and bots:
        raise OperationError(_("Bots can’t play in a league."), "bots")
    if fixture is not None:
        check_fixture(fixture, host)
        _check_unplayed(fixture)
    elif league is not None and league.format != League.Format.LADDER:
        raise OperationError(_("Matches in this league are drawn. Open one of its fixtures."))


def _check_unplayed(fixture: Fixture) -> None:
    if fixture.state not in Fixture.TO_PLAY:
        raise OperationError(_("This fixture can no longer be played."), "fixture")
    busy = Q(state__in=Table.ACTIVE) | Q(counts_at__isnull=False)
    if Table.objects.filter(busy, fixture=fixture).exists():
        raise OperationError(_("This fixture already has a table."), "fixture")


def _check_seats(rules: _Rules, count: int, bots: Mapping[int, str]) -> None:
    if count not in rules.game.seat_counts(rules.options):
        raise OperationError(_("These rules do not allow %d players.") % count, "seats")
    names = {key for key, _label in rules.game.bots}
    if not set(bots) <= set(range(count)) or not set(bots.values()) <= names:
        raise OperationError(_("This bot or this seat does not exist."), "bots")


def _create(
    rules: _Rules,
    house: House,
    host: Player,
    at: dt.datetime,
    league: League | None,
    fixture: Fixture | None,
    invitation: str,
) -> Table:
    return Table.objects.create(
        game=rules.game.key,
        profile=rules.profile,
        rules=rules.options,
        rules_hash=rules.game.digest(rules.options),
        league=league,
        fixture=fixture,
        host=host,
        pace=house.pace,
        allowance=house.allowance * ALLOWANCES[house.pace][2],
        seating=house.seating,
        watch=house.watch,
        delay=house.delay,
        rated=house.rated,
        invitation=invitation or secrets.token_urlsafe(32),
        deadline=at + OPEN_FOR[house.pace],
        created_at=at,
        changed_at=at,
    )


def _seat(table: Table, count: int, bots: Mapping[int, str]) -> None:
    TableSeat.objects.bulk_create(
        TableSeat(table=table, number=number, bot=bots.get(number, "")) for number in range(count)
    )
    table.points = [0] * count
    table.save(update_fields=["points"])
    playing.seal_round(table, count, (), fresh=Seed.fresh)


def _open(
    table: Table, host: Player, count: int, *, sits: bool, at: dt.datetime
) -> playing.BotTurn | None:
    """The first moment: the host sits down; where nobody else is awaited the play begins."""
    with playing.changing(table.pk, at=at) as change:
        change.tell(Event.LAID)
        free = [seat for seat in change.seats if not seat.bot]
        if sits and free:
            seat = seat_of_fixture(change, host) or free[0]
            seat.player = host
            seat.save(update_fields=["player"])
    if all(seat.player_id or seat.bot for seat in change.seats):
        with playing.changing(table.pk, at=at) as change:
            begin_play(change)
    table.refresh_from_db()
    return change.bot_turn
