"""Evenings played by the engine are accepted as moves and as arrivals."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eltoro.engine import (
    DestinationsLaid,
    EffectPaid,
    Event,
    Gained,
    Game,
    GameState,
    Phase,
    Rules,
    random_move,
)
from eltoro.tabletop.sheets import read_evening, referee
from fairness import Seed
from tests.eltoro.oracle.papers import read_destinations
from tests.eltoro.oracle.sheets import read_arrivals
from tests.eltoro.oracle.shelf import DESTINATIONS
from tests.eltoro.tabletop.sheets.paper import objection_messages

JSON = Any
KINDS = read_destinations(DESTINATIONS)


class Scribe:
    """A person at the table who notes what the scoresheet needs, day by day."""

    def __init__(self, rules: Rules, players: int) -> None:
        self.rules, self.players = rules, players
        self.days: list[dict[str, JSON]] = []
        self.dice: list[int | None] = [None] * players

    def __call__(self, event: Event, game: GameState) -> None:
        if isinstance(event, EffectPaid) and event.die is not None:
            self.dice[event.seat] = event.die
        elif isinstance(event, DestinationsLaid):
            keys = [self.rules.destinations[index].key for index in event.destinations]
            dice, self.dice = self.dice, [None] * self.players
            day = {"destinations": keys, "dice": dice, "gained": [0] * self.players}
            self.days.append(day)
        elif isinstance(event, Gained):
            self.days[-1]["gained"][event.seat] += event.points
        if game.town().phase in {Phase.EVENING, Phase.OVER}:
            self.days[-1].setdefault("arrived", self.arrived(game))

    def arrived(self, game: GameState) -> list[list[int]]:
        """Return how many runners of each player are at the destinations d1 to d5."""
        ends = self.rules.board.rows[-1]
        return [
            [sum(die is not None and die.space == end for die in dice) for end in ends]
            for dice in game.town().runners
        ]


def played(players: int, seed: Seed, days: int) -> tuple[Game, Scribe]:
    """Return an evening of random moves and the person who noted it."""
    rules = Rules(days=days)
    scribe = Scribe(rules, players)
    game, chance = Game.new(rules, players, seed, scribe), seed.chance("moves")
    while not game.is_over:
        game.play(random_move(game.view(game.turn), chance), witness=scribe)
    return game, scribe


seeds = st.binary(min_size=32, max_size=32).map(Seed)


@pytest.mark.slow
@given(st.integers(2, 6), seeds, st.integers(1, 3))
def test_scoresheet_of_a_played_evening_has_its_points_and_places(
    players: int, seed: Seed, days: int
) -> None:
    game, scribe = played(players, seed, days)
    sheet = {"kind": "arrivals", "days": scribe.days}
    reading = read_evening(game.rules, players, sheet)
    assert objection_messages(reading, days) == []
    assert [list(day.points) for day in reading.days] == [list(day) for day in game.day_points]
    assert reading.ending is not None
    assert reading.ending.places == game.places
    points = {"kind": "points", "days": [list(day) for day in game.day_points]}
    judged = referee.judge(rules=game.rules.options(), seats=players, sheet=points)
    assert (judged.objections, judged.places) == ((), game.places)


@pytest.mark.slow
@given(st.integers(2, 6), seeds)
def test_recorded_moves_of_a_game_are_replayed_to_its_result(players: int, seed: Seed) -> None:
    game, _scribe = played(players, seed, 1)
    moves = [str(move) for move in game.log]
    sheet = {"kind": "log", "seed": seed.value.hex(), "moves": moves}
    judged = referee.judge(rules=game.rules.options(), seats=players, sheet=sheet)
    assert (judged.evidence, judged.over) == ("log", True)
    assert (judged.points, judged.places) == (game.points, game.places)
    short = referee.judge(
        rules=game.rules.options(), seats=players, sheet={**sheet, "moves": moves[:-1]}
    )
    assert (short.over, short.objections) == (False, ())


def test_invalid_moves_on_a_scoresheet_are_rejected_with_a_message() -> None:
    game, _scribe = played(2, Seed(bytes(32)), 1)
    moves = [str(move) for move in game.log]

    def refused(**other: JSON) -> list[tuple[str, str]]:
        sheet = {"kind": "log", "seed": bytes(32).hex(), "moves": moves, **other}
        judged = referee.judge(rules=game.rules.options(), seats=2, sheet=sheet)
        return [(found.path, found.sentence) for found in judged.objections]

    assert refused() == []
    assert refused(seed="ab")[0][0] == "seed"
    assert refused(moves=["dance"]) == [("moves/0", "Move 1: “dance” is not a valid move.")]
    (path, sentence), *_more = refused(moves=["discard"])
    assert path == "moves/0"
    assert sentence.startswith("Move 1, “discard”: ")
    last = len(moves)
    over = f"Move {last + 1}: the evening was already over."
    assert refused(moves=[*moves, "discard"]) == [(f"moves/{last}", over)]


days_of_two = st.fixed_dictionaries(
    {
        "destinations": st.lists(
            st.sampled_from([line["destination"] for line in KINDS]), min_size=5, max_size=5
        ),
        "arrived": st.lists(
            st.lists(st.integers(-1, 3), min_size=5, max_size=5), min_size=2, max_size=2
        ),
        "gained": st.lists(st.integers(0, 12), min_size=2, max_size=2),
        "dice": st.lists(st.sampled_from([None, None, None, 0, 3, 6]), min_size=2, max_size=2),
    }
)


@given(st.lists(days_of_two, min_size=2, max_size=2))
def test_referee_reads_arrivals_like_the_oracle(days: list[dict[str, JSON]]) -> None:
    sheet = {"kind": "arrivals", "days": days}
    expected = read_arrivals(sheet, KINDS, 2, 2, 12)
    judged = referee.judge(rules={"days": 2}, seats=2, sheet=sheet)
    if expected.points is None:
        assert judged.objections
    else:
        assert judged.objections == ()
        assert judged.places == tuple(expected.places or ())
        assert judged.points == tuple(map(sum, zip(*expected.points, strict=True)))


any_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["kind", "days", "arrived", "gained", "dice", "destinations", "moves"]),
            inner | st.sampled_from(["points", "arrivals", "log"]),
            max_size=5,
        )
    ),
    max_leaves=25,
)


@given(any_json, st.sampled_from(["points", "arrivals", "log", "none"]), st.integers(0, 8))
def test_referee_answers_any_json_without_crashing(content: JSON, kind: str, seats: int) -> None:
    """A scoresheet with errors never ends a match."""
    sheets = [content, {"kind": kind, "days": content, "moves": content, "seed": content}]
    sheets += [{"kind": kind, **content}] if isinstance(content, dict) else []
    for sheet in sheets:
        judged = referee.judge(rules={}, seats=seats, sheet=sheet)
        assert not (judged.over and judged.objections)
        assert len(judged.points) == seats
        assert all(found.sentence for found in judged.objections)
