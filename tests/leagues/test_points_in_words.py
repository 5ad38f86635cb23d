"""Numbers of points in sentences: singular for 1 and -1, otherwise plural, also for 0."""

from __future__ import annotations

from decimal import Decimal

import pytest
from django.utils import translation

from dominoes.engine import Rules as DominoRules
from dominoes.tabletop.sheets.referee import below_target, referee
from eltoro.engine import Rules as BullRules
from eltoro.tabletop.sheets.reading import Objection
from eltoro.tabletop.sheets.sentences import objection_sentence
from leagues.text import count_points


@pytest.mark.parametrize(
    ("points", "english", "spanish"),
    [
        (0, "0 points", "0 puntos"),
        (1, "1 point", "1 punto"),
        (-1, "−1 point", "−1 punto"),
        (2, "2 points", "2 puntos"),
        (-2, "−2 points", "−2 puntos"),
        (999, "999 points", "999 puntos"),
        (1000, "1,000 points", "1.000 puntos"),
        (-1234567, "−1,234,567 points", "−1.234.567 puntos"),
        (Decimal("1.5"), "1.5 points", "1,5 puntos"),
    ],
)
def test_points_are_written_in_singular_or_plural(
    points: int | Decimal, english: str, spanish: str
) -> None:
    assert count_points(points) == english
    with translation.override("es"):
        assert count_points(points) == spanish


@pytest.mark.parametrize(
    ("least", "said"), [(-1, "at least −1 point,"), (-2, "at least −2 points,")]
)
def test_limits_of_a_score_are_written_in_singular_or_plural(least: int, said: str) -> None:
    params = {"day": 0, "seat": 0, "least": least, "points": -5}
    objection = Objection(path="days/0", code="points_low", params=params)
    sentence = objection_sentence(BullRules(), objection, ["ana", "beto"])
    assert said in sentence
    assert "you entered −5 points" in sentence


@pytest.mark.parametrize(("target", "said"), [(1, "0 of 1 point."), (2, "0 of 2 points.")])
def test_target_points_are_written_in_singular_or_plural(target: int, said: str) -> None:
    assert below_target(0, target).endswith(said)


@pytest.mark.parametrize(("target", "said"), [(1, "reach 1 point,"), (2, "reach 2 points,")])
def test_target_in_a_referees_objection_is_written_in_singular_or_plural(
    target: int, said: str
) -> None:
    rules = DominoRules(target=target)
    judged = referee.judge_sheet(rules, ["ana", "beto"], {"totals": [9, 9]})
    assert any(said in objection.sentence for objection in judged.objections)
