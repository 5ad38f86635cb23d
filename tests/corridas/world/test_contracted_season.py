"""A whole season of contracts for invented matadors keeps the rules and gives a plausible
ranking.
"""

from collections import Counter
from dataclasses import dataclass, field
from datetime import date, timedelta
from itertools import pairwise

import pytest

from corridas.world.calendar import CalendarEntry, dates
from corridas.world.contracts import AvailableMatador, Engagement, OpenCorrida, contract
from fairness import Chance, Seed


def chance(label: str) -> Chance:
    return Seed(bytes(range(32))).chance(label)


@dataclass
class Played:
    """A played season: engagements of each matador, injuries, and appearances by category."""

    appearances: Counter[int] = field(default_factory=Counter)
    seen: dict[int, list[Engagement]] = field(default_factory=dict)
    rests: list[tuple[int, date, date]] = field(default_factory=list)
    categories: dict[int, Counter[int]] = field(default_factory=dict)
    opened: int = 0


SUMMER = [
    *((f"EU1-{n}", 1, "EU", f"{4 + n // 3:02}-{1 + 9 * (n % 3):02}", 9) for n in range(18)),
    *((f"EU2-{n}", 2, "EU", f"{4 + n // 6:02}-{1 + 4 * (n % 6):02}", 4) for n in range(40)),
    *((f"EU3-{n}", 3, "EU", f"{6 + n // 5:02}-{2 + 5 * (n % 5):02}", 3) for n in range(20)),
]
WINTER = [
    *((f"AM1-{n}", 1, "AM", f"{1 if n < 5 else 11:02}-{1 + 6 * (n % 5):02}", 5) for n in range(10)),
    ("AM2", 2, "AM", "04-20", 8),
    ("AM3", 1, "AM", "10-15", 8),
]
FERIAS = {
    name: (place, category, continent)
    for place, (name, category, continent, _, _) in enumerate([*SUMMER, *WINTER])
}


def play_season(ratings: list[int]) -> Played:
    """Simulate 450 corridas day by day, in which one matador in ninety is injured."""
    entries = [
        CalendarEntry(name, name, starts, many, "daily")
        for name, _, _, starts, many in [*SUMMER, *WINTER]
    ]
    by_day: dict[date, list[OpenCorrida]] = {}
    for key, corrida in enumerate(dates(entries, 2027)):
        place, category, continent = FERIAS[corrida.feria]
        by_day.setdefault(corrida.date, []).append(OpenCorrida(key, category, continent, place))
    played, hurt = Played(), dict[int, date]()
    for day, bills in by_day.items():
        play_day(day, bills, ratings, played, hurt)
    return played


def play_day(
    day: date, bills: list[OpenCorrida], ratings: list[int], played: Played, hurt: dict[int, date]
) -> None:
    men = [
        AvailableMatador(
            key=key,
            rating=rating,
            youth=rating < 45,
            last=played.seen[key][-1] if key in played.seen else None,
            injured_until=hurt.get(key),
            appearances=played.appearances[key],
        )
        for key, rating in enumerate(ratings)
    ]
    luck = chance(f"day/{day}")
    for key, cartel in contract(day, bills, men, luck).items():
        bill = next(bill for bill in bills if bill.key == key)
        played.opened += not cartel
        for man in cartel:
            appear(man, day, bill, played)
            if luck.below(90) == 0:
                hurt[man] = day + timedelta(days=25)
                played.rests.append((man, day, hurt[man]))


def appear(man: int, day: date, bill: OpenCorrida, played: Played) -> None:
    played.appearances[man] += 1
    played.seen.setdefault(man, []).append(Engagement(day, bill.continent, bill.feria))
    played.categories.setdefault(man, Counter())[bill.category] += 1


@pytest.fixture(scope="module")
def season() -> Played:
    return play_season([99 - 65 * key // 50 for key in range(50)])


def test_season_fills_every_cartel(season: Played) -> None:
    assert season.opened == 0
    assert season.appearances.total() == 3 * sum(many for *_, many in [*SUMMER, *WINTER])


def test_season_ranking_resembles_a_real_one(season: Played) -> None:
    table = sorted(season.appearances.values(), reverse=True)
    assert 45 <= table[0] <= 110
    assert len(table) == 50, "everybody has had a chance"
    assert 2 <= table[-1] <= 15
    assert table[4] >= 1.2 * table[14] >= 1.2 * table[24]
    assert sum(table[:10]) < sum(table) / 2


def test_best_matadors_are_hired_most_often(season: Played) -> None:
    thirds = [sum(season.appearances[key] for key in range(at, at + 16)) for at in (0, 17, 34)]
    assert thirds[0] > 1.5 * thirds[1] > 1.5 * thirds[2]


def test_matadors_have_two_free_days_before_crossing_the_ocean(
    season: Played,
) -> None:
    for engagements in season.seen.values():
        for before, after in pairwise(engagements):
            apart = (after.date - before.date).days
            assert apart >= (1 if after.continent == before.continent else 3)


def test_injured_matadors_are_not_hired(season: Played) -> None:
    assert season.rests
    for man, since, until in season.rests:
        assert not [other for other in season.seen[man] if since < other.date <= until]


def test_matadors_rarely_repeat_on_successive_days_of_a_feria(season: Played) -> None:
    repeats = sum(
        after.feria == before.feria and (after.date - before.date).days == 1
        for engagements in season.seen.values()
        for before, after in pairwise(engagements)
    )
    assert repeats == 0


@pytest.mark.parametrize(
    "ratings",
    [
        [90, *(60 - key // 5 for key in range(49))],
        [80 - key * key // 90 for key in range(50)],
        [99 - key // 2 for key in range(80)],
    ],
    ids=["one star", "dense at the top", "eighty men"],
)
def test_leader_of_any_roster_appears_45_to_110_times(ratings: list[int]) -> None:
    played = play_season(ratings)
    assert 45 <= max(played.appearances.values()) <= 110
