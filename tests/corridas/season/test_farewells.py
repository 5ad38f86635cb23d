"""The reasons for which matadors retire: with age and totals, and never twice in the same words."""

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


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "es", "en-velvet", "es-velvet"])
@pytest.mark.parametrize("why", list(Why))
def test_no_two_farewells_have_the_same_text(why: Why, language: str) -> None:
    """Not even matadors with the same totals get the same text, until all pairs of sentences are
    used.
    """
    number = len(OPENINGS[why]) * len(CLOSINGS)
    leaving = [(career(f"matador-{n}"), why, WON) for n in range(number)]
    with translation.override(language):
        said = farewells(leaving, 20, 2027)
    assert len(set(said.values())) == number == 12
    for farewell in said.values():
        assert "41" in farewell.why
        assert "205" in farewell.leaves
        assert "%" not in farewell.why + farewell.leaves


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "es"])
def test_farewells_do_not_mention_trophies_that_the_matador_never_won(language: str) -> None:
    words = {"en": r"\b(ears?|tails?)\b", "es": r"\b(orejas?|rabos?)\b"}[language]
    bare = career("bare", 48, counts={"corridas": 23})
    nothing = WON._replace(ears=0, tails=0)

    def farewell_text(why: Why, turn: int, man: Career, won: Won) -> str:
        before = [(career(str(n)), why, WON) for n in range(turn)]
        return " ".join(farewells([*before, (man, why, won)], 20, 2027)[man.slug])

    with translation.override(language):
        for why, turn in itertools.product(Why, range(3)):
            assert re.search(words, farewell_text(why, turn, career("a"), WON))
            assert not re.search(words, farewell_text(why, turn, bare, nothing))
            assert "311" in farewell_text(why, turn, bare, nothing)
        (doubt,) = doubts([bare], 20, least=1, most=9)
        assert "48" in doubt.words
        assert not re.search(words, doubt.words)


@pytest.mark.parametrize("tails", [2, 1, 0])
def test_farewells_mention_tails_besides_ears_if_there_are_any(tails: int) -> None:
    leaving = [(career(str(n)), Why.AGE, WON._replace(tails=tails)) for n in range(3)]
    leaves = [farewell.leaves for farewell in farewells(leaving, 20, 2027).values()]
    assert all("205 ears" in text for text in leaves)
    named = {2: "2 tails ", 1: "1 tail ", 0: "tail"}[tails]
    assert any(named in text for text in leaves) == bool(tails)


def test_a_farewell_without_career_totals_gives_only_the_reason() -> None:
    (farewell,) = farewells([(career("a"), Why.AGE, None)], 20, 2027).values()
    assert farewell.why
    assert not farewell.leaves


def test_every_reason_except_retiring_at_the_top_is_predicted_as_a_doubt() -> None:
    assert set(DOUBTS) == set(Why) - {Why.HEIGHT}


def test_doubtful_matadors_are_sorted_by_probability_and_young_ones_left_out() -> None:
    men = [career("young", 25), career("old", 45), career("older", 52), career("past", 30)]
    lines = doubts(men, 20, least=60, most=9)
    assert [line.career.slug for line in lines] == ["older", "old"]
    assert [line.career.slug for line in doubts(men, 20, least=60, most=1)] == ["older"]


def test_matadors_who_are_doubtful_for_the_same_reason_get_different_sentences() -> None:
    """The first sentence is used again only when all of them were used."""
    number = len(DOUBTS[Why.AGE])
    words = [
        line.words
        for line in doubts([career(f"{n}", 48) for n in range(number + 1)], 20, least=1, most=99)
    ]
    assert len(set(words[:number])) == number
    assert words[number] == words[0]


@pytest.mark.parametrize(
    ("man", "why"),
    [
        (career("a", 26, counts={"corridas": 1}), Why.CONTRACTS),
        (career("a", 30, hurt_days=200, counts={"corridas": 30}), Why.INJURIES),
        (career("a", 48), Why.AGE),
    ],
)
def test_a_doubt_is_explained_by_its_strongest_reason(man: Career, why: Why) -> None:
    (line,) = doubts([man], 20, least=1, most=9)
    openings = [str(text).partition("%")[0] for text in DOUBTS[why]]
    assert any(line.words.startswith(opening) for opening in openings[:1])


def test_novilleros_and_retired_matadors_do_not_count_in_the_usual_corridas() -> None:
    men = [career("a"), career("b", state="retired"), career("c", state="novillero", counts={})]
    assert usual(men) == 23
    assert len(doubts([career("b", 54, state="retired")], 20, least=1, most=9)) == 0
