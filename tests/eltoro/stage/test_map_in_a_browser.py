"""The map in a real browser: sizes on a phone, checks by axe, light and dark mode."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.template.loader import render_to_string

from eltoro.engine import Rules, Town
from eltoro.stage.map_context import FallenRunner, MapMarks, MapPicks, RunnerRoute, runner_id
from eltoro.stage.picture import draw_town
from tests.eltoro.stage.towns import (
    EL_TORO,
    NAMES,
    all_choices,
    crowded,
    in_one_place,
    marks_for_choice,
    wide_board,
)

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CSS: Final = Path(__file__).parents[3] / "static" / "css"
PHONE: Final = {"width": 390, "height": 844}
DESK: Final = {"width": 1280, "height": 900}
FINGER: Final = 44
# Smallest width and height of a die in CSS pixels, even if all dice are on one space.
LEAST_DIE: Final = 18
EVERYTHING: Final = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"]
MINE: Final = frozenset(runner_id(0, number) for number in range(6))
BUSY: Final = MapMarks(
    picks=(MapPicks(ids=MINE, many=True, legend="Up to two of your runners"),),
    again=frozenset({"b1", "c2"}),
    fallen=(FallenRunner(runner="f6", space="molino", face=4),),
    moved=frozenset({"T1", "b2"}),
    way=RunnerRoute(runner="a1", arrives={"d1": 0.25, "d2": 0.5}, trampled=0.25),
)


def html(rules: Rules, seen: Town, seat: int | None, marks: MapMarks) -> str:
    """Return a page with only the map and the stylesheets of a game table."""
    shown = draw_town(seen, rules, names=NAMES[: seen.players], seat=seat, marks=marks)
    sheets = "".join(
        f"<style>{(CSS / f'{name}.css').read_text('utf-8')}</style>"
        for name in ("tokens", "site", "league", "eltoro")
    )
    drawn = render_to_string("eltoro/_map.html", {"map": shown})
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>El Toro</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'{sheets}</head><body class="lg-page tab-page"><main id="main"><div class="wrap">'
        f'<h1>El Toro</h1><h2>Town</h2><div class="tab-main">{drawn}</div>'
        "</div></main></body></html>"
    )


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    opened = browser.new_page(viewport=PHONE, reduced_motion="reduce")  # type: ignore[arg-type]
    yield opened
    opened.close()


def boxes(page: Page, selector: str) -> list[dict[str, float]]:
    found: list[dict[str, float]] = page.evaluate(
        "(selector) => [...document.querySelectorAll(selector)].map((one) => {"
        "const { left, top, right, bottom, width, height } = one.getBoundingClientRect();"
        "return { left, top, right, bottom, width, height }; })",
        selector,
    )
    return found


def overlap(one: dict[str, float], other: dict[str, float]) -> bool:
    slack = 0.5
    return (
        one["left"] < other["right"] - slack
        and other["left"] < one["right"] - slack
        and one["top"] < other["bottom"] - slack
        and other["top"] < one["bottom"] - slack
    )


SCENES: Final = {
    "six, one row, the own": (crowded(), MINE),
    "six, one row, everybody": (crowded(), all_choices(EL_TORO, crowded())["runners"]),
    "six, one place, the own": (in_one_place(), MINE),
    "six, one row, bulls": (crowded(), all_choices(EL_TORO, crowded())["bulls"]),
    "signs": (crowded(), all_choices(EL_TORO, crowded())["signs"]),
    "spaces": (crowded(), all_choices(EL_TORO, crowded())["spaces"]),
    "two, one place, the own": (
        in_one_place(2),
        frozenset(runner_id(0, number) for number in range(9)),
    ),
}


@pytest.mark.parametrize("scene", SCENES)
def test_touch_targets_on_a_phone_have_at_least_44_pixels_and_do_not_overlap(
    page: Page, scene: str
) -> None:
    seen, ids = SCENES[scene]
    page.set_content(html(EL_TORO, seen, 0, marks_for_choice(ids, many=True)))
    targets = boxes(page, ".elt-over :is(input, a rect), .elt-option, .elt-words summary")
    assert len(targets) >= 24
    assert [box for box in targets if min(box["width"], box["height"]) < FINGER] == []
    pairs = [(a, b) for n, a in enumerate(targets) for b in targets[:n] if overlap(a, b)]
    assert pairs == []
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]


@pytest.mark.parametrize("seen", [crowded(), in_one_place()], ids=["row", "place"])
@pytest.mark.parametrize("seat", [None, 0])
def test_dice_of_six_players_are_readable_on_a_phone(
    page: Page, seen: Town, seat: int | None
) -> None:
    page.set_content(html(EL_TORO, seen, seat, MapMarks()))
    dice = boxes(page, ".elt-map .elt-die")
    assert len(dice) == 36
    assert min(min(box["width"], box["height"]) for box in dice) >= LEAST_DIE
    assert not any(overlap(a, b) for n, a in enumerate(dice) for b in dice[:n])


def test_runners_on_the_map_can_be_selected_by_a_tap(page: Page) -> None:
    page.set_content(html(EL_TORO, crowded(), 0, marks_for_choice(MINE, many=True)))
    page.locator("#pick-a1").click()
    page.locator("#pick-a3").click()
    assert page.locator("input[name=pick]:checked").evaluate_all(
        "(all) => all.map((one) => one.value)"
    ) == ["a1", "a3"]


def test_tap_on_a_space_shows_the_dice_on_it(page: Page) -> None:
    page.set_content(html(EL_TORO, crowded(), None, MapMarks()))
    assert page.locator(".elt-peek:visible").count() == 0
    page.locator('.elt-look[href="#peek-iglesia"]').click()
    assert page.locator(".elt-peek:visible").count() == 1
    assert page.locator("#peek-iglesia .elt-mini").count() == 9
    page.locator("#peek-iglesia .elt-close").click()
    assert page.locator(".elt-peek:visible").count() == 0


def test_wide_board_scrolls_only_inside_its_frame(page: Page) -> None:
    rules = wide_board()
    page.set_content(html(rules, crowded(rules, row=1), None, MapMarks()))
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    inside: dict[str, Any] = page.locator(".elt-view").evaluate(
        "(view) => ({ wide: view.scrollWidth, seen: view.clientWidth })"
    )
    assert inside["wide"] > inside["seen"]


@pytest.mark.parametrize(
    "scene",
    ["busy", *(pytest.param(name, marks=pytest.mark.nightly) for name in ("signs", "wide"))],
)
def test_axe_finds_no_accessibility_errors_on_the_map(page: Page, scene: str) -> None:
    wide = wide_board()
    rules, seen, marks = {
        "busy": (EL_TORO, _fallen(), BUSY),
        "signs": (EL_TORO, crowded(), marks_for_choice(all_choices(EL_TORO, crowded())["signs"])),
        "wide": (wide, crowded(wide, row=1), MapMarks()),
    }[scene]
    page.set_content(html(rules, seen, 0, marks))
    assert page.locator(".elt-words").evaluate("(one) => { one.open = true; return one.open; }")
    found = _faults(page, EVERYTHING)
    page.set_viewport_size(DESK)  # type: ignore[arg-type]
    page.emulate_media(color_scheme="dark")
    found += _faults(page, ["color-contrast"])
    assert found == []


# Texts in the drawing with the shapes behind them. Their contrast is measured here because axe does
# not check SVG drawings.
LETTERING: Final = {
    ".elt-plaque": ("text", "rect"),
    ".elt-sign": ("text", "rect"),
    ".elt-token": (".mk-letter", ".mk-body"),
    ".elt-chance": ("text", "rect"),
    ".elt-plaza:has(.elt-start)": (".elt-start", ".elt-island"),
    ".elt-dest": (".elt-dest-pts", ".elt-dest-top"),
    ".elt-dest:has(.elt-dest-name)": (".elt-dest-name", ".elt-dest-card"),
    ".elt-dest:has(.elt-dest-eff)": (".elt-dest-eff", ".elt-dest-card"),
    ".elt-backdrop": (".elt-title", ".elt-sky"),
}
CONTRAST: Final = """([group, letter, ground]) => {
    const light = (colour) => {
        const [r, g, b] = colour.match(/[\\d.]+/g).slice(0, 3).map(Number).map((part) => part / 255)
            .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const fill = (one) => light(getComputedStyle(one).fill);
    return [...document.querySelectorAll(`.elt-map ${group}`)].map((one) => {
        const pair = [letter, ground].map((part) => fill(one.querySelector(part)));
        return (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05);
    });
}"""


@pytest.mark.parametrize("night", ["light", "dark"])
def test_texts_in_the_drawing_have_a_contrast_of_at_least_4_5(page: Page, night: str) -> None:
    page.emulate_media(color_scheme=night)  # type: ignore[arg-type]
    for laid in ((0, 1, 2, 3, 4), (3, 4, 5, 6, 7)):
        signs = dict(zip(EL_TORO.board.signs, range(6), strict=False))
        seen = replace(crowded(), destinations=laid, tokens=signs)
        page.set_content(html(EL_TORO, seen, 0, BUSY))
        for group, (letter, ground) in LETTERING.items():
            found: list[float] = page.evaluate(CONTRAST, [group, letter, ground])
            assert found, group
            assert min(found) >= 4.5, (group, found)


def test_dice_are_not_animated_if_the_user_prefers_reduced_motion(page: Page) -> None:
    page.set_content(html(EL_TORO, crowded(), 0, BUSY))
    moving = "(one) => getComputedStyle(one).animationName"
    for die, name in (("T1", "elt-charge"), ("b2", "elt-jump")):
        turn = page.locator(f".elt-map [data-die={die}] > .elt-turn")
        page.emulate_media(reduced_motion="reduce")
        assert turn.evaluate(moving) == "none"
        page.emulate_media(reduced_motion="no-preference")
        assert turn.evaluate(moving) == name


def _fallen() -> Town:
    """Return a crowded position in which one runner is trampled."""
    seen = crowded()
    last = (*seen.runners[5][:5], None)
    return replace(seen, runners=(*seen.runners[:5], last))


def _faults(page: Page, rules: list[str]) -> list[str]:
    answer: dict[str, Any] = Axe().run(page, options={"runOnly": rules}).response
    assert answer["passes"]
    return [
        f"{fault['id']}: {node['html'][:160]} {node['failureSummary'][:200]}"
        for fault in answer["violations"]
        for node in fault["nodes"]
    ]
