"""Moves and positions of Running with the Bulls can be written as text and read again."""

from __future__ import annotations

import pytest

from eltoro.engine import PROFILES, DecisionKind, Game, Move, NotationError, write_town
from fairness import Seed
from tests.eltoro.notation import read_town

RULES = PROFILES["el-toro"]


@pytest.mark.parametrize(
    ("text", "kind", "card", "targets"),
    [
        ("start a2>4 a5>6", DecisionKind.START, "", ("a2>4", "a5>6")),
        ("play second-wind a1 a3", DecisionKind.CARD, "second-wind", ("a1", "a3")),
        ("play siesta", DecisionKind.CARD, "siesta", ()),
        ("play street-sign mercado/even>fuente/odd", DecisionKind.CARD, "street-sign",
         ("mercado/even>fuente/odd",)),
        ("discard", DecisionKind.DISCARD, "", ()),
        ("discard elbow elbow", DecisionKind.DISCARD, "", ("elbow", "elbow")),
    ],
)  # fmt: skip
def test_move_can_be_read_and_written(
    text: str, kind: DecisionKind, card: str, targets: tuple[str, ...]
) -> None:
    move = Move.read(text)
    assert (move.kind, move.card, move.targets) == (kind, card, targets)
    assert str(move) == text
    assert hash(move) == hash(Move(kind, card, targets))


@pytest.mark.parametrize("text", ["", "play", "start", "pass", "Play siesta", "siesta"])
def test_invalid_text_is_rejected_as_a_move(text: str) -> None:
    with pytest.raises(NotationError):
        Move.read(text)


@pytest.mark.parametrize("players", range(2, 7))
def test_position_can_be_written_and_read(players: int) -> None:
    game = Game.new(RULES, players, Seed(bytes([players] * 32)))
    towns = [game.town()]
    game.play_out(lambda: 0.37)
    towns.append(game.town())
    for town in towns:
        assert read_town(write_town(town, RULES), RULES) == town


@pytest.mark.parametrize(
    "text",
    [
        "", "day 1", "day 1 step 0 cards first c | a 2:2 | b 2:2",
        "day 1 step 0 cards first a | a nowhere:2", "day 1 step 0 cards first a | a 2:7",
        "day 1 step 0 cards first a | a 2:2 | a 2:3", "day 1 step 0 lunch first a | a 2:2",
        "day 1 step 0 cards first a | a 2:2 | deck much",
    ],
)  # fmt: skip
def test_invalid_text_is_rejected_as_a_position(text: str) -> None:
    with pytest.raises(NotationError):
        read_town(text, RULES)
