"""Helpers that seat people at a game table of any game and let bots choose the moves of these
people.
"""

from __future__ import annotations

import datetime as dt
from typing import Any, Final

from fairness import Seed
from leagues.games import games
from leagues.models import Player, Table
from leagues.tables import automation
from leagues.tables import log as table_log
from leagues.tables.log import TableLog
from leagues.tables.operations import lobby
from leagues.tables.operations import moves as table_moves
from tests.factories import guest

NOW: Final = dt.datetime(2026, 3, 5, 20, 0, tzinfo=dt.UTC)


def people(*names: str) -> list[Player]:
    """Create guests with these names."""
    return [guest(name, at=NOW) for name in names]


def started_table(game: str, players: list[Player], profile: str, **options: Any) -> Table:
    """Create a table of this game with these players, and deal the first round."""
    table = lobby.create_table(
        host=players[0],
        at=NOW,
        game=game,
        profile=profile,
        options=options,
        seats=len(players),
    )
    for player in players[1:]:
        lobby.sit_down(table_id=table.pk, player=player, at=NOW)
    lobby.begin_table(table_id=table.pk, player=players[0], at=NOW)
    return table


def log_of(table: Table) -> TableLog:
    """Return the log of all moves at the table."""
    log = table_log.find_log(table.pk)
    assert log is not None
    return log


def step(table: Table, players: list[Player], bot: str = "greedy") -> None:
    """Make the next move as this bot would. Between rounds, all players say that they are ready."""
    log = log_of(table)
    if log.table.turn is None:
        for player in players:
            table_moves.say_ready(table_id=table.pk, player=player, at=NOW)
        return
    move = games[table.game].table.bot_move(
        rules=log.table.rules,
        seats=log.seats,
        rounds=log.present(),
        bot=bot,
        seed=bytes([log.table.moves_made % 256]) * 32,
    )
    table_moves.make_move(
        table_id=table.pk,
        player=players[log.table.turn],
        seen=log.table.moves_made,
        fields={"move": move},
        at=NOW,
    )


def everybody_has_seen(table: Table) -> None:
    """Let the delay for spectators pass, after which a finished match counts."""
    table.refresh_from_db()
    seen = table.changed_at + dt.timedelta(seconds=table.delay)
    automation.handle_due_table(table.pk, at=seen, fresh=Seed.fresh)


def play_out(table: Table, players: list[Player]) -> TableLog:
    """Play until the match is over, and return the log."""
    while Table.objects.get(pk=table.pk).state == Table.State.PLAYING:
        step(table, players)
    return log_of(table)
