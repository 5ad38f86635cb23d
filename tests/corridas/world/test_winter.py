"""A winter over the shipped roster: whole, repeatable, the same in any order."""

from dataclasses import replace
from functools import cache

import pytest

from corridas.world.roster import load
from corridas.world.winter import STEP, Career, HerdYear, Outcome, Year, settle, winter
from fairness import Seed

SEEDS = [Seed(bytes([number]) * 32) for number in range(6)]


@cache
def year() -> Year:
    roster, seed = load(), SEEDS[0]
    careers = []
    for place, matador in enumerate(roster.matadors):
        card = roster.cards[matador.slug]
        age, promise = settle(matador.slug, card.rating, seed)
        counts = {"corridas": 27, "bulls": 54, "ears": 10 + place, "vueltas": 8, "avisos": 20}
        careers.append(
            Career(
                slug=matador.slug,
                name=matador.name,
                country=matador.country,
                age=age,
                state="active",
                promise=promise,
                seasons=1,
                card=card,
                counts=counts,
            )
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


@pytest.mark.parametrize("seed", SEEDS)
def test_a_winter_is_whole(seed: Seed) -> None:
    news = winter(year(), seed)
    gone = {found.slug for found in news.retired}
    assert not gone & {printed.slug for printed in news.printed}
    assert all(abs(printed.card.rating - printed.before) <= STEP for printed in news.printed)
    assert len(news.printed) > 25
    assert news.debuts
    assert sorted(move.before for move in news.herds) == sorted(move.after for move in news.herds)


@pytest.mark.parametrize("seed", SEEDS[:3])
def test_no_order_of_the_input_matters(seed: Seed) -> None:
    turned = replace(
        year(),
        careers=tuple(reversed(tuple(year().careers))),
        herds=tuple(reversed(tuple(year().herds))),
        plazas=tuple(reversed(tuple(year().plazas))),
    )
    assert repr(winter(turned, seed)) == repr(winter(year(), seed))


def test_another_seed_is_another_winter() -> None:
    outcomes: list[Outcome] = [winter(year(), seed) for seed in SEEDS]
    assert len({repr(news) for news in outcomes}) == len(SEEDS)
