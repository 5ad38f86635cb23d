"""The shipped CSV data: deck, matadors, cards, plazas, herds, calendar and glossary."""

from __future__ import annotations

import itertools
import shutil
from collections import Counter
from datetime import date
from hashlib import sha256
from pathlib import Path

import pytest

from corridas.engine import Kind
from corridas.world import roster
from corridas.world.calendar import dates
from corridas.world.winter import load_lore
from corridas.world.winter.ladder import PIVOT, climbed, widened

TABLES = roster.load()
# Digest of the cards from which winters of versions 1 and 2 derive new matadors.
OLD_CARDS = "c2a30faa706a95664de3e12ac4874af86256cbad11f3d9477ce909c78c2449e8"
PLAZAS = {plaza.slug: plaza for plaza in TABLES.plazas}


def test_the_shipped_data_have_the_expected_numbers_of_rows() -> None:
    assert len(TABLES.deck.cards) == 70
    assert len(TABLES.matadors) == len(TABLES.cards) == 50
    assert len(TABLES.plazas) == 63
    assert len(TABLES.herds) >= 40
    assert len(TABLES.bull_names) >= 150
    assert len(TABLES.glossary) >= 80


def test_kill_entries_of_the_same_name_have_the_same_modifier() -> None:
    modifiers: dict[str, set[int]] = {}
    for card in TABLES.deck.cards:
        modifiers.setdefault(card.kill.name, set()).add(card.kill.modifier)
    assert all(len(found) == 1 for found in modifiers.values())


def test_names_on_the_cards_of_the_deck_are_uppercase_and_varied() -> None:
    for column in ("first", "second", "third", "bull"):
        names = [getattr(card, column).name for card in TABLES.deck.cards]
        assert all(name == name.upper() for name in names)
        assert len(dict.fromkeys(names)) >= 15


def test_every_card_of_the_deck_has_at_most_one_bull_entry() -> None:
    for card in TABLES.deck.cards:
        kinds = [card.first.kind, card.second.kind, card.third.kind]
        assert kinds.count(Kind.BULL) <= 1


def test_no_two_matador_cards_have_the_same_ranges() -> None:
    faces = [tuple(card.ranges().values()) for card in TABLES.cards.values()]
    assert len(dict.fromkeys(faces)) == 50


def test_no_two_matador_cards_have_the_same_rating() -> None:
    ratings = [card.rating for card in TABLES.cards.values()]
    assert len(dict.fromkeys(ratings)) == 50
    assert len(dict.fromkeys(card.appearance for card in TABLES.cards.values())) == 50


@pytest.mark.parametrize(
    ("better", "worse", "ranges"),
    [
        ("artist", "cold", ("dos_orejas", "rabo", "bronca")),
        ("swordsman", "reckless", ("oreja",)),
        ("showman", "dominator", ("vuelta",)),
        ("cold", "classic", ("silencio",)),
        ("stylist", "swordsman", ("ovacion",)),
    ],
)
def test_styles_of_matadors_differ_in_the_results_they_win(
    better: str, worse: str, ranges: tuple[str, ...]
) -> None:
    for name in ranges:
        assert _mean(better, name) > _mean(worse, name)


def test_swordsmen_get_the_fewest_avisos_and_artists_the_most() -> None:
    means = {style: _mean(style, "aviso") for style in _styles()}
    assert min(means, key=lambda style: means[style]) == "swordsman"
    assert max(means, key=lambda style: means[style]) == "artist"


def _styles() -> dict[str, None]:
    return dict.fromkeys(matador.style for matador in TABLES.matadors)


def _mean(style: str, name: str) -> float:
    """Return the mean width of a range, with every card at the same rating."""
    slugs = [matador.slug for matador in TABLES.matadors if matador.style == style]
    cards = [climbed(TABLES.cards[slug], PIVOT) for slug in slugs]
    sizes: list[int] = [getattr(card, name).size for card in cards]
    return sum(sizes) / len(slugs)


@pytest.mark.parametrize("slug", list(TABLES.cards))
def test_card_has_the_minimum_widths_of_the_ladder(slug: str) -> None:
    card = TABLES.cards[slug]
    at_pivot = climbed(card, PIVOT)
    assert widened(at_pivot) == at_pivot
    assert climbed(at_pivot, card.rating) == card


def test_cards_of_versions_1_and_2_have_not_changed() -> None:
    text = (roster.DATA / "cards_2.csv").read_bytes()
    assert sha256(text).hexdigest() == OLD_CARDS
    old = roster.load_cards(version=2)
    assert roster.load_cards(version=1) == old != TABLES.cards
    ratings = {slug: card.rating for slug, card in TABLES.cards.items()}
    assert {slug: card.rating for slug, card in old.items()} == ratings


def test_folder_without_old_cards_has_one_set_of_cards(tmp_path: Path) -> None:
    folder = shutil.copytree(roster.DATA, tmp_path / "data")
    (folder / "cards_2.csv").unlink()
    for version in (1, 2, 3):
        assert roster.load(folder, cards_version=version).cards == TABLES.cards
        assert load_lore(folder, version=version).cards == TABLES.cards
        bundled = roster.load_cards(version=version)
        assert load_lore(version=version).cards == bundled


def test_historical_dates_are_only_as_exact_as_their_sources() -> None:
    known = {matador.slug: matador for matador in TABLES.matadors}
    assert known["manolete"].alternativa == "1939-07-02"
    assert known["juan-belmonte"].alternativa == "1913"  # sources disagree about the month
    assert known["juan-belmonte"].alternativa_date is None
    assert known["joselito"].born == ""
    assert TABLES.cards["manolete"].alternativa == date(1939, 7, 2)
    assert TABLES.cards["manolete"].name == "Manolete"


def test_the_spanish_plazas_of_the_first_category_are_the_nine_real_ones() -> None:
    cities = {
        plaza.city for plaza in TABLES.plazas if plaza.country == "ES" and plaza.category == 1
    }
    assert cities == {
        *("Madrid", "Sevilla", "Valencia", "Zaragoza", "Bilbao", "San Sebastián"),
        *("Córdoba", "Málaga", "Pamplona"),
    }


@pytest.mark.parametrize("year", range(2000, 2060))
def test_the_shipped_calendar_has_about_450_corridas_a_year(year: int) -> None:
    planned = dates(TABLES.ferias, year)
    assert 440 <= len(planned) <= 460
    assert len(dict.fromkeys((corrida.plaza, corrida.date) for corrida in planned)) == len(planned)
    assert dict.fromkeys(corrida.plaza for corrida in planned).keys() == PLAZAS.keys()
    assert all(corrida.date.year == year for corrida in planned)


@pytest.mark.parametrize("year", [2024, 2026, 2038])
def test_august_is_the_busiest_month_and_winter_corridas_are_in_america(year: int) -> None:
    planned = dates(TABLES.ferias, year)
    months = Counter(corrida.date.month for corrida in planned)
    assert months.most_common(1)[0][0] == 8
    for corrida in planned:
        if corrida.date.month in (1, 11, 12):
            assert PLAZAS[corrida.plaza].continent == "AM"


@pytest.mark.parametrize("year", range(2000, 2060))
def test_no_day_of_the_calendar_needs_more_matadors_than_are_available(year: int) -> None:
    planned = dates(TABLES.ferias, year)
    days = [
        len(list(corridas)) for _, corridas in itertools.groupby(planned, lambda found: found.date)
    ]
    assert 3 * max(days) <= len(TABLES.matadors) - 14


def test_weights_of_bulls_respect_the_legal_minimum() -> None:
    for category, minimum in roster.LEGAL_MINIMUM.items():
        weights = TABLES.weights[category]
        assert minimum <= weights.minimum <= weights.low < weights.high


def test_every_term_on_the_cards_is_in_the_glossary() -> None:
    explained = {term.term for term in TABLES.glossary}
    for card in TABLES.deck.cards:
        for reading in (card.first, card.second, card.third, card.bull, card.kill):
            assert reading.name.lower() in explained
