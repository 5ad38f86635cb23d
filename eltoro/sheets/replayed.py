"""An evening played on the site, replayed move by move: the strongest evidence."""

from __future__ import annotations

from collections.abc import Sequence

from eltoro.engine import Game, IllegalMove, Move, Rules
from eltoro.sheets.places import ending
from eltoro.sheets.written import DayReading, Objection, Param, Reading, Way
from fairness import Seed


def judge_log(rules: Rules, players: int, seed: str, moves: Sequence[str]) -> Reading:
    """The evening of this seed and these moves, up to the first that cannot be."""
    read = seed_of(seed)
    if read is None:
        return _faulty(Objection(path="seed", code="no_seed"))
    game = Game.new(rules, players, read)
    for number, text in enumerate(moves):
        fault = _play(game, number, text)
        if fault is not None:
            return _faulty(fault)
    return _replayed(game, len(moves))


def seed_of(text: str) -> Seed | None:
    """The seed in these hexadecimal digits; None where they are none, or not 32 bytes."""
    try:
        return Seed(bytes.fromhex(text))
    except ValueError:
        return None


def _play(game: Game, number: int, text: str) -> Objection | None:
    """Play one move; what stands against it, if anything."""
    path = f"moves/{number}"
    if game.over:
        return Objection(path=path, code="went_on", params={"number": number})
    try:
        game.play(Move.read(text))
    except IllegalMove as why:
        params: dict[str, Param] = {"number": number, "move": text, "why": why.code}
        params |= {f"why_{name}": str(value) for name, value in why.params.items()}
        return Objection(path=path, code="refused", params=params)
    except ValueError:
        return Objection(path=path, code="no_move", params={"number": number, "move": text})
    return None


def _faulty(fault: Objection) -> Reading:
    return Reading(way=Way.LOG, objections=(fault,))


def _replayed(game: Game, moves: int) -> Reading:
    days = tuple(tuple(points) for points in game.day_points)
    return Reading(
        way=Way.LOG,
        days=tuple(DayReading(points=points) for points in days),
        ending=ending(days) if game.over else None,
        moves=moves,
    )
