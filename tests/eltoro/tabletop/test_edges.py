"""Limits of boards of real games: which entries are accepted when, and the last values allowed."""

from __future__ import annotations

import pytest

from eltoro.engine import BoardEntry, DueEntryKind, EntryError, RealBoard, Rules
from fairness import Seed
from tests.eltoro.tabletop.kept import (
    DESTINATIONS,
    KINDS,
    RULES,
    board_after,
    by_hand,
    morning,
    spaces,
    two_casinos,
)


def refusal(kept: RealBoard, text: str) -> str:
    """Return the code with which an entry is rejected, or an empty text if it is accepted."""
    try:
        kept.record(text)
    except EntryError as refused:
        return refused.code
    return ""


# One entry for each kind that can be accepted when it is due.
ENTRIES = {
    "lay": f"lay {DESTINATIONS}",
    "dice": "dice b=4",
    "bulls": "bulls 35162",
    "runners": "runners a=122222222 b=333333333",
    "start": "start a1>4",
    "herd": "bulls 4",
    "face": "face a1=4",
    "move": "move T1>4",
    "lead": "lead a1>4",
    "addbull": "addbull 4=2",
    "token": "token a 3/even",
    "untoken": "untoken 4/even",
    "points": "points a 1",
    "first": "first b",
    "advance": "advance",
    "charge": "charge a1=4",
    "evening": "evening",
}
IN_TURN = {
    DueEntryKind.LAY: {"lay"},
    DueEntryKind.BULLS: {"bulls", "herd"},
    DueEntryKind.RUNNERS: {"runners"},
    DueEntryKind.START: {"start"},
    DueEntryKind.HERD: {"herd", "bulls"},
    DueEntryKind.CARDS: {"face", "move", "lead", "addbull", "token", "untoken", "advance"},
    DueEntryKind.CHARGE: {"charge"},
    DueEntryKind.EVENING: {"evening"},
    DueEntryKind.DICE: {"dice"},
    DueEntryKind.OVER: set(),
}


@pytest.fixture(scope="module")
def boards() -> dict[DueEntryKind, RealBoard]:
    """Boards at each point of a game. Tests must not change them."""
    kept, found = by_hand(), {}
    for verb in ("lay", "bulls", "runners", "start", "herd"):
        found[kept.due] = kept
        kept = kept.record(ENTRIES[verb])
    found[DueEntryKind.CARDS] = kept = kept.record("token b 4/even")
    found[DueEntryKind.CHARGE] = kept.record("move T1>4").record("face a1=5 T1=5").record("advance")
    assert found[DueEntryKind.CHARGE].charging == ("a1",)
    found[DueEntryKind.EVENING] = arrived("b:casino")
    found[DueEntryKind.DICE] = found[DueEntryKind.EVENING].record("evening")
    found[DueEntryKind.OVER] = arrived("b:casino", days=1)
    return found


# For each of these five destinations: the space and the face of a die that moves to it.
WAYS = {
    "restaurant": ("lonja", 5), "bank": ("lonja", 4), "casino": ("arenal", 4),
    "festival": ("arenal", 5), "pier": ("faro", 4),
}  # fmt: skip


def arrived(*who: str, players: int = 2, days: int = 3, first: str = "a") -> RealBoard:
    """Return a day that ends with these runners (such as `b:casino`) at these destinations.

    All other runners are at the pier, and no bull is near.
    """
    rules = Rules(destinations=KINDS, days=days)
    letters = "abcdef"[:players]
    dice = " ".join(f"{letter}={'6' * rules.runners(players)}" for letter in letters)
    kept = morning(dice, "11111", "2", players, rules).record(f"first {first}")
    for _step in range(3):
        kept = kept.record("advance")
        assert kept.due is DueEntryKind.CARDS
    names = [f"{letter}{n}" for letter in letters for n in range(1, rules.runners(players) + 1)]
    places = dict.fromkeys(names, "pier")
    for number, one in enumerate(who, start=1):
        letter, _colon, key = one.partition(":")
        places[f"{letter}{number}"] = key
    for at in range(0, len(names), 12):
        some = names[at : at + 12]
        kept = kept.record("lead " + " ".join(f"{name}>{WAYS[places[name]][0]}" for name in some))
        kept = kept.record("face " + " ".join(f"{name}={WAYS[places[name]][1]}" for name in some))
    bulls = [f"T{number}" for number in range(1, 7)]
    kept = kept.record("move " + " ".join(f"{name}>lonja" for name in bulls))
    return kept.record("face " + " ".join(f"{name}=1" for name in bulls)).record("advance")


@pytest.mark.parametrize("due", list(IN_TURN))
def test_each_kind_of_entry_is_accepted_only_when_it_is_due(
    boards: dict[DueEntryKind, RealBoard], due: DueEntryKind
) -> None:
    """Points and the first-player token may be entered at any time."""
    kept = boards[due]
    assert kept.due is due
    assert (kept.tomorrow is not None) == (due is DueEntryKind.EVENING)
    for verb, text in ENTRIES.items():
        can = verb in IN_TURN[due] | {"points", "first"}
        assert (refusal(kept, text) != "not_now") == can, verb
        if can and verb in IN_TURN[due]:
            assert refusal(kept, text) in {"", "count"}, verb


TOKENS = [
    # Each case: the tokens placed before, the entry, and the expected error or the number of tokens
    # left by seat.
    ([], "token a 3/even", (2, 3)),
    ([], "token b 3/even", (3, 2)),
    ([], "token a faro/odd", (2, 3)),  # a sign further down the board
    ([], "token c 3/even", "no_seat"),
    ([], "token a 2/even", "no_sign"),  # this space is no fork, so it has no signs
    (["a 3/even", "a 3/odd"], "token a 4/even", (0, 3)),
    (["a 3/even", "a 3/odd", "a 4/even"], "token a 4/odd", "no_token_left"),
    (["a 3/even", "a 3/odd", "a 4/even"], "token b 4/odd", (0, 2)),
    (["a 3/even", "a 3/odd", "a 4/even"], "token a 4/even>4/odd", (0, 3)),
    (["a 3/even", "a 3/odd", "a 4/even", "b 4/odd"], "token a 4/odd", "no_token_left"),
    (["a 3/even", "a 3/odd", "a 4/even", "b 4/odd"], "token a 3/odd>4/odd", (0, 3)),
    (["a 3/even"], "token a 3/even", "own_token"),
    (["a 3/even"], "token b 3/even", (3, 2)),
    (["a 3/even"], "token a 3/even>4/even", "tokens_left"),
    (["a 3/even", "a 3/odd"], "token a 3/even>4/even", "tokens_left"),
    (["b 3/even"], "token a 3/even>4/even", "tokens_left"),
    (["a 3/even", "a 3/odd", "a 4/even"], "token a 3/even>3/even", "own_token"),
    (["a 3/even", "a 3/odd", "a 4/even"], "token a 3/even>4/even", "own_token"),
    (["a 3/even", "a 3/odd", "a 4/even"], "token a 4/odd>5/even", "not_own_token"),
    (["a 3/even", "a 3/odd", "a 4/even", "b 4/odd"], "token a 4/odd>5/even", "not_own_token"),
    (["a 3/even", "a 3/odd", "a 4/even"], "token a 3/even>2/even", "no_sign"),
    (["a 3/even", "a 3/odd", "a 4/even"], "token a 2/even>4/odd", "no_sign"),
    (["a 3/even", "b 4/odd"], "untoken 3/even", (3, 2)),
    (["a 3/even", "b 4/odd"], "untoken 4/odd", (2, 3)),
    (["a 3/even"], "untoken 3/odd", "no_token"),
    ([], "untoken 2/odd", "no_sign"),
]


@pytest.mark.parametrize(("laid", "entry", "found"), TOKENS)
def test_ruling_e_5_direction_tokens_are_placed_moved_and_removed(
    laid: list[str], entry: str, found: str | tuple[int, int]
) -> None:
    kept = board_after(morning(), [f"token {one}" for one in laid])
    if isinstance(found, str):
        assert refusal(kept, entry) == found
        return
    done = kept.record(entry)
    assert done.town().tokens_left == found
    assert len(done.town().tokens) == 6 - sum(found)
    assert kept.town().tokens_left == tuple(3 - sum(s[0] == c for s in laid) for c in "ab")


SIGNS = [
    # Each case: the tokens at the fork of starting space 3, the face of a runner of player a, and
    # the space to which the runner moves.
    ([], 4, "mercado"),
    ([], 3, "fuente"),
    (["a 3/even"], 3, "mercado"),
    (["a 3/even"], 4, "mercado"),
    (["a 3/odd"], 4, "fuente"),
    (["a 3/odd"], 3, "fuente"),
    (["a 3/even", "a 3/odd"], 4, "mercado"),
    (["a 3/even", "a 3/odd"], 3, "fuente"),
    (["b 3/even"], 3, "fuente"),
    (["b 3/odd"], 4, "mercado"),
    (["a 3/even", "b 3/odd"], 3, "mercado"),
    (["b 3/even", "a 3/odd"], 4, "fuente"),
    (["a 4/even"], 3, "fuente"),
]


@pytest.mark.parametrize(("laid", "face", "space"), SIGNS)
def test_ruling_e_5_token_of_its_owner_decides_the_way_of_a_runner_at_a_fork(
    laid: list[str], face: int, space: str
) -> None:
    """Without such a token the parity of the runner decides, as it always does for bulls."""
    kept = morning("a=333333333 b=666666666", "11111", "2")
    kept = board_after(kept, [*(f"token {one}" for one in laid), f"face a1={face}"])
    bulls = kept.record("move T1>3 T2>4").record(f"face T1={3 if face == 4 else 4}")
    done = bulls.record("advance")
    board = done.rules.board
    assert spaces(done, 0)[0] == f"{space}:{face}"
    went = board.spaces[done.town().bulls[0].space].key
    assert went == ("mercado" if face == 3 else "fuente")


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("first", ["a", "b"])
def test_ruling_e_4_first_player_token_passes_to_the_left_after_each_step(
    players: int, first: str
) -> None:
    kept = arrived(players=players, first=first)
    assert kept.town().first == ("ab".index(first) + 4) % players, "after the last step too"
    assert kept.record("evening").town().first == kept.town().first


FESTIVAL = [
    # Each case: the players who reached the destination festival, the first player of the day, the
    # first player of the next day, and the number of players.
    ([], "a", 1, 3),
    (["a"], "a", 0, 3),
    (["b"], "a", 1, 3),
    (["c"], "a", 2, 3),
    (["a", "c"], "a", 2, 3),  # b has the token, so c comes before a
    (["a", "b"], "a", 1, 3),
    (["a", "b"], "b", 0, 3),
    (["a", "b"], "a", 0, 2),
]


@pytest.mark.parametrize(("seats", "first", "next_first", "players"), FESTIVAL)
def test_ruling_e_7_festival_effect_gives_the_first_player_token_to_the_next_in_turn(
    seats: list[str], first: str, next_first: int, players: int
) -> None:
    kept = arrived(*(f"{seat}:festival" for seat in seats), players=players, first=first)
    assert kept.record("evening").town().first == next_first


@pytest.mark.parametrize(("face", "points"), [(1, -1), (2, 2), (3, -1), (4, 4), (5, -1), (6, 6)])
def test_ruling_e_7_casino_die_of_a_board_gives_or_costs_points(
    boards: dict[DueEntryKind, RealBoard], face: int, points: int
) -> None:
    kept = boards[DueEntryKind.DICE]
    assert refusal(kept, "dice a=4") == "no_die_due"
    assert refusal(kept, f"dice a=4 b={face}") == "no_die_due"
    before = kept.totals
    done = kept.record(f"dice b={face}")
    assert done.due is DueEntryKind.LAY
    assert done.totals == (before[0], before[1] + points)


TWO_DICE = [
    # Each case: the entries for the dice of player b, who reached two casinos, and the expected
    # points or error code.
    (["dice b=4"], "dice"),  # a second die is still due
    (["dice b=46"], 10),
    (["dice b=4", "dice b=6"], 10),
    (["dice b=35"], -2),
    (["dice b=462"], "count_of"),
    (["dice b=4", "dice b=62"], "count_of"),
    (["dice a=4"], "no_die_due"),
]


@pytest.mark.parametrize(("entries", "found"), TWO_DICE)
def test_ruling_e_7_one_die_must_be_entered_for_each_casino_reached(
    entries: list[str], found: str | int
) -> None:
    kept = two_casinos()
    assert list(kept.state.due_dice()) == ["b", "b"]
    before = kept.totals
    done = board_after(kept, entries[:-1])
    if isinstance(found, str) and found != "dice":
        assert refusal(done, entries[-1]) == found
        return
    done = done.record(entries[-1])
    if found == "dice":
        assert done.due is DueEntryKind.DICE
        return
    assert (done.due, done.totals) == (DueEntryKind.LAY, (before[0], before[1] + int(found)))


def test_old_board_with_entries_that_are_rejected_today_can_still_be_replayed() -> None:
    """Earlier versions accepted runners moved sideways without a card, a token moved although
    others were left, and one die for two casinos.
    """
    rules = two_casinos().rules
    past = list(two_casinos().entries)
    past[past.index("lead b1>lonja b2>arenal")] = "move b1>lonja b2>arenal"
    past[4:4] = ["token a 3/even", "token a 3/even>4/even"]
    past += ["dice b=4", f"lay {DESTINATIONS}"]
    kept = RealBoard.replay(rules, 2, Seed(bytes(32)), rolls=False, entries=past)
    assert (kept.due, kept.entries) == (DueEntryKind.BULLS, tuple(past))


def test_ruling_e_7_effects_work_only_on_the_next_day() -> None:
    """The Bank pays three points. The Pier gives one runner to each player who reached it."""
    kept = arrived("a:bank", "a:bank").record("evening")
    assert kept.totals == (7 * 2 + 2 * 1 + 3, 9 * 2)
    for text in (f"lay {DESTINATIONS}", "bulls 11111"):
        kept = kept.record(text)
    for a, b, code in (
        (10, 10, ""),
        (9, 10, "count_of"),
        (10, 11, "count_of"),
        (11, 10, "count_of"),
    ):
        assert refusal(kept, f"runners a={'6' * a} b={'6' * b}") == code
    assert refusal(kept, f"runners a={'6' * 10}") == "count_of"


LAID = [
    (DESTINATIONS, ""),
    ("restaurant restaurant pier casino festival", ""),
    ("restaurant restaurant restaurant casino festival", "too_often"),
    ("bank pier casino festival bank", "too_often"),
    ("bank pier casino festival moon", "no_destination"),
]


@pytest.mark.parametrize(("laid", "code"), LAID)
def test_ruling_e_10_destinations_must_exist_and_not_be_laid_out_too_often(
    laid: str, code: str
) -> None:
    assert refusal(by_hand(), f"lay {laid}") == code


def test_ruling_e_3_bulls_and_runners_start_on_the_number_they_rolled(
    boards: dict[DueEntryKind, RealBoard],
) -> None:
    lone = boards[DueEntryKind.BULLS]
    for faces, code in (("1234", "count"), ("12345", ""), ("123456", "count")):
        assert refusal(lone, f"bulls {faces}") == code
    herd = boards[DueEntryKind.HERD]
    for faces, code in (("1", "bull_one"), ("2", ""), ("6", ""), ("22", "count")):
        assert refusal(herd, f"bulls {faces}") == code
    for face in "23456":
        bull = herd.record(f"bulls {face}").town().bulls[-1]
        assert herd.rules.board.spaces[bull.space].key == face
    kept = morning("a=234562345 b=666666666")
    assert spaces(kept, 0)[:5] == ["2:2", "3:3", "4:4", "5:5", "6:6"]
    placed = boards[DueEntryKind.START]
    assert placed.ones == ("a1",)
    for text, code in (
        ("a1>6", ""),
        ("a1>mercado", "no_space"),
        ("a2>4", "no_one"),
        ("c1>4", "no_one"),
    ):
        assert refusal(placed, f"start {text}") == code


CHARGE = [
    # Each case: the face that the charged runner rolls, and whether the runner is trampled. Bulls
    # that show 5 and 1 are on the same space.
    (5, True),
    (1, True),
    (4, False),  # a bull with 4 is on another space
    (2, False),
    (6, False),
]


@pytest.mark.parametrize(("face", "trampled"), CHARGE)
def test_ruling_e_6_runner_that_rolls_the_face_of_any_bull_there_is_trampled(
    boards: dict[DueEntryKind, RealBoard], face: int, trampled: bool
) -> None:
    kept = boards[DueEntryKind.CHARGE]
    for text in (f"charge a1={face} a2=3", "charge a2=3", f"charge b1={face}"):
        assert refusal(kept, text) == "charge"
    done = kept.record(f"charge a1={face}")
    assert spaces(done, 0)[0] == ("-" if trampled else f"mercado:{face}")
    assert done.due is DueEntryKind.CARDS
    assert done.charging == ()
    assert done.faces.get("a1") == (None if trampled else face)
    assert (done.town().step, done.town().first) == (1, 1)
    for text in ("face a1=3", "lead a1>fuente"):
        assert refusal(done, text) == ("trampled" if trampled else "")


def test_ruling_e_6_charged_runners_are_rolled_in_the_prescribed_order() -> None:
    """The order is that of the spaces as the board lists them, then of players in turn order, then
    of runner numbers.
    """
    dice = "a=342222222 b=352222222"
    kept = morning(dice, "11111", "6").record("move T1>3 T2>4 T3>5 T4>2")
    kept = board_after(kept, ["face T1=3 T2=4 T3=5 T4=2 a1=3 b1=3", "first b", "advance"])
    fuente = [f"{seat}{number}" for seat in "ba" for number in (1, *range(3, 10))]
    assert kept.charging == (*fuente, "a2", "b2")


POINTS = [
    (["a 2"], "points a -2", ""),
    (["a 2"], "points a -3", "points_below"),
    (["a 2"], "points b -1", "points_below"),
    ([], "points a -1", "points_below"),
    ([], "points a 99", ""),
    ([], "points c 1", "no_seat"),
]


@pytest.mark.parametrize(("before", "entry", "code"), POINTS)
def test_points_from_cards_cannot_fall_below_zero(before: list[str], entry: str, code: str) -> None:
    assert refusal(board_after(morning(), [f"points {one}" for one in before]), entry) == code


@pytest.mark.parametrize(
    ("name", "code"),
    [("a1", ""), ("a9", ""), ("a10", "no_die"), ("c1", "no_seat"), ("T6", ""), ("T7", "no_die")],
)
def test_only_dice_on_the_board_can_be_changed(name: str, code: str) -> None:
    for entry in (f"face {name}=3", f"lead {name}>4"):
        assert refusal(morning(), entry) == code


ASIDE = [
    ("move T1>4 T2>5", ""),
    ("move a1>4", "aside"),
    ("move T1>4 b2>4", "aside"),
    ("move a1>2", "aside"),  # the space where it already is
    ("move a10>4", "no_die"),
    ("lead a1>4", ""),
    ("lead a1>4 T1>4", ""),
    ("lead a1>fuente", "no_space"),  # fuente is one row further down
    ("move T1>fuente", "no_space"),
]


@pytest.mark.parametrize(("entry", "code"), ASIDE)
def test_ruling_e_2_runners_move_sideways_only_by_a_card(entry: str, code: str) -> None:
    assert refusal(morning(), entry) == code


@pytest.mark.parametrize(("days", "last"), [(1, DueEntryKind.OVER), (2, DueEntryKind.EVENING)])
def test_last_day_of_a_game_has_no_evening_entry(days: int, last: DueEntryKind) -> None:
    kept = arrived(days=days)
    assert kept.due is last
    assert kept.town().day == 1
    assert last is DueEntryKind.OVER or kept.record("evening").town().day == 2


def test_ruling_e_7_two_players_at_the_destination_china_shop_add_two_bulls() -> None:
    rules = Rules(destinations=KINDS)
    kept = board_after(by_hand(2, rules), ["lay china-shop bank pier restaurant festival"])
    kept = board_after(kept, ["bulls 11111", f"runners a={'6' * 9} b={'6' * 9}", "bulls 2"])
    kept = board_after(kept, ["advance", "advance", "advance", "lead a1>lonja b1>lonja"])
    kept = board_after(kept, ["move T1>rambla T2>rambla", "face a1=5 b1=5", "advance"])
    assert [day.arrived[0][0] for day in kept.days] == [1]
    morrow = board_after(kept.record("evening"), [f"lay {DESTINATIONS}", "bulls 11111"])
    morrow = morrow.record(f"runners a={'6' * 9} b={'6' * 9}")
    for faces, code in (("22", "count"), ("222", ""), ("2222", "count")):
        assert refusal(morrow, f"bulls {faces}") == code


def test_entry_can_have_at_most_500_characters() -> None:
    text = "points a 1"
    assert str(BoardEntry.read(text + " " * (500 - len(text)))) == text
    with pytest.raises(EntryError):
        BoardEntry.read(text + " " * (501 - len(text)))


def test_ruling_e_1_board_needs_two_to_six_players() -> None:
    with pytest.raises(ValueError, match="1"):
        RealBoard(RULES, 1, Seed(bytes(32)), rolls=True)
    with pytest.raises(ValueError, match="7"):
        RealBoard(RULES, 7, Seed(bytes(32)), rolls=True)
