"""Points and winner of a finished hand of dominoes (Ruling D-7)."""

from __future__ import annotations

from typing import Any

import pytest

from dominoes.engine import Rules, score_hand
from tests.dominoes.engine.table import table

OUT, PARTNERS = {"out_wins": True}, {"partners": True}


@pytest.mark.parametrize(
    ("pips", "out", "winner", "points", "options"),
    [
        pytest.param((5, 9), None, 0, (4, 0), {}, id="D-7 two players"),
        pytest.param((0, 9, 12), 0, 0, (21, 0, 0), {}, id="D-7 out"),
        pytest.param((7, 5, 12), None, 1, (0, 14, 0), {}, id="D-7 others minus own"),
        pytest.param((5, 5, 12), None, None, (0, 0, 0), {}, id="D-7 a tie for lowest"),
        pytest.param((5, 12, 12), None, 0, (19, 0, 0), {}, id="D-7 a tie above is none"),
        pytest.param((0, 0, 12), 0, None, (0, 0, 0), {}, id="D-7 the 0-0 ties at zero"),
        pytest.param((0, 0, 12), 1, 1, (0, 12, 0), OUT, id="D-7 out wins against a tie"),
        pytest.param((5, 5, 12), None, None, (0, 0, 0), OUT, id="D-7 blocked is no out"),
        pytest.param((0, 6, 3, 4), 0, 0, (7, 0), PARTNERS, id="D-7 sides are added up"),
        pytest.param((0, 1, 9, 4), 0, 1, (0, 4), PARTNERS, id="D-7 out, and yet beaten"),
        pytest.param((2, 1, 3, 4), None, None, (0, 0), PARTNERS, id="D-7 sides can tie"),
        pytest.param(
            (0, 6, 3, 4), 0, 0, (7, 0), {**OUT, **PARTNERS}, id="D-7 out wins for the side"
        ),
        pytest.param(
            (0, 1, 9, 4), 0, 0, (0, 0), {**OUT, **PARTNERS}, id="D-7 never below 0"
        ),
        pytest.param(
            (2, 0, 3, 9), 1, 1, (0, 0), {**OUT, **PARTNERS}, id="D-7 whatever the partner holds"
        ),
    ],
)  # fmt: skip
def test_winner_and_points_of_a_hand_follow_from_the_remaining_pips(
    pips: tuple[int, ...],
    out: int | None,
    winner: int | None,
    points: tuple[int, ...],
    options: dict[str, Any],
) -> None:
    outcome = score_hand(Rules(**options), pips, out)
    assert (outcome.winner, outcome.points) == (winner, points)
    assert (outcome.pips, outcome.out, outcome.tied) == (pips, out, winner is None)
    assert outcome.ended_by == ("blocked" if out is None else "out")


def test_ruling_d_7_remaining_pips_of_every_player_are_counted() -> None:
    outcome = table("6|3 / 1|1 5|5 / 0|0", "6|3").outcome
    assert outcome is not None
    assert outcome.pips == outcome.side_pips == (0, 12, 0)
    assert outcome.winner is None


def test_ruling_d_7_pips_of_partners_are_added_up() -> None:
    outcome = table("6|3 / 1|1 5|5 / 0|1 / 4|4", "6|3", partners=True).outcome
    assert outcome is not None
    assert outcome.pips == (0, 12, 1, 8)
    assert outcome.side_pips == (1, 20)
    assert (outcome.winner, outcome.points) == (0, (19, 0))


def test_unfinished_hand_has_no_outcome() -> None:
    assert table("6|3 1|0 / 1|1", "6|3").outcome is None
