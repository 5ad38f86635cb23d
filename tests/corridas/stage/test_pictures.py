"""The geometry of the drawings: positions and sizes follow from the data."""

from __future__ import annotations

import itertools
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


DAYS = [("x", "1"), ("y", "2"), ("z", "3")]


@pytest.mark.parametrize(("place", "inside"), [(1, True), (10, True), (11, False), (None, False)])
def test_the_race_chart_has_ten_places_and_rows_for_others_below(
    place: int | None, inside: bool
) -> None:
    """Lines have nodes only at the ten places, and no node before the first corrida."""
    drawn = charts.race([line("a", None, 1, place)], DAYS)
    (run,) = drawn.runs
    heights = dict(drawn.places)
    assert len(heights) == 10
    assert (run.end in heights.values()) is inside
    assert (run.end <= drawn.cut) is inside
    assert [x for x, _y in run.nodes] == [612.0 - 104.0, drawn.right][: 1 + inside]
    assert run.place == (place or "–")


def test_the_days_of_the_race_chart_are_equally_far_apart() -> None:
    drawn = charts.race([line("a", 1, 1, 1)], DAYS)
    assert [x for x, *_day in drawn.days] == [44, (44 + drawn.right) / 2, drawn.right]
    assert [day for _x, *day in drawn.days] == [list(day) for day in DAYS]
    single = charts.race([line("a", 1)], DAYS[:1])
    assert [x for x, *_day in single.days] == [single.right]


def test_the_first_three_places_are_bold_unless_matadors_are_followed() -> None:
    """Bold lines are drawn last, so that they cover the others."""
    lines = [line(name, place) for place, name in enumerate("abcde", start=1)]
    runs = charts.race(lines, DAYS[:1]).runs
    assert [(run.line.name, run.bold) for run in runs] == [
        ("d", False), ("e", False), ("a", True), ("b", True), ("c", True),
    ]  # fmt: skip
    runs = charts.race([*lines, line("f", 6, followed=True)], DAYS[:1]).runs
    assert [run.line.name for run in runs if run.bold] == ["f"] == [runs[-1].line.name]


def test_rows_below_the_race_chart_need_equal_space() -> None:
    far = [line(str(place), place) for place in range(11, 15)]
    drawn = [charts.race(far[:count], DAYS[:1]) for count in range(1, 5)]
    ends = [run.end for run in drawn[-1].runs]
    steps = {after - before for before, after in itertools.pairwise(ends)}
    assert steps == {24}
    assert [each.height - drawn[0].height for each in drawn] == [0, 24, 48, 72]
    inside = charts.race([line("a", 1)], DAYS[:1])
    assert inside.height == drawn[0].height


def test_the_slope_chart_connects_ranks_before_and_after_in_the_order_of_the_list() -> None:
    drawn = charts.slope([(3, 1), (2, 2), (1, 4), (None, 7)])
    assert drawn.height == 4 * charts.SLOPE_STEP
    assert drawn.left == ((1, 14.0), (2, 42.0), (3, 70.0))
    assert [(style, end, start) for style, end, start, _path in drawn.curves] == [
        ("up", 14.0, 70.0),
        ("same", 42.0, 42.0),
        ("down", 70.0, 14.0),
        ("up", 98.0, None),
    ]
    assert [path for *_rest, path in drawn.curves] == [
        "M30 70.0C75 70.0 45 14.0 90 14.0",
        "M30 42.0C75 42.0 45 42.0 90 42.0",
        "M30 14.0C75 14.0 45 70.0 90 70.0",
        "",
    ]


def test_columns_of_the_chart_of_form_are_drawn_from_left_to_right() -> None:
    columns = charts.spark(["oreja", "bronca", "oreja"])
    assert [(column.x, column.width) for column in columns] == [(0, 7), (9, 7), (18, 7)]
    assert charts.spark_paths(["oreja", "bronca", "oreja"]) == {
        "oreja": "M0 26v-18.6h7V26zM18 26v-18.6h7V26z",
        "bronca": "M9 26v-3.0h7V26z",
    }


def test_columns_of_the_large_chart_of_form_stand_on_its_baseline() -> None:
    columns = [charts.form_column(4.04, 3.06, name) for name in VERDICTS]
    assert {(column.x, column.width) for column in columns} == {(4.0, 3.1)}
    assert [column.height for column in columns] == [
        round(16.6 * (1 + number), 1) for number in range(len(VERDICTS))
    ]
    assert all(column.y + column.height == pytest.approx(170) for column in columns)


@pytest.mark.parametrize(("text", "roomy"), [("1-8", False), ("1-9", True)])
def test_a_range_has_its_name_if_it_is_wider_than_the_name(text: str, roomy: bool) -> None:
    """A letter needs two percent of the bar."""
    band = charts.band("rabo", text)
    assert band is not None
    assert (band.label, band.roomy, band.middle) == ("Rabo", roomy, 4.5 if roomy else 4.0)
    assert band.text == text.replace("-", "–")


def test_the_glossary_finds_plurals_accents_and_coats() -> None:
    assert len(entries()) >= 80
    assert meaning("corridas", "en") == meaning("corrida", "en")
    assert meaning("VERONICA", "es") == meaning("verónica", "es")
    assert meaning("negro zaíno", "en")
    assert meaning("nada de nada", "en") is None
    assert re.fullmatch(r"#[0-9a-f]{6}", coat_colour("cárdeno"))
