"""The winter of the shipped roster (retirements, debuts, new ratings), and each of its parts."""

from __future__ import annotations

import datetime as dt
import os
import subprocess
import sys
from dataclasses import replace
from functools import cache
from hashlib import sha256
from itertools import product
from pathlib import Path
from statistics import fmean

import pytest

from corridas.engine import RANGES, Rules
from corridas.world.afternoons import SimulatedCorrida
from corridas.world.careers.circuit import Circuit
from corridas.world.roster import load
from corridas.world.winter import (
    STEP,
    VERSION,
    Alternativa,
    Career,
    HerdYear,
    NamesError,
    OpenDate,
    Outcome,
    Why,
    Year,
    draw_beginning,
    load_lore,
    winter,
)
from corridas.world.winter.ages import share
from corridas.world.winter.cards import SHADED, moved, new_card
from corridas.world.winter.form import HIGHEST, LOWEST, next_rating
from corridas.world.winter.leaving import comes_back, leaves, reasons
from corridas.world.winter.lore import key
from corridas.world.winter.turning import EARLY, by_seniority, expected, is_ready, merits
from fairness import Seed

ROOT = Path(__file__).parents[3]
SEEDS = [Seed(bytes([number]) * 32) for number in range(6)]


def career(slug: str = "joselito", **changes: object) -> Career:
    card = load_lore().cards["joselito"]
    man = Career(
        slug=slug,
        name=slug,
        country="ES",
        age=30,
        state="active",
        promise=98,
        seasons=10,
        card=replace(card, name=slug),
        counts={"corridas": 30, "bulls": 60, "ears": 26, "vueltas": 8},
    )
    return replace(man, **changes)  # type: ignore[arg-type]  # each test says what it changes


@cache
def year() -> Year:
    roster, careers = load(cards_version=2), []
    for place, matador in enumerate(roster.matadors):
        card = roster.cards[matador.slug]
        age, promise = draw_beginning(matador.slug, card.rating, SEEDS[0])
        counts = {"corridas": 27, "bulls": 54, "ears": 10 + place, "vueltas": 8, "avisos": 20}
        careers.append(
            career(matador.slug, age=age, promise=promise, seasons=1, card=card, counts=counts)
        )
    herds = [
        HerdYear(
            slug=herd.slug,
            country=herd.country,
            continent=herd.continent,
            renown=place,
            bulls=60,
            ears=20 + 7 * place % 30,
        )
        for place, herd in enumerate(roster.herds)
    ]
    plazas = tuple(plaza.slug for plaza in roster.plazas if plaza.category == 1)
    return Year(year=2026, careers=careers, herds=herds, plazas=plazas)


def test_different_seeds_give_different_winters() -> None:
    outcomes: list[Outcome] = [winter(year(), seed) for seed in SEEDS]
    assert len({repr(news) for news in outcomes}) == len(SEEDS)
    assert all(len(news.printed) > 25 and news.debuts and news.herds for news in outcomes)


def test_additional_matador_does_not_change_the_others() -> None:
    stranger = career("stranger", state="retired", counts={}, retired_for=9)
    without = winter(year(), SEEDS[0])
    with_him = winter(replace(year(), careers=[*year().careers, stranger]), SEEDS[0])
    assert repr(with_him) == repr(without)


def digest(version: int = 1) -> str:
    """Return a digest of a winter.

    The expected value below was calculated when the class `PrintedCard` was called `Printed`.
    """
    text = repr(winter(replace(year(), version=version), SEEDS[0]))
    return sha256(text.replace("PrintedCard(", "Printed(").encode()).hexdigest()


@pytest.mark.slow
def test_winter_does_not_depend_on_the_hash_seed() -> None:
    program = "from tests.corridas.world.test_winter import digest; print(digest())"
    found = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env=os.environ | {"PYTHONHASHSEED": "4242"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout.strip() == digest()


@pytest.mark.parametrize(
    ("version", "expected"),
    [
        (1, "1e3712bc0ced40a1860aa30d5ebba94ab7651508370e2810d416bceb6db405de"),
        (2, "4541b45dcbecb9556c6784655e485a15975da212829d2557ea5b6ac3b1156ff8"),
    ],
)
def test_winter_of_an_earlier_version_has_not_changed(version: int, expected: str) -> None:
    assert digest(version) == expected
    assert digest(version=3) not in (digest(1), digest(2))


# Calendar and alternativas, from version 2 on


def open_date(day: int, plaza: str = "acho", category: int = 1, country: str = "PE") -> OpenDate:
    return OpenDate(dt.date(2027, 3, day), plaza, category, country)


def novillero(slug: str = "nuevo", country: str = "ES", rating: int = 50) -> Career:
    card = replace(load_lore().cards["joselito"], name=slug, rating=rating, alternativa=None)
    return career(slug, state="novillero", country=country, age=20, seasons=3, counts={}, card=card)


def seniors(*ratings: int) -> list[Career]:
    """Return active matadors, the most senior first."""
    card = load_lore().cards["joselito"]
    return [
        career(
            f"senior-{number}",
            age=25,
            seasons=20 - number,
            promise=rating,
            card=replace(card, name=f"senior-{number}", rating=rating),
        )
        for number, rating in enumerate(ratings)
    ]


def made(men: list[Career], *calendar: OpenDate, seed: Seed = SEEDS[0]) -> list[Alternativa]:
    following = Year(year=2026, careers=men, herds=[], version=2, calendar=calendar)
    return list(winter(following, seed).alternativas)


def test_novillero_waits_without_a_corrida_or_two_older_matadors() -> None:
    assert made([novillero(), *seniors(90, 80)]) == []
    assert made([novillero(), *seniors(90)], open_date(1)) == []
    (one,) = made([novillero(), *seniors(90, 80)], open_date(1))
    assert (one.plaza, one.date) == ("acho", dt.date(2027, 3, 1))
    assert (one.padrino, one.testigo) == ("senior-0", "senior-1")


def test_alternativas_need_separate_corridas_and_days_to_travel() -> None:
    two, three = [novillero("a"), novillero("b")], [novillero(slug) for slug in "abc"]
    assert len(made([*two, *seniors(90, 80)], open_date(1))) == 1
    assert len(made([*two, *seniors(90, 80)], open_date(1), open_date(4))) == 1
    assert len(made([*two, *seniors(90, 80)], open_date(1), open_date(5))) == 2
    found = made(
        [*three, *seniors(90, 80, 85, 88)], open_date(1), open_date(1, "quito"), open_date(2)
    )
    assert len(found) == 2
    assert len({who for one in found for who in (one.padrino, one.testigo)}) == 4


def test_alternativa_is_in_the_best_category_and_his_own_country() -> None:
    men = seniors(90, 80)
    days = [
        open_date(1, "pueblo", 3),
        open_date(2, "quito", 2, "EC"),
        open_date(3, "quito", 2, "EC"),
    ]
    assert {made([novillero(), *men], *days, seed=seed)[0].plaza for seed in SEEDS} == {"quito"}
    days += [open_date(9, "nimes", 2, "FR")]
    (one,) = made([novillero(country="FR"), *men], *days)
    assert one.plaza == "nimes"
    many = [open_date(1, f"quito-{number}") for number in range(EARLY)]
    (one,) = made([novillero(country="FR"), *men], *many, open_date(9, "nimes", 1, "FR"))
    assert one.plaza != "nimes"


def test_padrino_and_testigo_have_appeared_if_possible() -> None:
    men = seniors(40, 90, 41, 80)
    for seed in SEEDS:
        (one,) = made([novillero(rating=60), *men], open_date(1), seed=seed)
        assert (one.padrino, one.testigo) == ("senior-1", "senior-3")
    (one,) = made([novillero(rating=60), *seniors(40, 90)], open_date(1))
    assert (one.padrino, one.testigo) == ("senior-0", "senior-1")


@pytest.mark.slow
def test_alternativas_of_seven_seasons_take_place_in_corridas(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In seven seasons without a database, all three matadors are on the cartel of the
    ceremony, and the new matador never fights before it.
    """
    circuit = Circuit(load(cards_version=VERSION), Rules(), 2026, SEEDS[1])
    held: dict[tuple[str, dt.date], list[str]] = {}
    send = circuit._send_bulls

    def note(afternoon: SimulatedCorrida, seed: Seed) -> None:
        key = (afternoon.plaza.slug, afternoon.corrida.date)
        held[key] = [man.slug for man in afternoon.order]
        send(afternoon, seed)

    monkeypatch.setattr(circuit, "_send_bulls", note)
    taken = replaced = 0
    for year in range(2026, 2033):
        agreed = circuit.alternativas
        careers = {slug: (life.seasons, life.card) for slug, life in circuit.lives.items()}
        circuit.play(year)
        for one in agreed:
            cartel = held[one.plaza, one.date]
            assert cartel[2] == one.slug or replaced
            assert one.slug in cartel
            assert min(day for (_, day), men in held.items() if one.slug in men) == one.date
            replaced += len({one.padrino, one.testigo} - set(cartel))
            padrino, testigo = careers[one.padrino], careers[one.testigo]
            assert padrino[0] >= testigo[0] >= 0 == careers[one.slug][0]
            assert testigo[0] or (testigo[1].alternativa or dt.date.max) < one.date
        taken += len(agreed)
    assert taken > 8
    assert replaced < taken  # by injured matadors


def test_winter_of_an_empty_circuit_has_novilleros() -> None:
    news = winter(Year(year=2026, careers=[], herds=[]), SEEDS[0])
    assert len(news.debuts) >= 3
    assert replace(news, debuts=()) == Outcome()


def test_too_few_invented_names_are_an_error() -> None:
    lore = load_lore()
    few = [name for name in lore.names if name.name in ("Adrián", "Alarcón")]
    places = tuple(place for place in lore.places if place.country == "ES")
    with pytest.raises(NamesError, match="no name of ES"):
        winter(year(), SEEDS[0], replace(lore, names=tuple(few), places=places))


# cards


@pytest.mark.slow
def test_version_2_changes_the_card_whenever_the_rating_changes() -> None:
    for card in load_lore().cards.values():
        there = {rating: moved(card, rating, version=2) for rating in range(LOWEST, HIGHEST + 1)}
        ranges = {rating: card.ranges() for rating, card in there.items()}
        for rating, more in product(there, range(1, STEP + 1)):
            if rating + more in there:
                assert ranges[rating] != ranges[rating + more], (card.name, rating, more)


def test_version_2_card_is_unchanged_after_rating_goes_up_and_down() -> None:
    """Cards with a verdict range of fewer than four numbers are left out: such a range may lose
    a number to its neighbour for good.
    """
    for card in load_lore().cards.values():
        if min(getattr(card, name).size for name in SHADED) < 4:
            continue
        for rating in range(LOWEST, HIGHEST + 1, 7):
            assert moved(moved(card, rating, version=2), card.rating, version=2) == card


def test_card_is_unchanged_after_its_rating_goes_up_and_down() -> None:
    for card in load_lore().cards.values():
        for rating in (LOWEST, 50, 77, HIGHEST):
            assert moved(moved(card, rating), card.rating) == card


@pytest.mark.slow
def test_card_of_a_higher_rating_has_better_results() -> None:
    for card in load_lore().cards.values():
        worth = [expected(moved(card, rating)) for rating in range(LOWEST, HIGHEST + 1)]
        assert worth == sorted(worth)
        assert worth[0] < worth[-1] < 1.35 * worth[0]


@pytest.mark.slow
@pytest.mark.parametrize("style", sorted(set(load_lore().styles)))
def test_new_cards_have_the_mean_ranges_of_their_style(style: str) -> None:
    masters = load_lore().masters(style)
    rating = round(fmean(card.rating for card in masters))
    new = [
        new_card(masters, "New", rating, SEEDS[0].chance(f"{style}/{number}"))
        for number in range(250)
    ]
    assert len({repr(card) for card in new}) > 200
    for name in RANGES:
        shipped = fmean(getattr(card, name).size for card in masters)
        assert fmean(getattr(card, name).size for card in new) == pytest.approx(shipped, abs=1.5)


# ratings


def test_share_of_the_potential_rises_and_falls_with_age() -> None:
    shares = [share(age) for age in range(10, 80)]
    top = shares.index(100)
    assert shares[: top + 1] == sorted(shares[: top + 1])
    assert shares[top:] == sorted(shares[top:], reverse=True)
    assert [share(age) for age in (17, 28, 33, 34, 45, 46, 79)] == [67, 100, 100, 99, 73, 70, 40]


def ratings(man: Career, merit: int = 0) -> list[int]:
    return [next_rating(man, merit, Seed(bytes([n]) * 32)) for n in range(200)]


def test_form_and_injuries_change_a_rating_by_limited_amounts() -> None:
    man = career(card=replace(career().card, rating=80), promise=80)
    assert fmean(ratings(man)) == pytest.approx(80, abs=0.3)
    assert fmean(ratings(man, 300)) == pytest.approx(84.5, abs=0.3)
    assert fmean(ratings(man, -300)) == pytest.approx(75.5, abs=0.3)
    assert fmean(ratings(replace(man, hurt_days=130))) == pytest.approx(78, abs=0.3)
    risen = replace(man, card=replace(man.card, rating=88))
    assert fmean(ratings(risen)) == pytest.approx(86, abs=0.3)
    fallen = replace(man, card=replace(man.card, rating=20))
    assert max(ratings(fallen, 300)) == 20 + STEP


def test_merit_compares_a_matador_with_others_of_similar_rating() -> None:
    field = [
        career(f"man-{n}", card=replace(career().card, name=f"man-{n}", rating=60 + n))
        for n in range(20)
    ]
    assert set(merits(field).values()) == {0}
    great = replace(field[10], counts={**field[10].counts, "ears": 46})
    found = merits([*field[:10], great, *field[11:]])
    assert 100 < found.pop("man-10") <= 300
    assert all(-100 < merit <= 0 for merit in found.values())
    idle = [replace(man, counts={}) for man in field]
    assert set(merits(idle).values()) == {0}


# Retirements and comebacks


@pytest.mark.parametrize(
    ("man", "why"),
    [
        (career(age=40, card=replace(career().card, rating=70), promise=70), Why.AGE),
        (career(age=28, hurt_days=200, card=replace(career().card, rating=70)), Why.INJURIES),
        (career(age=28, counts={"corridas": 3}, promise=60), Why.CONTRACTS),
        (career(age=30, card=replace(career().card, rating=50)), Why.DECLINE),
        (career(age=31), Why.HEIGHT),
    ],
)
def test_main_reason_to_retire_depends_on_the_career(man: Career, why: Why) -> None:
    found = reasons(man, 25)
    assert max(found, key=lambda each: found[each]) is why


def test_probabilities_of_retirement_by_age_and_success() -> None:
    seeds = [Seed(bytes([n, m]) * 16) for n in range(40) for m in range(25)]
    young = career(age=22, seasons=1, counts={}, card=replace(career().card, rating=55))
    assert not any(leaves(young, 25, seed) for seed in seeds)
    assert all(leaves(career(age=54), 25, seed) is Why.AGE for seed in seeds[:50])
    height = sum(leaves(career(age=31), 25, seed) is not None for seed in seeds)
    assert 0 <= height < 20
    gone = career(state="retired", retired_for=1, age=35)
    assert 60 < sum(comes_back(gone, seed) for seed in seeds) < 140
    for never in (replace(gone, retired_for=4), replace(gone, age=45)):
        assert not any(comes_back(never, seed) for seed in seeds)


# alternativas


def test_novillero_waits_three_seasons_at_most() -> None:
    novice = career(state="novillero", age=20, card=replace(career().card, rating=50))
    ready = {
        waited: sum(is_ready(replace(novice, seasons=waited), seed) for seed in SEEDS * 1)
        for waited in (1, 2, 3)
    }
    assert ready[1] <= ready[2] <= ready[3] == len(SEEDS)
    assert not any(is_ready(replace(novice, age=16, seasons=3), seed) for seed in SEEDS)
    gifted = replace(novice, seasons=1, card=replace(novice.card, rating=70))
    assert all(is_ready(gifted, seed) for seed in SEEDS)


def test_seniority_is_by_seasons_and_then_by_date() -> None:
    cards = load_lore().cards
    old = career("lagartijo", seasons=1, card=cards["lagartijo"])
    late = career("manolete", seasons=1, card=cards["manolete"])
    unknown = career("bombita", seasons=1, card=cards["bombita"])
    many = career("alfredo-leal", seasons=2, card=cards["alfredo-leal"])
    assert by_seniority([unknown, late, old, many]) == [many, old, late, unknown]


# names


def test_every_country_has_enough_invented_names() -> None:
    lore = load_lore()
    for country in dict.fromkeys(place.country for place in lore.places):
        given = lore.by_kind[country, "given"]
        surnames = lore.by_kind[country, "surname"]
        assert len(given) * len(surnames) > 1000, country
        assert lore.by_kind[country, "apodo"], country


def test_invented_apodos_are_not_those_of_real_matadors() -> None:
    lore = load_lore()
    apodos = {key(name.name) for name in lore.names if name.kind == "apodo"}
    assert not apodos & lore.never
    assert {key("José Gómez"), key("Joselito"), key("Enrique Ponce")} <= lore.never
    assert key("Ñíguez  d'Órs") == "niguez-d-ors"
