"""The tables as they are shipped."""

from __future__ import annotations

import itertools
from collections import Counter
from datetime import date

import pytest

from corridas.engine import Kind
from corridas.world import roster
from corridas.world.calendar import dates

TABLES = roster.load()
PLAZAS = {plaza.slug: plaza for plaza in TABLES.plazas}


def test_how_many() -> None:
    assert len(TABLES.deck.cards) == 70
    assert len(TABLES.matadors) == len(TABLES.cards) == 50
    assert len(TABLES.plazas) == 63
    assert len(TABLES.herds) >= 40
    assert len(TABLES.bull_names) >= 150
    assert len(TABLES.glossary) >= 80


def test_same_words_same_kill_modifier() -> None:
    modifiers: dict[str, set[int]] = {}
    for card in TABLES.deck.cards:
        modifiers.setdefault(card.kill.name, set()).add(card.kill.modifier)
    assert all(len(found) == 1 for found in modifiers.values())


def test_readings_are_in_capitals_and_varied() -> None:
    for column in ("first", "second", "third", "bull"):
        names = [getattr(card, column).name for card in TABLES.deck.cards]
        assert all(name == name.upper() for name in names)
        assert len(dict.fromkeys(names)) >= 15


def test_every_card_answers_for_the_bull_at_most_once() -> None:
    for card in TABLES.deck.cards:
        kinds = [card.first.kind, card.second.kind, card.third.kind]
        assert kinds.count(Kind.BULL) <= 1


def test_no_two_cards_are_alike() -> None:
    faces = [tuple(card.ranges().values()) for card in TABLES.cards.values()]
    assert len(dict.fromkeys(faces)) == 50


def test_order_of_appearance_is_never_a_tie_of_ratings() -> None:
    ratings = [card.rating for card in TABLES.cards.values()]
    assert len(dict.fromkeys(ratings)) == 50
    assert len(dict.fromkeys(card.appearance for card in TABLES.cards.values())) == 50


@pytest.mark.parametrize(
    ("better", "worse", "ranges"),
    [
        ("artist", "cold", ("dos_orejas", "rabo", "bronca")),
        ("swordsman", "reckless", ("oreja",)),
        ("showman", "dominator", ("vuelta",)),
        ("cold", "stylist", ("silencio",)),
        ("stylist", "swordsman", ("ovacion",)),
    ],
)
def test_styles_differ_in_what_they_win(better: str, worse: str, ranges: tuple[str, ...]) -> None:
    for name in ranges:
        assert _mean(better, name) > _mean(worse, name)


def test_the_swordsman_is_warned_least_and_the_artist_most() -> None:
    means = {style: _mean(style, "aviso") for style in _styles()}
    assert min(means, key=lambda style: means[style]) == "swordsman"
    assert max(means, key=lambda style: means[style]) == "artist"


def _styles() -> dict[str, None]:
    return dict.fromkeys(matador.style for matador in TABLES.matadors)


def _mean(style: str, name: str) -> float:
    slugs = [matador.slug for matador in TABLES.matadors if matador.style == style]
    sizes: list[int] = [getattr(TABLES.cards[slug], name).size for slug in slugs]
    return sum(sizes) / len(slugs)


def test_dead_matadors_only_with_dates_that_were_read() -> None:
    known = {matador.slug: matador for matador in TABLES.matadors}
    assert known["manolete"].alternativa == "1939-07-02"
    assert known["juan-belmonte"].alternativa == "1913"  # sources differ about the month
    assert known["juan-belmonte"].alternativa_date is None
    assert known["joselito"].born == ""
    assert TABLES.cards["manolete"].alternativa == date(1939, 7, 2)
    assert TABLES.cards["manolete"].name == "Manolete"


def test_first_category_rings_of_spain() -> None:
    cities = {
        plaza.city for plaza in TABLES.plazas if plaza.country == "ES" and plaza.category == 1
    }
    assert cities == {
        *("Madrid", "Sevilla", "Valencia", "Zaragoza", "Bilbao", "San Sebastián"),
        *("Córdoba", "Málaga", "Pamplona"),
    }


@pytest.mark.parametrize("year", range(2000, 2060))
def test_a_year_of_about_450_corridas(year: int) -> None:
    planned = dates(TABLES.ferias, year)
    assert 440 <= len(planned) <= 460
    assert len(dict.fromkeys((corrida.plaza, corrida.date) for corrida in planned)) == len(planned)
    assert dict.fromkeys(corrida.plaza for corrida in planned).keys() == PLAZAS.keys()
    assert all(corrida.date.year == year for corrida in planned)


@pytest.mark.parametrize("year", [2024, 2026, 2038])
def test_summer_is_full_and_the_winter_american(year: int) -> None:
    planned = dates(TABLES.ferias, year)
    months = Counter(corrida.date.month for corrida in planned)
    assert months.most_common(1)[0][0] == 8
    for corrida in planned:
        if corrida.date.month in (1, 11, 12):
            assert PLAZAS[corrida.plaza].continent == "AM"


@pytest.mark.parametrize("year", range(2000, 2060))
def test_no_day_asks_for_more_matadors_than_there_are(year: int) -> None:
    planned = dates(TABLES.ferias, year)
    days = [
        len(list(corridas)) for _, corridas in itertools.groupby(planned, lambda found: found.date)
    ]
    assert 3 * max(days) <= len(TABLES.matadors) - 14


def test_weights_are_within_the_law() -> None:
    for category, minimum in roster.LEGAL_MINIMUM.items():
        weights = TABLES.weights[category]
        assert minimum <= weights.minimum <= weights.low < weights.high


def test_every_word_on_the_cards_is_explained() -> None:
    explained = {term.term for term in TABLES.glossary}
    for card in TABLES.deck.cards:
        for reading in (card.first, card.second, card.third, card.bull, card.kill):
            assert reading.name.lower() in explained
