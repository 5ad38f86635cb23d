"""Invented rosters: complete, the same for a seed, and without names of real people."""

from __future__ import annotations

import datetime as dt
from functools import cache
from hashlib import sha256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corridas.engine import Range
from corridas.world.inventing import Invention, invent
from corridas.world.roster import DATA, Roster, load
from corridas.world.winter import load_lore
from corridas.world.winter.ladder import PIVOT, climbed, widened
from corridas.world.winter.lore import key
from fairness import Seed
from tests.properties import examples

YEAR = 2027
FIRST_MEN = ["lorenzo-valverde", "mauricio-lozada-iturbe", "arnulfo-cuellar"]
FIRST_HERDS = ["valdivia-valverde", "viuda-de-bohorquez", "herederos-de-espino-quiroga"]


@cache
def tables() -> Roster:
    return load(DATA)


def invented(number: int, year: int = YEAR) -> Invention:
    seed = Seed(number.to_bytes(32, "big"))
    return invent(tables(), load_lore(), seed, year)


def test_same_seed_gives_the_same_roster() -> None:
    assert invented(1) == invented(1)
    one, two = invented(1).roster, invented(2).roster
    assert {man.name for man in one.matadors} != {man.name for man in two.matadors}
    assert {herd.name for herd in one.herds} != {herd.name for herd in two.herds}


def test_first_seed_gives_the_same_roster_in_every_release() -> None:
    roster = invented(0).roster
    assert [man.slug for man in roster.matadors[:3]] == FIRST_MEN
    assert [herd.slug for herd in roster.herds[:3]] == FIRST_HERDS


def digest(number: int, version: int = 1) -> str:
    seed = Seed(number.to_bytes(32, "big"))
    invention = invent(tables(), load_lore(version=version), seed, YEAR, version=version)
    roster = invention.roster
    men = (roster.matadors, roster.cards, roster.herds, invention.beginnings)
    return sha256(repr(men).encode()).hexdigest()


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (0, "1ea1ab79a9c11e9091ce7095722dc23e85394ea7352b84bdbea2bc1d5c49ceda"),
        (1, "80a42cfb7a0e9752e0bc89575f3cd8157d3947c6839c999b93ebc0d7dd50f70d"),
        (2, "4b5a92bf25c91096982d7c671b71550baf3b3ccdbe3037f48ebc68b185d316dc"),
    ],
)
def test_public_words_of_versions_1_and_2_give_the_same_roster_as_ever(
    number: int, expected: str
) -> None:
    assert digest(number) == digest(number, version=2) == expected


def test_version_3_invents_the_same_people_with_other_cards() -> None:
    seed = Seed(bytes(32))
    old = invent(tables(), load_lore(), seed, YEAR)
    new = invent(tables(), load_lore(version=3), seed, YEAR, version=3)
    assert new.roster.matadors == old.roster.matadors
    assert new.beginnings == old.beginnings
    for slug, card in new.roster.cards.items():
        assert card.rating == old.roster.cards[slug].rating
        assert widened(climbed(card, PIVOT)) == climbed(card, PIVOT)
    assert new.roster.cards != old.roster.cards


@pytest.mark.slow
@settings(max_examples=examples(12))
@given(st.integers(0, 2**64), st.integers(1900, 2500))
def test_invented_roster_is_complete_and_has_no_real_names(number: int, year: int) -> None:
    invention = invented(number, year)
    roster, shipped = invention.roster, tables()
    slugs = [man.slug for man in roster.matadors]
    assert len({*slugs}) == len(shipped.matadors)
    assert {*roster.cards} == {*slugs} == {*invention.beginnings}
    ratings = sorted(card.rating for card in roster.cards.values())
    assert ratings == sorted(card.rating for card in shipped.cards.values())
    for man in roster.matadors:
        assert key(man.name) not in load_lore().never
        assert man.alternativa_date is not None
        assert man.alternativa_date < dt.date(year, 1, 1)
        age = year - int(man.born)
        assert age == invention.beginnings[man.slug].age
        assert man.alternativa_date.year - int(man.born) >= 18
    houses = [herd.slug for herd in roster.herds]
    assert len({*houses}) == len(shipped.herds)
    assert not {*houses} & {herd.slug for herd in shipped.herds}


def test_invented_matador_cards_differ() -> None:
    cards = invented(3).roster.cards.values()
    assert len({(card.oreja, card.silencio, card.aviso) for card in cards}) > len(cards) / 2
    assert any(card.indulto != Range.parse("-") for card in cards)


@pytest.mark.slow
@pytest.mark.parametrize("country", ["ES", "MX", "PT", "FR"])
def test_invented_herds_have_the_countries_of_the_shipped_ones(country: str) -> None:
    def count(roster: Roster) -> int:
        return sum(herd.country == country for herd in roster.herds)

    assert count(invented(4).roster) == count(tables())
