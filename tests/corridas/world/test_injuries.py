"""Injury reports: published probabilities of each grade, and days of rest within the grade."""

from collections import Counter
from datetime import date
from itertools import pairwise

import pytest

from corridas.world.injuries import RESTS, Grade, Wound, examine
from fairness import Chance, Seed


def chance(label: str) -> Chance:
    return Seed(bytes(32)).chance(f"injury/{label}")


def test_injury_probabilities_add_up_to_a_hundred() -> None:
    assert list(RESTS) == list(Grade)
    assert sum(rest.odds for rest in RESTS.values()) == 100


def test_more_serious_injuries_have_longer_rests() -> None:
    spans = [(rest.fewest, rest.most) for rest in RESTS.values()]
    assert all(1 <= fewest <= most for fewest, most in spans)
    assert all(before[1] < after[0] for before, after in pairwise(spans))


@pytest.fixture(scope="module")
def reports() -> list[Wound]:
    return [examine(chance(str(turn))) for turn in range(4000)]


def test_days_of_rest_are_within_the_range_of_the_grade(reports: list[Wound]) -> None:
    for grade, days in reports:
        assert RESTS[grade].fewest <= days <= RESTS[grade].most
    for grade, rest in RESTS.items():
        lengths = [wound.days for wound in reports if wound.grade is grade]
        assert max(lengths) - min(lengths) > (rest.most - rest.fewest) / 2


def test_injury_grades_occur_with_their_published_probabilities(reports: list[Wound]) -> None:
    met = Counter(wound.grade for wound in reports)
    for grade, rest in RESTS.items():
        expected = len(reports) * rest.odds / 100
        assert abs(met[grade] - expected) < 4.5 * expected**0.5


def test_injury_report_depends_only_on_seed_and_label() -> None:
    assert examine(chance("7")) == examine(chance("7"))


def test_injury_ends_after_its_last_day_of_rest() -> None:
    assert Wound(Grade.LEVE, 4).last_day(date(2026, 12, 29)) == date(2027, 1, 2)
