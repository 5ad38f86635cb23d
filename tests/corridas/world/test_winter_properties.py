"""Properties of every winter, with any data of the year: legal cards and no contradictions."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from corridas.engine import COUNTERS, CROWD_RANGES, RANGES, TROPHY_RANGES, MatadorCard, Range
from corridas.world.winter import (
    STEP,
    Alternativa,
    Career,
    HerdYear,
    OpenDate,
    Outcome,
    Year,
    draw_beginning,
    load_lore,
    winter,
)
from corridas.world.winter.ages import due
from corridas.world.winter.cards import moved
from corridas.world.winter.lore import key
from corridas.world.winter.turning import FIRST_DAYS, PLACES, by_seniority
from fairness import Seed
from tests.properties import examples

COVERING = (*CROWD_RANGES, *TROPHY_RANGES)
EMPTY = Range(1, 0)
seeds = st.binary(min_size=32, max_size=32).map(Seed)
extents = st.one_of(
    st.just(EMPTY),
    st.tuples(st.integers(1, 100), st.integers(1, 100)).map(lambda ends: Range(*sorted(ends))),
)


@st.composite
def cards(draw: st.DrawFn) -> MatadorCard:
    """Generate any card that the engine accepts, its ranges in any order and some of them empty."""
    cuts = sorted(draw(st.lists(st.integers(0, 100), min_size=8, max_size=8)))
    ends = [*cuts, 100]
    ranges: dict[str, Any] = {}
    begin = 0
    for name, end in zip(draw(st.permutations(COVERING)), ends, strict=True):
        ranges[name] = Range(begin + 1, end) if end > begin else EMPTY
        begin = end
    for name in ("vuelta", "aviso", "indulto"):
        ranges[name] = draw(extents)
    day = draw(st.none() | st.dates(dt.date(1840, 1, 1), dt.date(2030, 1, 1)))
    return MatadorCard(name="Nobody", rating=draw(st.integers(1, 100)), alternativa=day, **ranges)


@st.composite
def men(draw: st.DrawFn, number: int) -> Career:
    state = draw(st.sampled_from(["active", "active", "active", "novillero", "retired"]))
    counters = ("corridas", *COUNTERS, "injuries")
    numbers = draw(st.lists(st.integers(0, 120), min_size=len(counters), max_size=len(counters)))
    card = draw(cards())
    return Career(
        slug=f"man-{number}",
        name=f"Man {number}",
        country="ES",
        age=draw(st.integers(15, 60)),
        state=state,  # type: ignore[arg-type]  # drawn from its three values
        promise=draw(st.integers(1, 100)),
        seasons=draw(st.integers(0, 30)),
        card=replace(card, name=f"Man {number}"),
        retired_for=draw(st.integers(1, 5)) if state == "retired" else 0,
        counts=dict(zip(counters, numbers, strict=True)) if state == "active" else {},
        hurt_days=draw(st.integers(0, 200)),
    )


@st.composite
def herds(draw: st.DrawFn, number: int) -> HerdYear:
    small = st.integers(0, 90)
    return HerdYear(
        slug=f"herd-{number}",
        country="ES",
        continent="EU",
        renown=number,
        bulls=draw(small),
        ears=draw(small),
        indultos=draw(small),
        vueltas=draw(small),
        three_avisos=draw(small),
    )


@st.composite
def years(draw: st.DrawFn) -> Year:
    count = draw(st.integers(0, 14))
    return Year(
        year=draw(st.integers(2000, 2200)),
        careers=[draw(men(number)) for number in range(count)],
        herds=[draw(herds(number)) for number in range(draw(st.integers(0, 12)))],
        taken=draw(st.lists(st.sampled_from(["Diego Lozano", "diego-lozano", "El Sereno"]))),
        plazas=draw(st.lists(st.sampled_from(["las-ventas", "acho"]), unique=True)),
        version=draw(st.sampled_from([1, 2, 3])),
        calendar=draw(st.lists(open_dates, max_size=12, unique=True)),
    )


open_dates = st.builds(
    OpenDate,
    date=st.dates(dt.date(2201, 1, 1), dt.date(2201, 1, 20)),
    plaza=st.sampled_from(["las-ventas", "acho", "nimes"]),
    category=st.integers(1, 3),
    country=st.sampled_from(["ES", "PE", "FR"]),
)


hold = settings(max_examples=examples(40), suppress_health_check=[HealthCheck.too_slow])


def states(year: Year, state: str) -> dict[str, Career]:
    return {man.slug: man for man in year.careers if man.state == state}


def career_of(one: Alternativa) -> Career:
    """Return the career of a matador who has just taken the alternativa."""
    card = replace(load_lore().cards["joselito"], alternativa=one.date)
    return Career(
        slug=one.slug, name="", country="", age=20, state="active", promise=1, seasons=0, card=card
    )


def sizes(card: MatadorCard) -> list[int]:
    return [getattr(card, name).size for name in COVERING]


@pytest.mark.slow
@hold
@given(years(), seeds)
def test_new_cards_are_legal_and_ratings_change_by_limited_steps(year: Year, seed: Seed) -> None:
    careers = {man.slug: man for man in year.careers}
    for news in winter(year, seed).printed:
        old = careers[news.slug].card
        assert news.before == old.rating
        assert abs(news.card.rating - old.rating) <= STEP
        assert 1 <= news.card.rating <= 100
        assert news.card.name == old.name
        for name in RANGES:  # as the tables write and read them
            assert Range.parse(str(getattr(news.card, name))) == getattr(news.card, name)
        assert all(
            abs(new - before) <= year.version + 1
            for new, before in zip(sizes(news.card), sizes(old), strict=True)
        )


@pytest.mark.slow
@hold
@given(years(), seeds)
def test_no_matador_has_two_contradictory_changes(year: Year, seed: Seed) -> None:
    news = winter(year, seed)
    gone = {one.slug for one in news.retired}
    assert gone <= set(states(year, "active"))
    assert {one.slug for one in news.returned} <= set(states(year, "retired"))
    back = {one.slug for one in news.returned}
    printed = {one.slug for one in news.printed}
    still = set(states(year, "retired")) - back
    assert not printed & (gone | still)
    assert {one.slug for one in news.alternativas} <= set(states(year, "novillero"))
    for kind in (news.printed, news.retired, news.returned, news.alternativas, news.debuts):
        slugs = [one.slug for one in kind]
        assert len(slugs) == len(set(slugs))


@pytest.mark.slow
@hold
@given(years(), seeds)
def test_padrino_and_testigo_are_active_and_more_senior(year: Year, seed: Seed) -> None:
    news = winter(year, seed)
    gone = {one.slug for one in news.retired}
    active = set(states(year, "active")) - gone | {one.slug for one in news.returned}
    careers = {man.slug: man for man in year.careers}
    made = {one.slug: one for one in news.alternativas}
    for one in news.alternativas:
        assert len({one.slug, one.padrino, one.testigo}) == 3
        assert {one.padrino, one.testigo} <= active
        assert careers[one.padrino].seasons >= careers[one.testigo].seasons
        if year.version == 1:
            assert one.plaza in year.plazas or (not one.plaza and not year.plazas)
            assert dt.date(year.year + 1, 1, 1) <= one.date <= dt.date(year.year + 1, 1, FIRST_DAYS)
        else:
            assert (one.date, one.plaza) in {held[:2] for held in year.calendar}
            assert by_seniority([careers[one.testigo], career_of(one)])[1].slug == one.slug
    if year.version > 1:
        assert len({(one.date, one.plaza) for one in news.alternativas}) == len(news.alternativas)
        busy = [(who, one.date) for one in news.alternativas for who in (one.padrino, one.testigo)]
        assert len(set(busy)) == len(busy)
    for printed in news.printed:
        if printed.slug in made:
            assert printed.card.alternativa == made[printed.slug].date
    assert set(made) <= {printed.slug for printed in news.printed}


@pytest.mark.slow
@hold
@given(years(), seeds)
def test_debuts_are_new_people(year: Year, seed: Seed) -> None:
    lore, news = load_lore(), winter(year, seed)
    known = {key(text) for text in year.taken} | {man.slug for man in year.careers}
    names = [key(text) for one in news.debuts for text in (one.name, one.apodo) if text]
    assert len(names) == len(set(names))
    assert not set(names) & (known | lore.never)
    for one in news.debuts:
        assert one.slug == key(one.name)
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", one.slug)
        assert len(one.slug) <= 60
        assert one.birthplace in {place.place for place in lore.places}
        assert one.age == year.year - one.born.year
        assert one.card.rating <= one.promise <= 100
        assert (one.card.name, one.card.alternativa) == (one.name, None)
        assert one.style in lore.styles
    after = len(states(year, "novillero")) - len(news.alternativas) + len(news.debuts)
    assert after >= 3


@pytest.mark.slow
@hold
@given(years(), seeds)
def test_herds_exchange_renown_in_small_steps(year: Year, seed: Seed) -> None:
    news = winter(year, seed)
    assert sorted(one.before for one in news.herds) == sorted(one.after for one in news.herds)
    assert all(0 < abs(one.after - one.before) <= 2 * PLACES for one in news.herds)


@pytest.mark.slow
@hold
@given(years(), seeds, st.randoms(use_true_random=False))
def test_winter_does_not_depend_on_the_order_of_its_data(year: Year, seed: Seed, luck: Any) -> None:
    def turned(items: Sequence[Any]) -> list[Any]:
        found: list[Any] = luck.sample(list(items), len(items))
        return found

    shuffled = replace(
        year,
        careers=turned(list(year.careers)),
        herds=turned(list(year.herds)),
        taken=turned(list(year.taken)),
        plazas=turned(list(year.plazas)),
        calendar=turned(list(year.calendar)),
    )
    news: Outcome = winter(year, seed)
    assert repr(winter(shuffled, seed)) == repr(news)
    assert repr(winter(year, seed)) == repr(news)


@pytest.mark.slow
@hold
@given(cards(), st.integers(1, 100), st.sampled_from([1, 2, 3]))
def test_any_card_can_be_changed_to_any_rating(
    card: MatadorCard, rating: int, version: int
) -> None:
    there = moved(card, rating, version=version)
    assert there.rating == rating
    assert [name for name in COVERING if not getattr(there, name).size] == [
        name for name in COVERING if not getattr(card, name).size
    ]
    trophies = sum(getattr(there, name).size for name in TROPHY_RANGES)
    before = sum(getattr(card, name).size for name in TROPHY_RANGES)
    assert (trophies - before) * (rating - card.rating) >= 0
    assert moved(card, card.rating) == card


@given(st.integers(1, 100), seeds)
def test_initial_age_and_potential_fit_the_rating(rating: int, seed: Seed) -> None:
    begins = draw_beginning("joselito", rating, seed)
    assert begins == draw_beginning("joselito", rating, seed)
    assert 20 <= begins.age <= 40
    assert rating <= begins.promise <= 100
    assert abs(due(begins.promise, begins.age) - 100 * rating) <= 100
