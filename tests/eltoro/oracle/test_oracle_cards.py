"""Action cards in the El Toro oracle: effects and forbidden targets (Rulings E-4 to E-6)."""

from __future__ import annotations

import pytest

from tests.eltoro.oracle.course import play
from tests.eltoro.oracle.laying import (
    Loaded,
    course_with_card,
    dice_of,
    dice_text,
    laid_out,
    played,
    ruling_against,
)
from tests.eltoro.oracle.town import tokens_left, totals

RUNNERS = "a1@fuente:1 a2@fuente:6 a3@torre:4 b1@fuente:3 b2@mirador:6"
BULLS = "T1@fuente:6 T2@mercado:1 T3@fuente:2"


@pytest.mark.parametrize(
    ("text", "faces", "after"),
    [
        ("play second-wind a3 a1", [2, 5], "a1:5 a3:2"),
        ("play second-wind a3", [2], "a3:2"),
        ("play second-wind", [], ""),
        ("play elbow b2", [1], "b2:1"),
        ("play scare b1 b2", [5, 4], "b1:5 b2:4"),
        ("play crush @fuente", [2, 3, 4], "a1:2 a2:3 b1:4"),
        ("play crush @mercado", [], ""),
        ("play brass-band @mirador", [], ""),
        ("play regroup @fuente", [2, 3], "a1:2 a2:3"),
        ("play regroup", [], ""),
        ("play siesta", [2, 3, 1], "a1:2 a2:3 a3:1"),
        ("play sidestep a1+", [], "a1:2"),
        ("play nudge b2-", [], "b2:5"),
        ("play merry-go-round a2+ a1-", [], "a1:6 a2:1"),
        ("play merry-go-round a3+ a2-", [], "a2:5 a3:5"),
        ("play somersault a1", [], "a1:6"),
        ("play odd-sandal a1 b2", [], "b2:5"),
        ("play odd-sandal a3 a2", [], "a2:5 a3:3"),
        ("play even-keel a1 b1", [], "a1:2 b1:4"),
        ("play good-eye a1=5", [], "a1:5"),
        ("play good-eye a1=1", [], ""),
        ("play swapped-hats a1~b2", [], "a1:6 b2:1"),
        ("play firecracker T2", [1], "T2:1"),
        ("play firecracker T1", [3], "T1:3"),
        ("play brass-band @fuente", [3, 4], "T1:3 T3:4"),
        ("play red-cape T1-", [], "T1:5"),
        ("play about-turn T2", [], "T2:6"),
        ("play cowbell T2>torre", [], "T2@torre"),
        ("play cowbell T1>mercado", [], "T1@mercado"),
        ("play stray @mirador", [1], "T4@mirador:1"),
    ],
)
def test_oracle_applies_the_effect_of_every_card(text: str, faces: list[int], after: str) -> None:
    course = laid_out(RUNNERS, BULLS, faces)
    expected = {**dice_of(RUNNERS), **dice_of(BULLS)}
    for word in after.split():
        name, face = word.partition("@")[0].partition(":")[0], word.partition(":")[2]
        if "@" in word:
            expected.setdefault(name, dice_of(word)[name] if face else expected[name])
            expected[name].space = word.partition("@")[2].partition(":")[0]
        if face:
            expected[name].face = int(face)
    town = played(course, text)
    assert dice_text({**town.runners, **town.bulls}) == dice_text(expected)
    assert isinstance(town.dice, Loaded)
    assert town.dice.faces == []


@pytest.mark.parametrize(
    ("text", "ruling"),
    [
        ("play second-wind a1 a2 a3", "E-10"),
        ("play second-wind a1 a1", "E-10"),
        ("play second-wind a4", "E-6"),
        ("play second-wind b1", "E-10"),
        ("play second-wind T1", "E-6"),
        ("play elbow a1", "E-10"),
        ("play scare b1 a1", "E-10"),
        ("play crush fuente", "E-2"),
        ("play crush @plaza", "E-2"),
        ("play crush @fuente @molino", "E-10"),
        ("play siesta a1", "E-10"),
        ("play sidestep a2+", "E-6"),
        ("play sidestep a1-", "E-6"),
        ("play sidestep a1", "E-6"),
        ("play nudge b2+", "E-6"),
        ("play merry-go-round a1+ a1+", "E-10"),
        ("play good-eye a1=7", "notation"),
        ("play good-eye a1=0", "notation"),
        ("play swapped-hats a1~a2", "E-10"),
        ("play swapped-hats b1~a1", "E-10"),
        ("play swapped-hats a1", "E-6"),
        ("play firecracker T4", "E-6"),
        ("play firecracker T1 T2", "E-10"),
        ("play red-cape T1+", "E-6"),
        ("play cowbell T1>torre", "E-2"),
        ("play cowbell T1>fuente", "E-2"),
        ("play cowbell T1>molino", "E-2"),
        ("play stray @molino", "E-4"),
        ("play crush @molino", "E-4"),
        ("play brass-band @2", "E-4"),
        ("play road-sweeper fuente/odd", "E-5"),
        ("play churros a1", "E-10"),
        ("play lottery 3", "E-10"),
        ("play nothing", "E-4"),
        ("start", "E-4"),
        ("discard", "E-4"),
        ("play", "E-4"),
        ("", "notation"),
    ],
)
def test_oracle_rejects_invalid_targets_of_cards_with_a_ruling(text: str, ruling: str) -> None:
    course = laid_out(RUNNERS, BULLS)
    held = text.split()[1] if text.startswith("play ") and "nothing" not in text else "churros"
    course_with_card(course, held)
    assert ruling_against(course.town, text) == ruling


def test_oracle_adds_points_of_cards() -> None:
    course = laid_out(RUNNERS, BULLS)
    course.town.points = [[0, 0]]
    assert totals(played(course, "play lottery", 1)) == [0, 2]
    assert totals(played(course, "play daredevil")) == [2, 2]
    assert totals(played(course, "play daredevil", 1)) == [2, 3]


def test_daredevil_card_gives_three_points_at_most() -> None:
    course = laid_out("a1@torre:1 a2@torre:2 a3@torre:6 a4@torre:4", "T1@torre:3")
    course.town.points = [[0, 0]]
    assert totals(played(course, "play daredevil")) == [3, 0]


def test_oracle_allows_at_most_ten_bulls() -> None:
    course = laid_out(bulls=" ".join(f"T{at}@torre:1" for at in range(1, 11)))
    course_with_card(course, "stray")
    assert ruling_against(course.town, "play stray @torre") == "E-1"
    play(course, "play stray")


@pytest.mark.parametrize(
    ("tokens", "text", "after"),
    [
        ({}, "play street-sign fuente/odd", {"fuente/odd": 0}),
        ({"fuente/odd": 1}, "play street-sign fuente/odd", {"fuente/odd": 0}),
        ({"fuente/odd": 0}, "play street-sign fuente/odd", "E-5"),
        ({"fuente/odd": 0}, "play street-sign fuente/odd>fuente/even", "E-5"),
        ({}, "play street-sign naranjo/odd", "E-5"),
        ({}, "play street-sign naranjo", "E-5"),
        ({"4/odd": 1}, "play road-sweeper 4/odd", {}),
        ({"4/odd": 0}, "play road-sweeper 4/odd", {}),
        ({}, "play road-sweeper", {}),
    ],
)
def test_oracle_places_and_removes_direction_tokens(
    tokens: dict[str, int], text: str, after: object
) -> None:
    course = course_with_card(laid_out(), text.split()[1])
    course.town.tokens = dict(tokens)
    refused = ruling_against(course.town, text)
    if refused is None:
        play(course, text)
    assert (refused or course.town.tokens) == after


def test_player_without_tokens_left_moves_a_token_already_placed() -> None:
    course = laid_out()
    course.town.tokens = {"3/odd": 0, "3/even": 0, "4/odd": 0, "4/even": 1}
    assert tokens_left(course.town, 0) == 0
    course_with_card(course, "street-sign")
    for text in ("5/odd", "4/even>5/odd", "3/odd>3/odd", "3/odd>3/even", "5/odd>5/even"):
        assert ruling_against(course.town, f"play street-sign {text}") == "E-5"
    play(course, "play street-sign 3/odd>4/even")
    assert course.town.tokens == {"3/even": 0, "4/odd": 0, "4/even": 0}
    assert tokens_left(course.town, 1) == 3
