"""Functions that record public events of leagues and tables, in the transaction of the change.

Events store only primary keys of players. Old events therefore show a player's present name, or no
name after the account was deleted.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from api.types import JSON
from events.operations import record_event
from leagues.models import Fixture, League, Match, Place, Result, Round, Table


def _emit(
    league: League, kind: str, at: dt.datetime, data: dict[str, JSON], subject: str = ""
) -> None:
    about = subject or f"league/{league.pk}"
    record_event(kind=kind, subject=about, at=at, data=data, league=league.pk)


def emit_league_opened(league: League, *, at: dt.datetime, again: bool = False) -> None:
    data = {"name": league.name, "game": league.game, "format": league.format, "again": again}
    _emit(league, "league.opened", at, data)


def emit_league_closed(league: League, *, at: dt.datetime) -> None:
    _emit(league, "league.closed", at, {"name": league.name})


def emit_rounds_drawn(
    league: League, rounds: Sequence[Round], *, byes: int, at: dt.datetime
) -> None:
    data = {
        "first": rounds[0].number,
        "last": rounds[-1].number,
        "fixtures": Fixture.objects.filter(round__in=rounds).count(),
        "byes": byes,
        "deadline": rounds[0].deadline.astimezone(dt.UTC).isoformat(timespec="seconds"),
    }
    _emit(league, "league.round_drawn", at, data)


def emit_pairings_changed(round_: Round, fixtures: Sequence[Fixture], *, at: dt.datetime) -> None:
    """Record that players of fixtures in a drawn round have changed, or that a bye replaces a
    fixture.
    """
    data: dict[str, JSON] = {
        "round": round_.number,
        "fixtures": [fixture.pk for fixture in fixtures],
    }
    _emit(round_.league, "league.pairings_changed", at, data)


def emit_draw_undone(league: League, rounds: Sequence[Round], *, at: dt.datetime) -> None:
    numbers = [round_.number for round_ in rounds]
    _emit(league, "league.round_withdrawn", at, {"first": min(numbers), "last": max(numbers)})


def emit_result(result: Result, placed: Sequence[Place], *, at: dt.datetime, again: bool) -> None:
    """Record that the result of a match counts from now on.

    `again` means that this result replaces an earlier one of the same match.
    """
    match = result.match
    if match.league is None:
        return
    data: dict[str, JSON] = {
        "match": match.pk,
        "fixture": match.fixture_id,
        "game": match.game,
        "origin": match.origin,
        "corrected": again,
        "places": [
            {
                "player": placing.player_id,
                "side": placing.side,
                "place": placing.place,
                "points": placing.points,
            }
            for placing in placed
        ],
    }
    _emit(match.league, "league.result", at, data, f"match/{match.pk}")


def emit_result_withdrawn(match: Match, *, at: dt.datetime) -> None:
    if match.league is not None:
        data = {"match": match.pk, "fixture": match.fixture_id}
        _emit(match.league, "league.result_withdrawn", at, data, f"match/{match.pk}")


def emit_results_imported(league: League, count: int, *, at: dt.datetime) -> None:
    _emit(league, "league.imported", at, {"results": count})


def emit_table_over(table: Table, *, at: dt.datetime) -> None:
    """Record that the game at a table is over, without naming the winner.

    The event is published when spectators, who watch with a delay, have seen the end. If the table
    is not public, only subscribers of its league receive the event.
    """
    if table.league_id is None and table.watch != Table.Watch.ANYBODY:
        return
    record_event(
        kind="table.over",
        subject=f"table/{table.pk}",
        at=at,
        data={"game": table.game, "rounds": table.round},
        league=table.league_id,
        due=at + dt.timedelta(seconds=table.delay),
    )
