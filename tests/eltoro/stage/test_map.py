"""The map of the board: each die is drawn once, and controls are large and do not overlap."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eltoro.engine import PROFILES, Die, Rules, Town
from eltoro.stage.dice import DrawnDie
from eltoro.stage.layout import SIZES, TAP_SIZE
from eltoro.stage.map_context import (
    FallenRunner,
    MapMarks,
    RunnerRoute,
    control_id,
    runner_id,
    space_ids,
)
from eltoro.stage.picture import CHOOSE, GO, LOOK, PRESS, TapArea, TownPicture, draw_town
from eltoro.stage.streets import place_signs
from tests.eltoro.stage.towns import (
    EL_TORO,
    NAMES,
    all_choices,
    crowded,
    in_one_place,
    marks_for_choice,
    town,
    towns,
    wide_board,
)
from tests.properties import examples

# Tolerance in map units, because SVG attributes are rounded.
SLACK = 0.02
KINDS = ("runners", "bulls", "spaces", "signs")


def town_picture(
    rules: Rules, seen: Town, seat: int | None = None, marks: MapMarks | None = None
) -> TownPicture:
    return draw_town(seen, rules, names=NAMES[: seen.players], seat=seat, marks=marks or MapMarks())


def sides(hit: TapArea) -> tuple[float, float, float, float]:
    x, y = float(hit.box.x), float(hit.box.y)
    return x, y, x + float(hit.box.width), y + float(hit.box.height)


def do_not_overlap(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return (
        one[2] <= other[0] + SLACK
        or other[2] <= one[0] + SLACK
        or one[3] <= other[1] + SLACK
        or other[3] <= one[1] + SLACK
    )


def body(die: DrawnDie) -> tuple[float, float, float, float]:
    """Return the rectangle of a die without the horns of a bull."""
    half = 10 * die.scale
    return die.x - half, die.y - half, die.x + half, die.y + half


@pytest.mark.slow
@given(towns(), st.sampled_from([None, 0, 1]))
@settings(max_examples=examples(35))
def test_every_die_is_drawn_once_and_dice_do_not_overlap(
    given_town: tuple[Rules, Town], seat: int | None
) -> None:
    rules, seen = given_town
    shown = town_picture(rules, seen, seat)
    here = all_choices(rules, seen)
    assert {die.id for die in shown.dice} == here["runners"] | here["bulls"]
    assert len(shown.dice) == len(here["runners"]) + len(here["bulls"])
    boxes = [body(die) for die in shown.dice]
    assert all(do_not_overlap(*pair) for pair in itertools.combinations(boxes, 2))
    for left, top, right, bottom in boxes:
        assert 0 <= left < right <= shown.plan.width
        assert 0 <= top < bottom <= shown.plan.height
    assert all(die.scale * 22 >= SIZES[-1] for die in shown.runners)


@pytest.mark.slow
@given(towns(), st.sampled_from(KINDS), st.sampled_from(KINDS), st.booleans())
@settings(max_examples=examples(35))
def test_everything_that_can_be_chosen_has_exactly_one_large_control(
    given_town: tuple[Rules, Town], first: str, second: str, many: bool
) -> None:
    rules, seen = given_town
    here = all_choices(rules, seen)
    shown = town_picture(rules, seen, 0, marks_for_choice(here[first], here[second], many=many))
    on_map = [hit.control for hit in shown.hits if hit.kind == CHOOSE]
    below = [
        option.control for tray in shown.trays for group in tray.groups for option in group.options
    ]
    asked = [(here[first], "pick"), (here[second], "other")]
    wanted = [control_id(each, field) for ids, field in asked for each in ids]
    assert sorted(on_map + below) == sorted(wanted)
    boxes = [sides(hit) for hit in shown.hits]
    least = TAP_SIZE - SLACK
    assert all(right - left >= least and low - top >= least for left, top, right, low in boxes)
    assert all(do_not_overlap(*pair) for pair in itertools.combinations(boxes, 2))


@pytest.mark.slow
@given(towns(), st.sampled_from(KINDS))
@settings(max_examples=examples(15))
def test_links_on_the_map_lead_to_existing_parts_below_it(
    given_town: tuple[Rules, Town], kind: str
) -> None:
    rules, seen = given_town
    shown = town_picture(rules, seen, 1, marks_for_choice(all_choices(rules, seen)[kind]))
    anchors = {group.anchor for tray in shown.trays for group in tray.groups}
    assert {hit.control for hit in shown.hits if hit.kind == GO} <= anchors
    peeks = {peek.control for peek in shown.peeks}
    assert {hit.control for hit in shown.hits if hit.kind == LOOK} <= peeks


@pytest.mark.parametrize("players", range(2, 7))
def test_own_runners_have_large_controls_on_the_map_even_on_one_space(
    players: int,
) -> None:
    here = in_one_place(players)
    mine = frozenset(runner_id(0, number) for number in range(len(here.runners[0])))
    shown = town_picture(EL_TORO, here, 0, marks_for_choice(mine, many=True))
    assert {hit.id for hit in shown.hits if hit.kind == CHOOSE} == mine
    assert not shown.trays


def test_runners_without_room_on_the_map_are_listed_below_it() -> None:
    here = crowded()
    everybody = all_choices(EL_TORO, here)["runners"]
    shown = town_picture(EL_TORO, here, 0, marks_for_choice(everybody))
    laid = {hit.id for hit in shown.hits if hit.kind == CHOOSE}
    listed = {
        option.id for tray in shown.trays for group in tray.groups for option in group.options
    }
    assert laid | listed == everybody
    assert [group.name for tray in shown.trays for group in tray.groups] == [
        "Naranjo",
        "Molino",
        "Iglesia",
        "Pozo",
        "Muralla",
    ]


def test_bulls_have_controls_on_the_map_if_they_can_be_chosen() -> None:
    here = crowded()
    shown = town_picture(EL_TORO, here, 0, marks_for_choice(all_choices(EL_TORO, here)["bulls"]))
    assert {hit.id for hit in shown.hits if hit.kind == CHOOSE} == {f"T{n}" for n in range(1, 11)}


def test_only_the_listed_pieces_are_handled_by_the_script() -> None:
    here = crowded(players=2)
    marks = MapMarks(taps=frozenset({"a1", "molino", "T1"}))
    pressed = [hit for hit in town_picture(EL_TORO, here, 0, marks).hits if hit.kind == PRESS]
    assert {hit.id for hit in pressed} == {"a1", "molino", "T1"}


def test_path_sign_has_its_own_control_if_only_one_sign_of_a_fork_can_be_chosen() -> None:
    shown = town_picture(
        EL_TORO,
        crowded(),
        0,
        marks_for_choice(frozenset({"fuente/odd", "torre/odd", "torre/even"})),
    )
    forks = {(hit.kind, hit.id) for hit in shown.hits if hit.fork}
    assert forks == {(CHOOSE, "fuente/odd"), (GO, "torre")}
    heard = town_picture(EL_TORO, crowded(), 0, MapMarks(taps=frozenset({"fuente/odd"}))).hits
    assert [(hit.kind, hit.id) for hit in heard if hit.fork] == [(PRESS, "fuente/odd")]


def test_destination_d1_is_not_mistaken_for_the_runner_d1() -> None:
    assert space_ids("d1") == ("@d1",)
    assert space_ids("molino") == ("@molino", "molino")
    here = crowded()
    shown = town_picture(EL_TORO, here, 0, marks_for_choice(frozenset({"d1"})))
    assert [(hit.id, hit.round) for hit in shown.hits if hit.kind == CHOOSE] == [("d1", True)]


def test_only_rows_with_dice_are_drawn_enlarged() -> None:
    seen = crowded()
    shown = town_picture(EL_TORO, seen)
    large = {plaza.key for plaza in shown.plazas if plaza.large}
    assert large == {"naranjo", "molino", "iglesia", "pozo", "muralla"}
    assert shown.plan.width == 384
    assert not shown.plan.is_wide


def test_dice_of_six_players_in_one_row_are_at_least_24_units_wide() -> None:
    shown = town_picture(EL_TORO, crowded(bulls=6))
    assert min(die.scale * 22 for die in shown.runners) >= 24


def test_destinations_not_laid_out_yet_are_drawn_as_blank_cards() -> None:
    cards = town_picture(EL_TORO, replace(crowded(), destinations=())).cards
    assert [(card.name.text, card.points.text, card.icon) for card in cards][:2] == [
        ("D1", "", "any"),
        ("D2", "", "any"),
    ]


def test_board_wider_than_a_phone_is_marked_as_wide() -> None:
    rules = wide_board()
    assert town_picture(rules, crowded(rules, row=1)).plan.is_wide


def spotted(**xs: int) -> Rules:
    """Return the board El Toro with these x coordinates for its first row of roundabouts.

    All other rows have no coordinates.
    """
    lines = EL_TORO.board.text.strip().split("\n")
    keys = [line.split(",")[0] for line in lines]
    said = [f"{xs[key]},1" if key in xs else "," for key in keys[1:]]
    told = [f"{lines[0]},x,y", *(",".join(pair) for pair in zip(lines[1:], said, strict=True))]
    return Rules(board="\n".join([*told, ""]))


def test_coordinates_in_a_board_decide_where_spaces_are_drawn() -> None:
    rules = spotted(fuente=900, mercado=100, torre=400, mirador=650)
    for seen in (crowded(rules, row=2), crowded(rules, row=1)):
        plazas = {plaza.key: float(plaza.x) for plaza in town_picture(rules, seen).plazas}
        assert plazas["mercado"] < plazas["torre"] < plazas["mirador"] < plazas["fuente"]


def test_spaces_with_coordinates_too_close_together_are_spread_evenly() -> None:
    rules = spotted(fuente=1, mercado=2, torre=900, mirador=650)
    seen = crowded(rules, row=2)
    assert town_picture(rules, seen).plan.plazas == town_picture(EL_TORO, crowded()).plan.plazas


def test_dice_not_yet_placed_are_drawn_above_the_starting_spaces() -> None:
    seen = town([[Die(-1, 1), Die(0, 2)], [Die(1, 3), None]])
    shown = town_picture(EL_TORO, seen, 0)
    assert shown.plan.gate is not None
    waiting = next(die for die in shown.dice if die.id == "a1")
    assert waiting.y < min(plaza.top for plaza in shown.plan.plazas)
    assert shown.lines[0].sentence == "not yet placed: you 1."


def test_css_classes_of_dice_show_what_happens_to_them() -> None:
    mill = EL_TORO.board.find_space("molino")
    seen = town([[Die(mill, 4), None], [Die(mill, 4), Die(mill, 2)]], [Die(mill, 4)])
    marks = MapMarks(
        again=frozenset({"a1"}),
        moved=frozenset({"T1"}),
        fallen=(FallenRunner(runner="a2", space="molino", face=4),),
        highlighted="b2",
    )
    dice = {die.id: die.classes for die in town_picture(EL_TORO, seen, marks=marks).dice}
    assert dice == {
        "a1": "is-again",
        "a2": "is-tramp",
        "b1": "",
        "b2": "is-shown",
        "T1": "is-moved",
    }


def test_signs_are_drawn_on_the_side_of_their_path_with_their_tokens() -> None:
    mercado = EL_TORO.board.find_space("mercado")
    seen = town([[Die(mercado, 2)], [Die(mercado, 3)]], tokens={(mercado, 1): 1})
    hung = {sign.id: sign for sign in town_picture(EL_TORO, seen).signs}
    assert float(hung["mercado/even"].word.x) < float(hung["mercado/odd"].word.x)
    assert (hung["mercado/odd"].letter, hung["mercado/odd"].mark) == ("N", 2)
    assert hung["mercado/even"].seat is None


@pytest.mark.parametrize("spoken", [("EVEN", "ODD"), ("PAR", "IMPAR"), ("GERADE", "UNGERADE")])
def test_signs_of_neighbouring_forks_do_not_touch_in_any_language(spoken: tuple[str, str]) -> None:
    rules = PROFILES["la-cuesta"]
    plan = town_picture(rules, crowded(rules, row=2)).plan
    hung = sorted(place_signs(rules.board, plan, spoken), key=lambda sign: (round(sign.y), sign.x))
    for left, right in itertools.pairwise(hung):
        if round(left.y) == round(right.y):
            assert left.x + left.width / 2 < right.x - right.width / 2


@pytest.mark.parametrize(
    ("face", "tokens", "to"),
    [
        (2, {}, "molino"),
        (3, {}, "iglesia"),
        (2, {1: 0}, "iglesia"),
        (2, {1: 1}, "molino"),
        (2, {0: 0, 1: 0}, "molino"),
    ],
)
def test_path_of_a_runner_begins_with_the_direction_it_will_take(
    face: int, tokens: dict[int, int], to: str
) -> None:
    board = EL_TORO.board
    mercado = board.find_space("mercado")
    lying = {(mercado, parity): seat for parity, seat in tokens.items()}
    seen = town([[Die(mercado, face)], [Die(mercado, 1)]], tokens=lying)
    way = RunnerRoute(runner="a1", arrives={"d1": 0.004, "d2": 0.5}, trampled=0.496)
    shown = town_picture(EL_TORO, seen, 0, MapMarks(way=way))
    assert shown.way is not None
    end = shown.plan.plazas[board.find_space(to)]
    assert shown.way.next.endswith(f"{end.x:.5g} {end.top + 7:.5g}")
    assert [card.chance.text for card in shown.cards if card.chance] == [
        "<1\N{NO-BREAK SPACE}%",
        "50\N{NO-BREAK SPACE}%",
    ]
    assert shown.way.trampled == "50\N{NO-BREAK SPACE}%"


def test_trampled_runner_has_no_path() -> None:
    seen = town([[None], [Die(0, 2)]])
    assert town_picture(EL_TORO, seen, marks=MapMarks(way=RunnerRoute(runner="a1"))).way is None


@pytest.mark.slow
@given(towns())
@settings(max_examples=examples(15))
def test_houses_in_the_background_do_not_cover_spaces(given_town: tuple[Rules, Town]) -> None:
    rules, seen = given_town
    shown = town_picture(rules, seen)
    for house in shown.backdrop.houses:
        for plaza in shown.plan.plazas:
            inside = abs(house.x - plaza.x) < plaza.width / 2
            assert not (inside and plaza.top < house.y - 6 < plaza.bottom)


def test_drawing_the_same_position_twice_gives_equal_pictures() -> None:
    assert town_picture(EL_TORO, crowded(), 1) == town_picture(EL_TORO, crowded(), 1)
