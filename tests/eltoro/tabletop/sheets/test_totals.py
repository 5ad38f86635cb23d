"""Totals of an evening are possible if the referee accepts some points by day (Ruling E-9)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from eltoro.engine import PROFILES, Rules
from eltoro.game import GAME
from eltoro.tabletop.sheets import referee
from tests.eltoro.tabletop.sheets.paper import CARDS, town

NAMES = ("ana", "blas", "carla", "dani", "eva", "fran")


def splits(rules: Rules, total: int) -> Iterator[bool]:
    """Yield for each way to split a total over two days whether the referee accepts it.

    The other player scores nothing.
    """
    assert rules.days == 2
    for first in range(-2, total + 3):
        sheet = {"kind": "points", "days": [[first, 0], [total - first, 0]]}
        yield referee.judge(rules=rules.options(), seats=2, sheet=sheet).over


def objections_to(rules: Rules, *totals: int) -> list[str]:
    assert GAME.judge_points
    judged = GAME.judge_points(rules.options(), totals, NAMES[: len(totals)])
    assert judged.over == (not judged.objections)
    return [objection.sentence for objection in judged.objections]


@pytest.mark.slow
@pytest.mark.parametrize(
    "rules",
    [Rules(days=2), Rules(days=2, board="la-cuesta"), town(2)],
    ids=["toro", "cuesta", "own"],
)
def test_total_is_accepted_exactly_if_some_points_by_day_are_accepted(rules: Rules) -> None:
    possible = [total for total in range(-3, 140) if any(splits(rules, total))]
    assert [total for total in range(-3, 140) if not objections_to(rules, total, 0)] == possible


@pytest.mark.slow
@pytest.mark.parametrize(
    ("profile", "players", "most"),
    [
        ("el-toro", 2, 173),
        ("el-toro", 4, 124),
        ("el-toro", 6, 129),
        ("la-cuesta", 2, 173),
        ("one-day", 2, 59),
        ("one-day", 6, 41),
    ],
)
def test_highest_possible_total_of_an_evening_is_known_exactly(
    profile: str, players: int, most: int
) -> None:
    rules, others = PROFILES[profile], [0] * (players - 1)
    assert objections_to(rules, most, *others) == []
    assert objections_to(rules, *others, most) == []
    assert len(objections_to(rules, most + 1, *others)) == 1


def test_total_that_no_destinations_add_up_to_is_rejected() -> None:
    """All destinations of this board have five points and no card gives points, so totals are
    multiples of five.
    """
    kinds = "destination,count,points,effect,amount,name,name_es\npier,10,5,,,Pier,Muelle\n"
    cards = "\n".join(line for line in CARDS.splitlines() if not line.startswith("daredevil"))
    cards = cards.replace("second-wind,50", "second-wind,52") + "\n"
    rules = Rules(days=3, destinations=kinds, cards=cards)
    assert objections_to(rules, 15, 20) == []
    assert objections_to(rules, 15, 21) == [
        "blas: runners and cards can’t earn 21 points in an evening."
    ]


def test_total_of_each_player_is_checked_separately_and_named() -> None:
    assert objections_to(Rules(), 173, 173) == []
    assert objections_to(Rules(), 174, -1) == [
        "ana: a player can score at most 173 points in an evening, but you entered 174 points.",
        (
            "blas: a player’s score for an evening must be at least 0 points, "
            "but you entered −1 point."
        ),
    ]


def test_totals_with_cards_of_many_points_are_limited_day_by_day() -> None:
    """The deck is not considered here, so two cards may be played on each of three days.

    A card of up to 30 points gives one point for each runner, of which a player has at most ten.
    """
    rules = Rules(days=3, cards=CARDS.replace("brave,3", "brave,30"))
    assert objections_to(rules, 228, 0) == []
    assert len(objections_to(rules, 229, 0)) == 1
    (sentence,) = objections_to(rules, 10_000, 0)
    assert "a player can score at most" in sentence
