"""The surgeon's report: published odds, days within the grade."""

from collections import Counter
from datetime import date
from itertools import pairwise

import pytest

from corridas.world.injuries import RESTS, Grade, Wound, examine
from fairness import Chance, Seed


def chance(label: str) -> Chance:
    return Seed(bytes(32)).chance(f"injury/{label}")


def test_the_odds_are_out_of_a_hundred() -> None:
    assert list(RESTS) == list(Grade)
    assert sum(rest.odds for rest in RESTS.values()) == 100


def test_the_graver_rest_longer() -> None:
    spans = [(rest.fewest, rest.most) for rest in RESTS.values()]
    assert all(1 <= fewest <= most for fewest, most in spans)
    assert all(before[1] < after[0] for before, after in pairwise(spans))


@pytest.fixture(scope="module")
def reports() -> list[Wound]:
    return [examine(chance(str(turn))) for turn in range(4000)]


def test_wounds_keep_to_their_grade(reports: list[Wound]) -> None:
    for grade, days in reports:
        assert RESTS[grade].fewest <= days <= RESTS[grade].most
    for grade, rest in RESTS.items():
        lengths = [wound.days for wound in reports if wound.grade is grade]
        assert max(lengths) - min(lengths) > (rest.most - rest.fewest) / 2


def test_wounds_follow_the_published_odds(reports: list[Wound]) -> None:
    met = Counter(wound.grade for wound in reports)
    for grade, rest in RESTS.items():
        expected = len(reports) * rest.odds / 100
        assert abs(met[grade] - expected) < 4.5 * expected**0.5


def test_a_report_belongs_to_its_seed_and_label() -> None:
    assert examine(chance("7")) == examine(chance("7"))


def test_rest_ends_with_its_last_day() -> None:
    assert Wound(Grade.LEVE, 4).last_day(date(2026, 12, 29)) == date(2027, 1, 2)
