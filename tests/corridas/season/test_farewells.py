"""Why matadors retire: with age and figures, and never twice in the same words."""

from __future__ import annotations

import itertools
import re

import pytest
from django.utils import translation

from corridas.season.farewells import CLOSINGS, DOUBTS, OPENINGS, doubts, farewells, usual
from corridas.simulation.winter_queries import Won
from corridas.world.roster import load_cards
from corridas.world.winter import Career
from corridas.world.winter.outcome import Why

WON = Won(seasons=9, corridas=311, ears=205, tails=7)


def career(slug: str, age: int = 41, **fields: object) -> Career:
    usual: dict[str, object] = {
        "name": slug,
        "country": "ES",
        "state": "active",
        "promise": 70,
        "seasons": 9,
        "card": next(iter(load_cards().values())),
        "counts": {"corridas": 23, "ears": 17},
    }
    return Career(slug=slug, age=age, **(usual | fields))  # type: ignore[arg-type]


@pytest.mark.parametrize("language", ["en", "es", "en-velvet", "es-velvet"])
@pytest.mark.parametrize("why", list(Why))
def test_no_two_read_the_same(why: Why, language: str) -> None:
    """Not even with the same figures, as long as the pairs of sentences last."""
    number = len(OPENINGS[why]) * len(CLOSINGS)
    leaving = [(career(f"matador-{n}"), why, WON) for n in range(number)]
    with translation.override(language):
        said = farewells(leaving, 20, 2027)
    assert len(set(said.values())) == number == 12
    for farewell in said.values():
        assert "41" in farewell.why
        assert "205" in farewell.leaves
        assert "%" not in farewell.why + farewell.leaves


@pytest.mark.parametrize("language", ["en", "es"])
def test_trophies_that_he_has_none_of_are_not_named(language: str) -> None:
    words = {"en": r"\b(ears?|tails?)\b", "es": r"\b(orejas?|rabos?)\b"}[language]
    bare = career("bare", 48, counts={"corridas": 23})
    nothing = WON._replace(ears=0, tails=0)

    def told(why: Why, turn: int, man: Career, won: Won) -> str:
        before = [(career(str(n)), why, WON) for n in range(turn)]
        return " ".join(farewells([*before, (man, why, won)], 20, 2027)[man.slug])

    with translation.override(language):
        for why, turn in itertools.product(Why, range(3)):
            assert re.search(words, told(why, turn, career("a"), WON))
            assert not re.search(words, told(why, turn, bare, nothing))
            assert "311" in told(why, turn, bare, nothing)
        (doubt,) = doubts([bare], 20, least=1, most=9)
        assert "48" in doubt.words
        assert not re.search(words, doubt.words)


@pytest.mark.parametrize("tails", [2, 1, 0])
def test_tails_are_named_beside_ears_if_there_are_any(tails: int) -> None:
    leaving = [(career(str(n)), Why.AGE, WON._replace(tails=tails)) for n in range(3)]
    leaves = [farewell.leaves for farewell in farewells(leaving, 20, 2027).values()]
    assert all("205 ears" in text for text in leaves)
    named = {2: "2 tails ", 1: "1 tail ", 0: "tail"}[tails]
    assert any(named in text for text in leaves) == bool(tails)


def test_without_totals_only_the_reason_is_given() -> None:
    (farewell,) = farewells([(career("a"), Why.AGE, None)], 20, 2027).values()
    assert farewell.why
    assert not farewell.leaves


def test_every_reason_but_the_top_can_be_a_doubt() -> None:
    assert set(DOUBTS) == set(Why) - {Why.HEIGHT}


def test_the_likeliest_come_first_and_the_young_are_left_out() -> None:
    men = [career("young", 25), career("old", 45), career("older", 52), career("past", 30)]
    lines = doubts(men, 20, least=60, most=9)
    assert [line.career.slug for line in lines] == ["older", "old"]
    assert [line.career.slug for line in doubts(men, 20, least=60, most=1)] == ["older"]


@pytest.mark.parametrize(
    ("man", "why"),
    [
        (career("a", 26, counts={"corridas": 1}), Why.CONTRACTS),
        (career("a", 30, hurt_days=200, counts={"corridas": 30}), Why.INJURIES),
        (career("a", 48), Why.AGE),
    ],
)
def test_a_doubt_is_told_with_its_greatest_reason(man: Career, why: Why) -> None:
    (line,) = doubts([man], 20, least=1, most=9)
    openings = [str(text).partition("%")[0] for text in DOUBTS[why]]
    assert any(line.words.startswith(opening) for opening in openings[:1])


def test_novilleros_and_the_retired_do_not_count() -> None:
    men = [career("a"), career("b", state="retired"), career("c", state="novillero", counts={})]
    assert usual(men) == 23
    assert len(doubts([career("b", 54, state="retired")], 20, least=1, most=9)) == 0
