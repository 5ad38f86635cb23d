"""The oracle against the rulebook's own examples and each ruling, a case in a line or few."""

from __future__ import annotations

import pytest

from fairness import Chance
from tests.eltoro.oracle.choices import legal_moves, legal_plays, legal_starts
from tests.eltoro.oracle.course import (
    check,
    end_evening,
    play,
    play_all,
)
from tests.eltoro.oracle.draw_pile import deal, draw_one
from tests.eltoro.oracle.laying import Loaded, asked, dice_of, laid_out, played, shown
from tests.eltoro.oracle.morning import (
    lay_destinations,
    let_late_bulls_in,
    pay_effects,
    roll_runners,
    unplaced,
)
from tests.eltoro.oracle.papers import (
    neighbours,
    pack_of_cards,
    pack_of_destinations,
    read_board,
    read_cards,
    read_destinations,
    signs,
)
from tests.eltoro.oracle.shelf import BOARDS, CARDS, DESTINATIONS, shipped
from tests.eltoro.oracle.stacked import some_setting
from tests.eltoro.oracle.street import charge, move_bulls, move_runners, score_day
from tests.eltoro.oracle.strolling import stroll
from tests.eltoro.oracle.town import (
    RefusedMoveError,
    places_by,
    runners_of,
    tokens_left,
    totals,
)

RESTAURANT, NIGHTCLUB, PIER, BOOKSTORE, CHINA_SHOP, FESTIVAL, CASINO, BANK = range(8)


def test_the_box() -> None:
    assert len(pack_of_cards(read_cards(CARDS))) == 52
    assert len(pack_of_destinations(read_destinations(DESTINATIONS))) == 10
    board = read_board(BOARDS["el-toro"])
    assert (board["steps"], len(signs(board))) == (4, 28)
    assert neighbours(board, "fuente") == ["mercado"]
    assert neighbours(board, "mercado") == ["fuente", "torre"]


# the rulebook's examples


def test_a_token_leads_all_runners_of_its_colour() -> None:
    town = laid_out("b1@fuente:3 b2@fuente:4 a1@fuente:3 a2@fuente:4").town
    town.tokens = {"fuente/even": 1}
    move_runners(town)
    assert shown(town.runners) == "b1@molino:3 b2@molino:4 a1@naranjo:3 a2@molino:4"


def test_both_signs_with_one_colour_is_as_without() -> None:
    town = laid_out("b1@fuente:3 b2@fuente:4").town
    town.tokens = {"fuente/even": 1, "fuente/odd": 1}
    move_runners(town)
    assert shown(town.runners) == "b1@naranjo:3 b2@molino:4"


def test_the_charge_of_a_two_and_a_four() -> None:
    town = laid_out(
        "a1@molino:2 a2@molino:2 a3@molino:5 b1@molino:2 b2@molino:4",
        "T1@molino:2 T2@molino:4",
        [4, 6, 2, 1],
    ).town
    charge(town)
    assert shown(town.runners) == "a2@molino:6 a3@molino:5 b2@molino:1"


def test_two_at_the_restaurant_and_two_at_the_nightclub_are_fourteen() -> None:
    town = laid_out("a1@d2:1 a2@d2:3 a3@d4:6 a4@d4:6").town
    town.laid = [PIER, RESTAURANT, BANK, NIGHTCLUB, CASINO]
    before = totals(town)
    score_day(town)
    assert totals(town) == [before[0] + 14, before[1]]
    assert town.arrived == [[RESTAURANT, NIGHTCLUB], []]
    roll_wished = Loaded([2] * 17)
    town.dice = roll_wished
    roll_runners(town)
    assert [len(runners_of(town, seat)) for seat in (0, 1)] == [8, 9]


# E-1, E-3: the morning


@pytest.mark.parametrize(("players", "runners"), [(2, 9), (3, 8), (4, 6), (5, 6), (6, 6)])
def test_how_many_runners(players: int, runners: int) -> None:
    town = shipped("el-toro", players, 1, bytes(32)).town
    assert [len(runners_of(town, seat)) for seat in range(players)] == [runners] * players


def test_never_without_a_runner() -> None:
    town = laid_out(faces=[2] * 20).town
    town.arrived[0] = [NIGHTCLUB] * 20
    roll_runners(town)
    assert len(runners_of(town, 0)) == 1


def test_five_bulls_first_the_sixth_after_the_ones() -> None:
    course = shipped("el-toro", 2, 1, bytes(32))
    assert [die.space for die in course.town.bulls.values()] == ["2", "3", "4", "5", "6"]
    assert course.town.phase == "morning"
    while course.town.phase == "morning":
        play(course, next(legal_starts(course.town)))
    assert str(course.town.bulls["T6"].face) == course.town.bulls["T6"].space
    assert (course.town.step, course.town.phase) == (1, "cards")


def test_late_bulls_roll_again_after_a_one() -> None:
    town = laid_out(bulls="T1@2:1", faces=[1, 1, 3, 6]).town
    town.arrived = [[CHINA_SHOP], []]
    let_late_bulls_in(town)
    assert shown(town.bulls) == "T1@2:1 T6@3:3 T7@6:6"


def test_two_players_bulls_add_up_to_ten_and_no_further() -> None:
    town = laid_out(faces=[2] * 9, players=6).town
    town.arrived = [[CHINA_SHOP]] * 6
    let_late_bulls_in(town)
    assert list(town.bulls) == ["T6", "T7", "T8", "T9", "T10"]


@pytest.mark.parametrize(
    ("text", "ruling"),
    [
        ("start a1>2 a4>6", None),
        ("start a4>6 a1>6", None),
        ("start a1>2", "E-3"),
        ("start a1>2 a4>6 a4>6", "E-3"),
        ("start a1>2 a4>fuente", "E-3"),
        ("start a1>2 a4>1", "E-3"),
        ("start a1>2 b1>3", "E-3"),
        ("start", "E-3"),
        ("play", "E-4"),
        ("discard", "E-4"),
        ("Start a1>2 a4>6", "notation"),
        ("start a1>2  a4>6", None),
        ("start a1> 2 a4>6", "E-3"),
    ],
)
def test_ones_are_placed(text: str, ruling: str | None) -> None:
    town = laid_out("a1@:1 a2@3:3 a4@:1 b1@:1").town
    for die in town.runners.values():
        die.space = die.space or None
    town.phase, town.waiting = "morning", [0]
    assert unplaced(town, 0) == ["a1", "a4"]
    assert refusal_of(lambda: check(town, text)) == ruling


def refusal_of(deed: object) -> str | None:
    """The ruling by which something is refused."""
    assert callable(deed)
    try:
        deed()
    except RefusedMoveError as refusal:
        return refusal.ruling
    return None


# E-4, E-5, E-6: the step


def test_bulls_ignore_tokens() -> None:
    town = laid_out(bulls="T1@fuente:3").town
    town.tokens = {"fuente/even": 0}
    move_bulls(town)
    assert shown(town.bulls) == "T1@naranjo:3"


def test_one_colour_on_each_sign() -> None:
    town = laid_out("a1@fuente:3 b1@fuente:4 a2@2:3").town
    town.tokens = {"fuente/even": 0, "fuente/odd": 1}
    move_runners(town)
    assert shown(town.runners) == "a1@molino:3 b1@naranjo:4 a2@fuente:3"


def test_rolled_once_in_the_order_of_the_board() -> None:
    town = laid_out(
        "a1@molino:5 b2@fuente:2 a9@fuente:2 a2@fuente:2 b1@molino:5",
        "T1@molino:5 T2@fuente:2 T3@fuente:1",
        [1, 3, 4, 5, 2],
    ).town
    town.first = 1
    charge(town)
    # fuente: b2 a2 a9; molino: b1 a1
    assert shown(town.runners) == "a1@molino:2 a9@fuente:4 a2@fuente:3"


def test_a_step_with_no_cards_goes_on_by_itself_and_the_token_goes_round() -> None:
    course = shipped("el-toro", 3, 1, bytes(32))
    while course.town.phase == "morning":
        play(course, next(legal_starts(course.town)))
    course.town.hands = [[], ["lottery"], []]
    course.town.waiting = [1]
    play(course, "play lottery")
    assert (course.town.phase, course.town.first, course.town.waiting) == ("over", 1, [])
    assert [name for name, _ in course.pictures[-5:]] == [
        "runners", "bulls", "charge", "token", "score",
    ]  # fmt: skip
    assert refusal_of(lambda: play(course, "play lottery")) == "E-9"


RUNNERS = "a1@fuente:1 a2@fuente:6 a3@torre:4 b1@fuente:3 b2@mirador:6"
BULLS = "T1@fuente:6 T2@mercado:1 T3@fuente:2"


@pytest.mark.parametrize(
    ("text", "faces", "after"),
    [
        ("play second-wind a3 a1", [2, 5], "a1:5 a3:2"),
        ("play second-wind a3", [2], "a3:2"),
        ("play second-wind", [], ""),
        ("play elbow b2", [1], "b2:1"),
        ("play scare b1 b2", [5, 4], "b1:5 b2:4"),
        ("play crush @fuente", [2, 3, 4], "a1:2 a2:3 b1:4"),
        ("play crush @mercado", [], ""),
        ("play brass-band @mirador", [], ""),
        ("play regroup @fuente", [2, 3], "a1:2 a2:3"),
        ("play regroup", [], ""),
        ("play siesta", [2, 3, 1], "a1:2 a2:3 a3:1"),
        ("play sidestep a1+", [], "a1:2"),
        ("play nudge b2-", [], "b2:5"),
        ("play merry-go-round a2+ a1-", [], "a1:6 a2:1"),
        ("play merry-go-round a3+ a2-", [], "a2:5 a3:5"),
        ("play somersault a1", [], "a1:6"),
        ("play odd-sandal a1 b2", [], "b2:5"),
        ("play odd-sandal a3 a2", [], "a2:5 a3:3"),
        ("play even-keel a1 b1", [], "a1:2 b1:4"),
        ("play good-eye a1=5", [], "a1:5"),
        ("play good-eye a1=1", [], ""),
        ("play swapped-hats a1~b2", [], "a1:6 b2:1"),
        ("play firecracker T2", [1], "T2:1"),
        ("play firecracker T1", [3], "T1:3"),
        ("play brass-band @fuente", [3, 4], "T1:3 T3:4"),
        ("play red-cape T1-", [], "T1:5"),
        ("play about-turn T2", [], "T2:6"),
        ("play cowbell T2>torre", [], "T2@torre"),
        ("play cowbell T1>mercado", [], "T1@mercado"),
        ("play stray @mirador", [1], "T4@mirador:1"),
    ],
)
def test_what_cards_do(text: str, faces: list[int], after: str) -> None:
    course = laid_out(RUNNERS, BULLS, faces)
    expected = {**dice_of(RUNNERS), **dice_of(BULLS)}
    for word in after.split():
        name, face = word.partition("@")[0].partition(":")[0], word.partition(":")[2]
        if "@" in word:
            expected.setdefault(name, dice_of(word)[name] if face else expected[name])
            expected[name].space = word.partition("@")[2].partition(":")[0]
        if face:
            expected[name].face = int(face)
    town = played(course, text)
    assert shown({**town.runners, **town.bulls}) == shown(expected)
    assert isinstance(town.dice, Loaded)
    assert town.dice.faces == []


@pytest.mark.parametrize(
    ("text", "ruling"),
    [
        ("play second-wind a1 a2 a3", "E-10"),
        ("play second-wind a1 a1", "E-10"),
        ("play second-wind a4", "E-6"),
        ("play second-wind b1", "E-10"),
        ("play second-wind T1", "E-6"),
        ("play elbow a1", "E-10"),
        ("play scare b1 a1", "E-10"),
        ("play crush fuente", "E-2"),
        ("play crush @plaza", "E-2"),
        ("play crush @fuente @molino", "E-10"),
        ("play siesta a1", "E-10"),
        ("play sidestep a2+", "E-6"),
        ("play sidestep a1-", "E-6"),
        ("play sidestep a1", "E-6"),
        ("play nudge b2+", "E-6"),
        ("play merry-go-round a1+ a1+", "E-10"),
        ("play good-eye a1=7", "notation"),
        ("play good-eye a1=0", "notation"),
        ("play swapped-hats a1~a2", "E-10"),
        ("play swapped-hats b1~a1", "E-10"),
        ("play swapped-hats a1", "E-6"),
        ("play firecracker T4", "E-6"),
        ("play firecracker T1 T2", "E-10"),
        ("play red-cape T1+", "E-6"),
        ("play cowbell T1>torre", "E-2"),
        ("play cowbell T1>fuente", "E-2"),
        ("play cowbell T1>molino", "E-2"),
        ("play stray @molino", "E-4"),
        ("play crush @molino", "E-4"),
        ("play brass-band @2", "E-4"),
        ("play road-sweeper fuente/odd", "E-5"),
        ("play churros a1", "E-10"),
        ("play lottery 3", "E-10"),
        ("play nothing", "E-4"),
        ("start", "E-4"),
        ("discard", "E-4"),
        ("play", "E-4"),
        ("", "notation"),
    ],
)
def test_what_cards_cannot_be_aimed_at(text: str, ruling: str) -> None:
    course = laid_out(RUNNERS, BULLS)
    held = text.split()[1] if text.startswith("play ") and "nothing" not in text else "churros"
    asked(course, held)
    assert refusal_of(lambda: play(course, text)) == ruling


def test_points_of_cards() -> None:
    course = laid_out(RUNNERS, BULLS)
    course.town.points = [[0, 0]]
    assert totals(played(course, "play lottery", 1)) == [0, 2]
    assert totals(played(course, "play daredevil")) == [2, 2]
    assert totals(played(course, "play daredevil", 1)) == [2, 3]


def test_daredevils_get_three_at_most() -> None:
    course = laid_out("a1@torre:1 a2@torre:2 a3@torre:6 a4@torre:4", "T1@torre:3")
    course.town.points = [[0, 0]]
    assert totals(played(course, "play daredevil")) == [3, 0]


def test_ten_bulls_and_no_more() -> None:
    course = laid_out(bulls=" ".join(f"T{at}@torre:1" for at in range(1, 11)))
    asked(course, "stray")
    assert refusal_of(lambda: play(course, "play stray @torre")) == "E-1"
    play(course, "play stray")


@pytest.mark.parametrize(
    ("tokens", "text", "after"),
    [
        ({}, "play street-sign fuente/odd", {"fuente/odd": 0}),
        ({"fuente/odd": 1}, "play street-sign fuente/odd", {"fuente/odd": 0}),
        ({"fuente/odd": 0}, "play street-sign fuente/odd", "E-5"),
        ({"fuente/odd": 0}, "play street-sign fuente/odd>fuente/even", "E-5"),
        ({}, "play street-sign naranjo/odd", "E-5"),
        ({}, "play street-sign naranjo", "E-5"),
        ({"4/odd": 1}, "play road-sweeper 4/odd", {}),
        ({"4/odd": 0}, "play road-sweeper 4/odd", {}),
        ({}, "play road-sweeper", {}),
    ],
)
def test_tokens(tokens: dict[str, int], text: str, after: object) -> None:
    course = asked(laid_out(), text.split()[1])
    course.town.tokens = dict(tokens)
    refused = refusal_of(lambda: play(course, text))
    assert (refused or course.town.tokens) == after


def test_who_has_no_token_left_moves_an_own_one() -> None:
    course = laid_out()
    course.town.tokens = {"3/odd": 0, "3/even": 0, "4/odd": 0, "4/even": 1}
    assert tokens_left(course.town, 0) == 0
    asked(course, "street-sign")
    for text in ("5/odd", "4/even>5/odd", "3/odd>3/odd", "3/odd>3/even", "5/odd>5/even"):
        assert refusal_of(lambda: play(course, f"play street-sign {text}")) == "E-5"  # noqa: B023
    play(course, "play street-sign 3/odd>4/even")
    assert course.town.tokens == {"3/even": 0, "4/odd": 0, "4/even": 0}
    assert tokens_left(course.town, 1) == 3


# E-7, E-8, E-9: score, evening, end


def test_what_destinations_give_next_day() -> None:
    town = laid_out(faces=[5, 4]).town
    town.points = [[0, 0]]
    town.arrived = [[CASINO, BANK], [CASINO, RESTAURANT]]
    pay_effects(town)
    assert town.points == [[2, 4]]


def test_bookstores_add_up_and_a_fuller_hand_stays() -> None:
    town = laid_out().town
    town.arrived = [[BOOKSTORE, BOOKSTORE], []]
    town.hands = [[], ["elbow"] * 6]
    deal(town)
    assert [len(held) for held in town.hands] == [7, 6]


def test_discards_are_shuffled_only_when_a_card_is_needed() -> None:
    town = laid_out().town
    town.deck, town.discards = ["siesta"], ["crush", "elbow"]
    draw_one(town, 0)
    assert (town.deck, town.discards) == ([], ["crush", "elbow"])
    draw_one(town, 0)
    draw_one(town, 0)
    draw_one(town, 0)
    assert sorted(town.hands[0]) == ["crush", "elbow", "siesta"]


def test_the_card_being_played_is_not_yet_discarded() -> None:
    course = laid_out()
    course.town.deck, course.town.discards = [], []
    town = played(course, "play churros")
    assert (town.hands[0], town.discards) == ([], ["churros"])


def test_the_festival_gives_the_token_before_the_deal() -> None:
    course = laid_out(players=4)
    course.town.first = 2
    course.town.arrived = [[FESTIVAL], [FESTIVAL], [], []]
    course.town.phase = "evening"
    course.town.deck = ["elbow"] * 19 + ["crush"]
    end_evening(course)
    assert course.town.first == 0
    assert "crush" in course.town.hands[0]


def test_discards_of_the_evening() -> None:
    course = laid_out()
    course.town.phase = "evening"
    course.town.hands[0] = ["elbow", "elbow", "crush"]
    course.town.waiting = [0, 0]
    town = course.town
    assert refusal_of(lambda: check(town, "discard elbow elbow elbow")) == "E-8"
    assert refusal_of(lambda: check(town, "discard scare")) == "E-8"
    play(course, "discard crush elbow")
    assert town.hands[0] == ["elbow"]
    assert town.discards == ["crush", "elbow"]


@pytest.mark.parametrize(
    ("total", "last", "places"),
    [
        ([5, 9, 7], [0, 0, 0], [3, 1, 2]),
        ([9, 9, 7], [1, 2, 9], [2, 1, 3]),
        ([9, 9, 7], [2, 2, 9], [1, 1, 3]),
        ([-2, -1], [0, -9], [2, 1]),
    ],
)
def test_places(total: list[int], last: list[int], places: list[int]) -> None:
    assert places_by(total, last) == places


# the whole


def test_destinations_are_laid_from_the_end_of_the_pile() -> None:
    town = laid_out().town
    town.dice = Chance(bytes(32), "day/2")
    pile = Chance(bytes(32), "day/2").shuffled(pack_of_destinations(town.destinations))
    lay_destinations(town)
    assert town.laid == pile[:-6:-1]


def test_a_game_from_its_record() -> None:
    chance = Chance(bytes(32), "whole games")
    for _ in range(6):
        setting = some_setting(chance)
        course, again = setting.begin(), setting.begin()
        moves = stroll(course, chance)
        assert play_all(again, moves) is None
        assert again.pictures == course.pictures
        town = course.town
        cards = [card for held in [*town.hands, town.deck, town.discards] for card in held]
        assert sorted(cards) == sorted(pack_of_cards(town.cards))


def test_the_enumerator_finds_every_way_to_place_and_play() -> None:
    course = laid_out("a1@fuente:1 a2@fuente:6 b1@torre:3", "T1@fuente:6")
    assert len(list(legal_plays(asked(course, "second-wind").town, "second-wind"))) == 5
    assert len(list(legal_plays(asked(course, "sidestep").town, "sidestep"))) == 3
    assert len(list(legal_plays(asked(course, "swapped-hats").town, "swapped-hats"))) == 3
    assert len(list(legal_plays(asked(course, "stray").town, "stray"))) == 5
    assert list(legal_plays(asked(course, "siesta").town, "siesta")) == ["play siesta"]
    assert len(legal_moves(course.town)) == 17
