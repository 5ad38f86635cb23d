"""The geometry of the drawings: positions and sizes follow from the data."""

from __future__ import annotations

import re

import pytest

from corridas.glossary import coat_colour, entries, meaning
from corridas.results import LETTERS, VERDICTS, loudness, verdict
from corridas.stage import charts
from corridas.world.form import OUTCOMES


def test_matadors_drawn_together_wear_different_costumes() -> None:
    numbers = [3, 23, 43, 4, 24, 63, *range(100, 114)]
    worn = charts.suits(numbers)
    assert len(set(worn.values())) == len(numbers) == charts.SUITS
    assert worn[3] == charts.suit(3)


def test_costumes_are_repeated_if_there_are_more_matadors_than_costumes() -> None:
    worn = charts.suits(range(50))
    assert set(worn.values()) == set(range(1, charts.SUITS + 1))


@pytest.mark.parametrize(
    ("text", "x", "width"), [("81-94", 80, 14), ("7", 6, 1), ("1-100", 0, 100), ("100", 99, 1)]
)
def test_the_drawing_of_a_card_range_covers_its_numbers_on_the_bar(
    text: str, x: int, width: int
) -> None:
    band = charts.band("oreja", text)
    assert band is not None
    assert (band.x, band.width) == (x, width)


def test_an_empty_range_is_not_drawn() -> None:
    assert charts.band("indulto", "-") is None


@pytest.mark.parametrize("made", [(0, 0, 0, 0), (10, 2, 7, 0), (10, 6, 10, 5), (10, 11, 3, 0)])
def test_the_drawing_of_the_ring_has_a_mark_for_every_card(made: tuple[int, int, int, int]) -> None:
    marks = charts.ring(made)
    for act, count in zip(("t1", "t2", "t3", "tk"), made, strict=True):
        assert sum(mark.made for mark in marks if mark.act == act) == count
    assert sum(mark.newest for mark in marks) == (sum(made) > 0)
    assert len(marks) == 10 + max(6, made[1]) + 10 + 5


def test_better_verdicts_have_higher_columns_in_the_chart_of_form() -> None:
    columns = charts.spark(VERDICTS)
    heights = [column.height for column in columns]
    assert heights == sorted(heights)
    assert all(column.y + column.height == pytest.approx(26) for column in columns)


def test_the_chart_of_form_shows_only_the_last_ten_bulls() -> None:
    columns = charts.spark(["bronca"] * 5 + ["rabo"] * 10)
    assert [column.verdict for column in columns] == ["rabo"] * 10


def test_every_letter_of_a_matador_s_form_has_a_rank_and_a_result() -> None:
    assert set(LETTERS) == set(OUTCOMES)
    assert all(0 <= loudness(name) < len(VERDICTS) for name in LETTERS.values())


@pytest.mark.parametrize(
    ("trophy", "crowd", "said"),
    [
        (3, None, "rabo"),
        (1, None, "oreja"),
        (0, 1, "bronca"),
        (0, 6, "ovacion"),
        (None, None, None),
    ],
)
def test_the_result_of_a_fight_is_its_trophy_or_the_verdict_of_the_crowd(
    trophy: int | None, crowd: int | None, said: str | None
) -> None:
    assert verdict(trophy, crowd) == said


def line(name: str, *places: int | None, followed: bool = False) -> charts.RaceLine:
    return charts.RaceLine(name=name, slug=name, suit=1, count=9, places=places, followed=followed)


def test_a_line_of_the_race_chart_ends_at_the_matador_s_place() -> None:
    drawn = charts.race([line("a", 2, 1), line("b", 1, 2)], [("x", "1"), ("y", "2")])
    ends = {run.line.name: run.end for run in drawn.runs}
    heights = dict(drawn.places)
    assert ends == {"a": heights[1], "b": heights[2]}
    for run in drawn.runs:
        assert re.fullmatch(r"M[\d. HC-]+", run.path)


def test_a_followed_matador_below_the_tenth_place_has_a_line_in_the_race_chart() -> None:
    lines = [line("a", 1, 1), line("far", None, 31, followed=True), line("off", 40, 32)]
    drawn = charts.race(lines, [("x", "1"), ("y", "2")])
    ends = {run.line.name: run.end for run in drawn.runs}
    assert ends["far"] > drawn.cut
    assert ends["off"] > ends["far"]
    assert max(ends.values()) < drawn.height
    assert [run.line.name for run in drawn.runs if run.bold] == ["far"]


def test_the_glossary_finds_plurals_accents_and_coats() -> None:
    assert len(entries()) >= 80
    assert meaning("corridas", "en") == meaning("corrida", "en")
    assert meaning("VERONICA", "es") == meaning("verónica", "es")
    assert meaning("negro zaíno", "en")
    assert meaning("nada de nada", "en") is None
    assert re.fullmatch(r"#[0-9a-f]{6}", coat_colour("cárdeno"))
