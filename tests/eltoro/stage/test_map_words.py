"""Texts of the map: title, description, table of spaces, and the HTML that contains it."""

from __future__ import annotations

import re

import pytest
from django.template.loader import render_to_string
from django.utils import translation

from eltoro.engine import PROFILES, Die, Phase
from eltoro.stage.map_context import FallenRunner, MapMarks, MapPicks, RunnerRoute
from eltoro.stage.picture import TownPicture, draw_town
from eltoro.stage.places import percent_text
from tests.eltoro.stage.towns import EL_TORO, NAMES, crowded, in_one_place, town, wide_board

MILL = EL_TORO.board.find_space("molino")
CHURCH = EL_TORO.board.find_space("iglesia")


def few(marks: MapMarks | None = None, seat: int | None = 0) -> TownPicture:
    seen = town(
        [[Die(MILL, 4), Die(MILL, 2), None], [Die(CHURCH, 4), Die(MILL, 6), None]],
        [Die(MILL, 5), Die(MILL, 2)],
    )
    return draw_town(seen, EL_TORO, names=NAMES[:2], seat=seat, marks=marks or MapMarks())


def rendered(shown: TownPicture) -> str:
    return render_to_string("eltoro/_map.html", {"map": shown})


def test_title_and_description_of_the_map_name_the_visible_dice() -> None:
    shown = few()
    assert shown.title == "El Toro, day 1: the bulls charge"
    assert shown.desc == "Molino: bulls 5, 2; you 4, 2; North 6. Iglesia: North 4."


def test_description_of_an_empty_board_says_that_it_is_empty() -> None:
    shown = draw_town(town([[None], [None]]), EL_TORO, names=NAMES[:2])
    assert shown.desc == "There are no runners or bulls in town."


@pytest.mark.parametrize("phase", list(Phase))
def test_every_phase_has_a_title(phase: Phase) -> None:
    shown = draw_town(town([[None], [None]], phase=phase), EL_TORO, names=NAMES[:2])
    assert shown.title.startswith("El Toro, day 1: ")


def test_map_shows_the_name_of_its_board() -> None:
    longer = PROFILES["la-cuesta"]
    assert draw_town(crowded(longer), longer, names=NAMES).backdrop.name == "La Cuesta"
    own = wide_board()
    assert draw_town(crowded(own, row=1), own, names=NAMES).backdrop.name == "El Toro"


def test_table_below_the_map_says_where_each_space_leads() -> None:
    ways = {line.key: line.ways for line in few().lines}
    assert ways["2"] == "All numbers go to Fuente."
    assert ways["fuente"] == "Even numbers go to Molino, odd numbers to Naranjo."
    assert ways["d1"] == ""


def test_trampled_runner_is_named_at_its_space() -> None:
    line = next(
        line
        for line in few(MapMarks(fallen=(FallenRunner(runner="b3", space="molino", face=2),))).lines
        if line.key == "molino"
    )
    assert line.sentence == "Molino: bulls 5, 2; you 4, 2; North 6; trampled: North 2."


def test_all_players_are_listed_below_the_map() -> None:
    people = few().people
    assert [(one.name, one.you, one.running) for one in people] == [
        ("Ysabel", True, "2 of 3 runners"),
        ("North", False, "2 of 3 runners"),
    ]


@pytest.mark.parametrize(
    ("chance", "told"), [(0, "0"), (0.001, "<1"), (0.5, "50"), (0.996, ">99"), (1, "100")]
)
def test_chances_are_never_rounded_to_0_or_100_percent(chance: float, told: str) -> None:
    assert percent_text(chance) == f"{told}\N{NO-BREAK SPACE}%"


@pytest.mark.parametrize("language", ["en", "es"])
def test_drawing_has_no_inline_styles_or_scripts_and_no_decimal_commas(language: str) -> None:
    way = RunnerRoute(runner="a1", arrives={"d2": 0.5}, trampled=0.1)
    ids = frozenset({"a1", "b1", "@molino", "fuente/odd"})
    marks = MapMarks(picks=(MapPicks(ids=ids),), way=way, again=frozenset({"a2"}))
    with translation.override(language):
        page = rendered(few(marks))
    assert "style=" not in page
    assert "<script" not in page
    assert not re.search(r'(?:\bx|\by|width|height|transform)="[^"]*\d,\d', page)
    assert "None" not in page


def test_controls_on_the_map_have_name_value_and_form() -> None:
    ids = frozenset({"a1", "fuente/odd", "fuente/even"})
    picks = MapPicks(ids=ids, field="target", chosen=frozenset({"a1"}))
    page = rendered(few(MapMarks(picks=(picks,))))
    runner = re.search(r'<input[^>]*id="target-a1"[^>]*>', page)
    sign = re.search(r'<input[^>]*id="target-fuente-odd"[^>]*>', page)
    assert runner is not None
    assert sign is not None
    for part in ('type="radio"', 'name="target"', 'value="a1"', 'form="move-form"', "\nchecked"):
        assert part in runner[0]
    assert 'aria-label="you 4, Molino"' in runner[0]
    assert 'value="fuente/odd"' in sign[0]
    assert "checked" not in sign[0]
    assert 'href="#at-target-fuente"' in page


def test_html_ids_on_the_map_are_unique() -> None:
    here = in_one_place()
    everybody = frozenset(f"{seat}{n}" for seat in "abcdef" for n in range(1, 7))
    marks = MapMarks(
        picks=(MapPicks(ids=everybody), MapPicks(ids=everybody, field="other", many=True))
    )
    page = rendered(draw_town(here, EL_TORO, names=NAMES, seat=0, marks=marks))
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert page.count('type="checkbox"') == page.count('type="radio"') == 36
