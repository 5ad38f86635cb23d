"""Operations before a game: creating a table, taking and freeing seats, beginning, closing."""

from __future__ import annotations

import datetime as dt
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, TypedDict

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from fairness import Seed
from leagues.exceptions import NotAllowed, OperationError
from leagues.games import Game, MoveRefused, games
from leagues.matches.operations.locking import find_fixture
from leagues.matches.operations.matches import game_of, pinned_rules
from leagues.models import Fixture, League, Player, Table, TableSeat
from leagues.permissions import may_play
from leagues.tables import bot_turns, changes, play
from leagues.tables import log as table_log
from leagues.tables.changes import Event, TableChange
from leagues.tables.clock import OPEN_FOR
from leagues.tables.log import TableLog


class StaleTable(OperationError):
    """The table has changed since the user loaded the page. Nothing was saved."""

    def __init__(self) -> None:
        super().__init__(
            _("The table has changed since you opened the page. You now see its current state.")
        )


class IllegalMove(OperationError):
    """The move is against the rules. `ruling` is the code of the ruling. Nothing was saved."""

    def __init__(self, refused: MoveRefused) -> None:
        self.ruling = refused.ruling
        super().__init__(str(refused), "move")


def find_table(table_id: int) -> TableLog:
    """Return the log of a live table. Raises `OperationError` if the table does not exist."""
    log = table_log.find_log(table_id)
    if log is None:
        raise OperationError(_("This table does not exist."))
    return log


@contextmanager
def lock_table(table_id: int, at: dt.datetime) -> Iterator[TableChange]:
    """Context manager that locks a live table for a change.

    If it is a bot's turn afterwards, the task for the bot's move is queued.
    """
    try:
        with changes.change_table(table_id, at=at) as change:
            yield change
    except changes.TableNotFound as error:
        raise OperationError(_("This table does not exist.")) from error
    if change.event is not None:
        bot_turns.wake(change.bot_turn)


def is_same_person(player: Player | None, other: Player | None) -> bool:
    """Return whether the two players are the same person after merges."""
    return player is not None and other is not None and player.person_id == other.person_id


def own_seat(change: TableChange, player: Player | None) -> TableSeat:
    """Return the seat number of a player at the table.

    Raises `NotAllowed` if the player has no seat.
    """
    for seat in change.people:
        if is_same_person(seat.player, player):
            return seat
    raise NotAllowed(_("You don’t have a seat at this table."))


def check_open(table: Table) -> None:
    """Raise `OperationError` unless the table waits for players."""
    if table.state != Table.State.OPEN:
        raise OperationError(_("The match at this table has already started."))


def check_host(change: TableChange, player: Player | None) -> None:
    """Raise `NotAllowed` unless the player is the host of the table."""
    if not is_same_person(change.table.host, player):
        raise NotAllowed(_("Only the player who opened the table can do this."))


def check_playing(table: Table) -> None:
    """Raise `OperationError` unless the game is in progress."""
    if table.state != Table.State.PLAYING:
        raise OperationError(_("There is no match in progress at this table."))


def begin_table(*, table_id: int, player: Player | None, at: dt.datetime) -> None:
    """Deal the first round at a full table, for its host. Calling it again has no effect.

    Raises `OperationError` if a seat is empty.
    """
    with lock_table(table_id, at) as change:
        check_host(change, player)
        if change.table.state == Table.State.PLAYING:
            return
        check_open(change.table)
        if not all(seat.player_id or seat.bot for seat in change.seats):
            raise OperationError(_("A seat is still empty. Invite a player or add a bot."))
        begin_play(change)


def begin_play(change: TableChange) -> None:
    """Begin the game. Raises `OperationError` if all seats belong to bots."""
    if not change.people:
        raise OperationError(
            _("Bots can’t play on their own: at least one person must take a seat."), "bots"
        )
    change.table.state, change.table.begun_at = Table.State.PLAYING, change.at
    play.deal_round(change, fresh=Seed.fresh)


def sit_down(
    *,
    table_id: int,
    player: Player,
    at: dt.datetime,
    seat: int | None = None,
    invited: bool = False,
) -> int:
    """Take a seat, by default the first free one, and return its number.

    A player who already has a seat stays there. `invited` means that the player has the link.
    Raises `OperationError` if the seat is taken, the table is full, or the player may not join.
    """
    with lock_table(table_id, at) as change:
        sits = next((own for own in change.people if is_same_person(own.player, player)), None)
        if sits is not None:
            return sits.number
        check_open(change.table)
        check_may_sit(change.table, player, invited=invited)
        taken = seat_of_fixture(change, player) or _free_seat(change, seat)
        taken.player = player
        taken.save(update_fields=["player"])
        change.add_event(Event.SAT, taken.number)
    return taken.number


def check_may_sit(table: Table, player: Player, *, invited: bool) -> None:
    """Raise `NotAllowed` if the player may not take a seat at the table."""
    if table.fixture is not None:
        check_fixture(table.fixture, player)
    elif table.league is not None and not may_play(player, table.league):
        raise NotAllowed(_("Only players in the league can take a seat at this table."))
    elif table.seating == Table.Seating.LINK and not (
        invited or is_same_person(table.host, player)
    ):
        raise NotAllowed(_("Only people with the link can take a seat at this table."))


def check_fixture(fixture: Fixture, player: Player) -> None:
    """Raise `NotAllowed` unless the player belongs to the fixture of the table."""
    named = fixture.seats.select_related("player")
    if not any(is_same_person(seat.player, player) for seat in named):
        raise NotAllowed(_("Only the players in this fixture can take a seat at this table."))


def seat_of_fixture(change: TableChange, player: Player) -> TableSeat | None:
    """Return the seat of a player in the table's fixture. None if the table has no fixture."""
    if change.table.fixture is None:
        return None
    named = change.table.fixture.seats.select_related("player").order_by("number")
    for place, seat in enumerate(named):
        if is_same_person(seat.player, player):
            return change.seats[place]
    return None


def _free_seat(change: TableChange, wanted: int | None) -> TableSeat:
    free = [seat for seat in change.seats if seat.player_id is None and not seat.bot]
    if wanted is not None:
        free = [seat for seat in free if seat.number == wanted]
    if not free:
        sentence = (
            _("This seat is already taken.") if wanted is not None else _("All seats are taken.")
        )
        raise OperationError(sentence, "seat")
    return free[0]


def stand_up(*, table_id: int, player: Player | None, at: dt.datetime) -> None:
    """Leave a seat before the game. During the game, use `leave`."""
    with lock_table(table_id, at) as change:
        seat = own_seat(change, player)
        check_open(change.table)
        seat.player = None
        seat.save(update_fields=["player"])
        change.add_event(Event.STOOD_UP, seat.number)


def seat_bot(*, table_id: int, player: Player | None, bot: str, seat: int, at: dt.datetime) -> None:
    """Put a bot in a free seat, for the host of a table outside leagues."""
    with lock_table(table_id, at) as change:
        check_host(change, player)
        check_open(change.table)
        if bot not in dict(games[change.table.game].bots):
            raise OperationError(_("This bot does not exist."), "bot")
        if change.table.league_id is not None:
            raise OperationError(_("Bots can’t play in a league."), "bot")
        taken = _free_seat(change, seat)
        taken.bot = bot
        taken.save(update_fields=["bot"])
        change.add_event(Event.BOT, seat)


def free_seat(*, table_id: int, player: Player | None, seat: int, at: dt.datetime) -> None:
    """Remove a bot or another player from a seat, for the host."""
    with lock_table(table_id, at) as change:
        check_host(change, player)
        check_open(change.table)
        if not 0 <= seat < len(change.seats):
            raise OperationError(_("This seat does not exist."), "seat")
        freed = change.seats[seat]
        if freed.player_id is not None or freed.bot:
            freed.player, freed.bot = None, ""
            freed.save(update_fields=["player", "bot"])
            change.add_event(Event.FREED, seat)


def close_table(*, table_id: int, player: Player | None, at: dt.datetime) -> None:
    """Close a table before the game, or a game against bots only. Only for the host."""
    with lock_table(table_id, at) as change:
        check_host(change, player)
        if change.table.state == Table.State.CLOSED:
            return
        alone = change.table.state == Table.State.PLAYING and len(change.people) == 1
        if not (alone and is_same_person(change.people[0].player, player)):
            check_open(change.table)
        changes.abandon_table(change)


DAY: Final = 24 * 60 * 60
# Minimum and maximum time per move for each pace (live or by turns), and the number of seconds in
# the unit of these values.
ALLOWANCES: Final = {Table.Pace.LIVE: (5, 900, 1), Table.Pace.DAYS: (1, 14, DAY)}
# Minimum and maximum delay for spectators, in seconds.
DELAYS: Final = (0, 3600)
# Maximum number of unfinished tables per host.
MAX_HOSTED_TABLES: Final = 20


@dataclass(frozen=True, kw_only=True)
class TableSettings:
    """Settings of a live table.

    `allowance` is the time per move: 5 to 900 seconds if `pace` is live, 1 to 14 days otherwise.
    `delay` is the delay for spectators in seconds (0 to 3,600).
    """

    pace: Table.Pace = Table.Pace.LIVE
    allowance: int = 60
    seating: Table.Seating = Table.Seating.ANYBODY
    watch: Table.Watch = Table.Watch.ANYBODY
    delay: int = 30
    rated: bool = True


class TableArguments(TypedDict, total=False):
    """Arguments of `create_table` that are chosen in a form or an API request."""

    game: str
    profile: str
    options: Mapping[str, object] | None
    seats: int
    house: TableSettings
    bots: Mapping[int, str]
    host_sits: bool
    league: League | None
    fixture: Fixture | None


def create_table(
    *,
    host: Player,
    at: dt.datetime,
    game: str = "",
    profile: str = "",
    options: Mapping[str, object] | None = None,
    seats: int = 2,
    house: TableSettings | None = None,
    bots: Mapping[int, str] | None = None,
    host_sits: bool = True,
    league: League | None = None,
    fixture: Fixture | None = None,
    invitation: str = "",
) -> Table:
    """Create a live table and draw the seed of its first round (Ruling F-2).

    A full table begins at once. `profile` is the rule set, or `own` with `options`. A league
    determines game, rules and number of seats. `bots` maps seats to keys of bots. The host takes
    the first free seat, or the host's seat in the fixture. `invitation` is the secret in the
    table's link, random by default. Raises `OperationError`, whose `field` is the name of the
    invalid argument.
    """
    house = house or TableSettings()
    league = fixture.round.league if fixture is not None else league
    _check_settings(house)
    with transaction.atomic():
        _check_host(host, league, fixture, bots or {})
        if league is not None:
            rules = _Rules(game_of(league.game), league.profile, league.rules)
        else:
            played = game_of(game)
            rules = _Rules(played, profile, pinned_rules(played, profile, options or {}))
        _check_played_here(rules.game)
        count = league.seats if league is not None else seats
        _check_seats(rules, count, bots or {})
        table = _create_row(rules, house, host, at, league, fixture, invitation)
        _create_seats(table, count, bots or {})
        turn = _open_table(table, host, sits=host_sits, at=at)
    bot_turns.wake(turn)
    return table


@dataclass(frozen=True)
class _Rules:
    game: Game
    profile: str
    options: Mapping[str, object]


def _check_played_here(game: Game) -> None:
    if not game.played_here:
        raise OperationError(
            _("%s can only be played at a real table. Enter the result here afterwards.")
            % game.name,
            "game",
        )


def _check_settings(house: TableSettings) -> None:
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
    """Check whether the host may open this table.

    The fixture and the host stay locked, so that concurrent requests cannot exceed the limits.
    """
    if fixture is not None:
        fixture = find_fixture(fixture, lock=True)
    Player.objects.select_for_update(no_key=True).get(pk=host.pk)
    check_may_host(host, league, fixture)
    if league is not None and bots:
        raise OperationError(_("Bots can’t play in a league."), "bots")


def check_may_host(host: Player, league: League | None, fixture: Fixture | None) -> None:
    """Raise `OperationError` if a player cannot open a table for this league or fixture now."""
    if Table.objects.filter(host=host, state__in=Table.ACTIVE).count() >= MAX_HOSTED_TABLES:
        raise OperationError(
            _("You already have %d tables open. Finish or close one of them first.")
            % MAX_HOSTED_TABLES
        )
    if league is not None and not may_play(host, league):
        raise NotAllowed(_("Only players in this league can open tables for the league."))
    if fixture is not None:
        check_fixture(fixture, host)
        _check_unplayed(fixture)
    elif league is not None and league.format != League.Format.LADDER:
        raise OperationError(
            _(
                "In this league, a draw decides who plays whom. Open a table from one of "
                "the fixtures."
            )
        )


def _check_unplayed(fixture: Fixture) -> None:
    if fixture.state not in Fixture.TO_PLAY:
        raise OperationError(_("This fixture can no longer be played."), "fixture")
    busy = Q(state__in=Table.ACTIVE) | Q(counts_at__isnull=False)
    if Table.objects.filter(busy, fixture=fixture).exists():
        raise OperationError(_("This fixture already has a table."), "fixture")


def _check_seats(rules: _Rules, count: int, bots: Mapping[int, str]) -> None:
    if count not in rules.game.seat_counts(rules.options):
        raise OperationError(
            _("These rules do not allow this number of players: %d.") % count, "seats"
        )
    names = {key for key, _label in rules.game.bots}
    if not set(bots) <= set(range(count)) or not set(bots.values()) <= names:
        raise OperationError(_("This bot or seat does not exist."), "bots")


def _create_row(
    rules: _Rules,
    house: TableSettings,
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


def _create_seats(table: Table, count: int, bots: Mapping[int, str]) -> None:
    TableSeat.objects.bulk_create(
        TableSeat(table=table, number=number, bot=bots.get(number, "")) for number in range(count)
    )
    table.points = [0] * count
    table.save(update_fields=["points"])
    play.seal_round(table, count, (), fresh=Seed.fresh)


def _open_table(
    table: Table, host: Player, *, sits: bool, at: dt.datetime
) -> changes.BotTurn | None:
    with changes.change_table(table.pk, at=at) as change:
        change.add_event(Event.LAID)
        free = [seat for seat in change.seats if not seat.bot]
        if sits and free:
            seat = seat_of_fixture(change, host) or free[0]
            seat.player = host
            seat.save(update_fields=["player"])
    if all(seat.player_id or seat.bot for seat in change.seats):
        with changes.change_table(table.pk, at=at) as change:
            begin_play(change)
    table.refresh_from_db()
    return change.bot_turn
