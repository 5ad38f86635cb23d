"""Players and game tables for the tests."""

import datetime as dt
from collections.abc import Sequence
from itertools import count

from leagues.models import Player, Table
from leagues.tables.changes import BotTurn
from leagues.tables.operations import lobby
from leagues.tables.operations import moves as table_moves
from leagues.tables.operations.lobby import TableSettings
from leagues.tables.play import MoveResult
from tests.factories import guest
from tests.leagues.evening import NOW, everybody_has_seen, log_of
from tests.leagues.tables import sticks

__all__ = [
    "NOW",
    "SECOND",
    "begun_table",
    "bot_turn",
    "everybody_has_seen",
    "log_of",
    "open_table",
    "pair",
    "person",
    "play_round",
    "row",
    "take_sticks",
]

SECOND = dt.timedelta(seconds=1)
_numbers = count()


def person(name: str = "") -> Player:
    return guest(name or f"Player {next(_numbers)}", at=NOW)


def open_table(host: Player, profile: str = "usual", **arguments: object) -> Table:
    return lobby.create_table(host=host, at=NOW, game=sticks.KEY, profile=profile, **arguments)  # type: ignore[arg-type]


def begun_table(people: Sequence[Player], profile: str = "usual", **house: object) -> Table:
    """Create a table with these players in seat order, and deal the first round."""
    table = open_table(people[0], profile, seats=len(people), house=TableSettings(**house))  # type: ignore[arg-type]
    for player in people[1:]:
        lobby.sit_down(table_id=table.pk, player=player, at=NOW)
    lobby.begin_table(table_id=table.pk, player=people[0], at=NOW)
    table.refresh_from_db()
    return table


def pair(profile: str = "usual", **house: object) -> tuple[Table, Player, Player]:
    """Create a table of two players, and deal the first round; the first player begins."""
    ana, beto = person("Ana"), person("Beto")
    return begun_table([ana, beto], profile, **house), ana, beto


def row(table: Table) -> Table:
    return Table.objects.get(pk=table.pk)


def take_sticks(
    table: Table,
    player: Player,
    sticks: int | str = 1,
    *,
    seen: int | None = None,
    at: dt.datetime = NOW,
) -> MoveResult:
    moves = row(table).moves_made if seen is None else seen
    return table_moves.make_move(
        table_id=table.pk, player=player, seen=moves, fields={"take": str(sticks)}, at=at
    )


def play_round(table: Table, people: Sequence[Player], at: dt.datetime = NOW) -> None:
    """Let all players take as many sticks as possible until the round of the test game "sticks" is
    over.
    """
    while (turn := row(table).turn) is not None:
        log = log_of(table)
        left = log.position(log.moments[-1]).left  # type: ignore[attr-defined]
        take_sticks(table, people[turn], min(3, left), at=at)


def bot_turn(table: Table) -> BotTurn:
    """Return the message for which a worker makes the bot's next move."""
    found = row(table)
    assert found.deadline is not None
    return BotTurn(found.pk, found.moves_made, found.deadline)
