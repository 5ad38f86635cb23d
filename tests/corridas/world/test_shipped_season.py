"""The shipped plazas, ferias, herds and matadors give whole seasons, the same on every machine."""

import os
import subprocess
import sys
from collections import Counter
from datetime import date
from functools import cache
from hashlib import sha256
from pathlib import Path

import pytest

from corridas.world.calendar import dates
from corridas.world.contracts import AvailableMatador, Engagement, OpenCorrida, contract
from corridas.world.encierro import Herd, Span, Stock, choose_herd, draw_encierro
from corridas.world.roster import Plaza, Roster, load
from fairness import Seed

ROOT = Path(__file__).parents[3]


@cache
def roster() -> Roster:
    return load()


def bills_by_day(year: int) -> dict[date, list[tuple[OpenCorrida, Plaza]]]:
    """Return the corridas of a year of the shipped calendar, by day."""
    plazas = {plaza.slug: plaza for plaza in roster().plazas}
    ferias: dict[tuple[str, str], int] = {}
    days: dict[date, list[tuple[OpenCorrida, Plaza]]] = {}
    for key, corrida in enumerate(dates(roster().ferias, year)):
        plaza = plazas[corrida.plaza]
        feria = ferias.setdefault((corrida.plaza, corrida.feria), len(ferias))
        bill = OpenCorrida(key, plaza.category, plaza.continent, feria)
        days.setdefault(corrida.date, []).append((bill, plaza))
    return days


def carteles(year: int, seed: Seed) -> dict[int, tuple[int, ...]]:
    """Return all carteles of a year without injuries."""
    ratings = [roster().cards[matador.slug].rating for matador in roster().matadors]
    last: dict[int, Engagement] = {}
    seen: Counter[int] = Counter()
    agreed: dict[int, tuple[int, ...]] = {}
    for day, bills in bills_by_day(year).items():
        men = [
            AvailableMatador(key, rating, last=last.get(key), appearances=seen[key])
            for key, rating in enumerate(ratings)
        ]
        todays = contract(day, [bill for bill, _ in bills], men, seed.chance(f"contracts/{day}"))
        agreed |= todays
        for bill, _ in bills:
            seen.update(todays[bill.key])
            last |= dict.fromkeys(todays[bill.key], Engagement(day, bill.continent, bill.feria))
    return agreed


@pytest.mark.parametrize("year", range(2024, 2044))
def test_shipped_calendar_has_430_to_470_corridas_every_year(year: int) -> None:
    corridas = [bill for bills in bills_by_day(year).values() for bill in bills]
    assert 430 <= len(corridas) <= 470


@pytest.mark.parametrize("season", range(6))
def test_shipped_roster_gives_a_plausible_ranking(season: int) -> None:
    agreed = carteles(2026 + season, Seed(bytes([season]) * 32))
    assert all(len(cartel) == 3 for cartel in agreed.values())
    seen = Counter(man for cartel in agreed.values() for man in cartel)
    table = sorted(seen.values(), reverse=True)
    assert 45 <= table[0] <= 110
    assert len(table) == len(roster().matadors)
    assert 2 <= table[-1] <= 15


def stock() -> Stock:
    shipped = roster()
    return Stock(
        names=shipped.bull_names,
        coats=tuple((coat.name, coat.weight) for coat in shipped.coats),
        weights={
            category: Span(weights.minimum, weights.low, weights.high)
            for category, weights in shipped.weights.items()
        },
    )


def test_shipped_herds_have_enough_bulls_for_a_year() -> None:
    bulls, sent, used = stock(), Counter[int](), dict[int, set[int]]()
    for day, bills in bills_by_day(2026).items():
        for bill, plaza in bills:
            luck = Seed(bytes(32)).chance(f"encierro/{day}/{bill.key}")
            herds = [
                Herd(key, herd.continent, sent[key]) for key, herd in enumerate(roster().herds)
            ]
            key = choose_herd(plaza.category, plaza.continent, herds, luck)
            assert roster().herds[key].continent == plaza.continent
            drawn = draw_encierro(bulls, plaza.category, used.setdefault(key, set()), luck)
            used[key] |= {bull.number for bull in drawn}
            sent[key] += 1
    assert all(len(numbers) == 6 * sent[key] for key, numbers in used.items())
    assert len(sent) > 0.9 * len(roster().herds)
    assert max(sent.values()) <= 45


def digest() -> str:
    """Return a digest of a season: which matador appears where on which day."""
    return sha256(repr(carteles(2026, Seed(bytes(range(32))))).encode()).hexdigest()


@pytest.mark.slow
def test_season_does_not_depend_on_the_hash_seed() -> None:
    program = "from tests.corridas.world.test_shipped_season import digest; print(digest())"
    for hash_seed in ("1", "4242"):
        found = subprocess.run(
            [sys.executable, "-c", program],
            cwd=ROOT,
            env=os.environ | {"PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=True,
        )
        assert found.stdout.strip() == digest()
