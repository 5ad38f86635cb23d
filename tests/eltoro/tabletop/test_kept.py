"""The board of a real game, rule by rule (Rulings E-2 to E-9)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eltoro.engine import DueEntryKind, EntryError, Phase, RealBoard, Rules
from fairness import Seed
from tests.eltoro.tabletop.kept import (
    DESTINATIONS,
    board_after,
    by_hand,
    by_site,
    morning,
    spaces,
    to_the_end,
)


def refusal(kept: RealBoard, text: str) -> str:
    before, town = kept.entries, kept.town()
    with pytest.raises(EntryError) as refused:
        kept.record(text)
    assert (kept.entries, kept.town()) == (before, town)
    return refused.value.code


def test_morning_with_real_dice_requires_entries_in_a_fixed_order() -> None:
    kept = by_hand()
    asked = []
    for text in (
        f"lay {DESTINATIONS}", "bulls 35162", "runners a=112345666 b=222222221",
        "start a1>2 b9>6", "start a2>4", "bulls 4",
    ):  # fmt: skip
        asked.append(kept.due)
        kept = kept.record(text)
    assert asked == [
        DueEntryKind.LAY,
        DueEntryKind.BULLS,
        DueEntryKind.RUNNERS,
        DueEntryKind.START,
        DueEntryKind.START,
        DueEntryKind.HERD,
    ]
    assert kept.due is DueEntryKind.CARDS
    assert spaces(kept, 0)[:4] == ["2:1", "4:1", "2:2", "3:3"]
    assert [bull.face for bull in kept.town().bulls] == [3, 5, 1, 6, 2, 4]
    assert kept.rules.board.spaces[kept.town().bulls[5].space].key == "4"


def test_site_rolls_all_dice_of_a_morning_that_need_no_decision() -> None:
    kept = by_site(3).record("lay")
    assert kept.due in {DueEntryKind.START, DueEntryKind.CARDS}
    assert [len(own) for own in kept.town().runners] == [8, 8, 8]
    assert kept.state.notes[0].entries[0].names == tuple(
        kept.rules.destinations[index].key for index in kept.town().destinations
    )


def test_same_seed_and_entries_give_the_same_board() -> None:
    kept = to_the_end(by_site(4))
    again = RealBoard.replay(Rules(), 4, kept.state.seed, rolls=True, entries=kept.entries)
    assert again.town() == kept.town()
    assert again.days == kept.days
    other = to_the_end(by_site(4, seed=Seed(bytes(32))))
    assert other.town() != kept.town()


def test_entry_that_is_undone_and_repeated_rolls_the_same_dice() -> None:
    kept = board_after(by_site(), ["lay", *_placed(by_site().record("lay"))])
    assert kept.record("roll a1 b2").town() == kept.record("roll a1 b2").town()
    once, twice = kept.record("roll a1"), kept.record("points a 1").record("roll a1")
    assert (once.entries[-1], twice.entries[-1]) == ("roll a1", "roll a1")


def _placed(kept: RealBoard) -> list[str]:
    ones = " ".join(f"{name}>3" for name in kept.ones)
    return [f"start {ones}"] if ones else []


def test_entries_without_dice_do_not_change_later_rolls() -> None:
    """For example, points entered and taken back, or a die turned to its own face."""
    kept = board_after(by_site(), ["lay", *_placed(by_site().record("lay"))])
    shown = kept.faces["a1"]
    still = ["points a 1", "points a -1", f"face a1={shown}", "first b", "first a"]
    plain, waited = kept.record("roll a1 a2"), board_after(kept, [*still, "roll a1 a2"])
    assert plain.faces == waited.faces
    assert plain.record("advance").town() == waited.record("advance").town()


def test_runners_follow_parity_own_tokens_and_single_streets() -> None:
    kept = board_after(
        morning(runners="a=345666666 b=345666666"),
        ["face a1=4", "token b 3/even", "token b 3/odd", "token a 4/odd", "advance"],
    )
    assert spaces(kept, 0)[:4] == ["mercado:4", "mercado:4", "mirador:5", "mirador:6"]
    assert spaces(kept, 1)[:4] == ["fuente:3", "torre:4", "mirador:5", "mirador:6"]


def test_bulls_ignore_tokens_and_charged_runners_must_be_rolled() -> None:
    kept = morning(runners="a=222222226 b=333333333", bulls="21111").record("advance")
    assert kept.due is DueEntryKind.CHARGE
    assert kept.charging == ("a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8", "a9")
    assert (kept.town().phase, kept.town().step) == (Phase.BULLS, 0)
    dice = "charge a1=2 a2=4 a3=4 a4=4 a5=4 a6=4 a7=4 a8=4 a9=3"
    done = kept.record(dice)
    assert spaces(done, 0) == ["-", *["fuente:4"] * 7, "mirador:3"]
    assert (done.town().step, done.town().first) == (1, 1)
    assert done.state.notes[-1].rolled[0].trampled
    assert refusal(kept, "charge a1=2") == "charge"
    assert refusal(kept, f"{dice} b1=3") == "charge"


def test_trampled_runner_cannot_be_turned_or_moved() -> None:
    kept = morning(runners="a=222222226 b=333333333", bulls="21111").record("advance")
    kept = kept.record("charge a1=2 a2=4 a3=4 a4=4 a5=4 a6=4 a7=4 a8=4 a9=3")
    for text in ("face a1=3", "lead a1>fuente"):
        assert refusal(kept, text) == "trampled"


def test_points_arrivals_and_effects_on_the_next_day_are_calculated() -> None:
    """Two runners of player a arrive at the Bank, one of player b at the Casino and one at the
    Festival. All others are trampled.
    """
    kept = _day_one()
    today = kept.days[0]
    assert today.arrived == ((0, 2, 0, 0, 0), (0, 0, 0, 1, 1))
    assert (today.gained, today.points) == ((2, 0), (2 + 2, 1 + 3))
    assert kept.due is DueEntryKind.EVENING
    assert kept.tomorrow is not None
    assert kept.tomorrow.town().first == 1  # b was at the festival
    morrow = kept.record("evening")
    assert morrow.due is DueEntryKind.DICE
    assert refusal(morrow, "dice a=4") == "no_die_due"
    even, odd = morrow.record("dice b=4"), morrow.record("dice b=5")
    assert even.totals == (4 + 3, 4 + 4)  # the bank pays three
    assert odd.totals == (4 + 3, 4 - 1)
    assert even.town().tokens == kept.town().tokens != {}


def _day_one() -> RealBoard:
    """Return a day at whose end only four runners arrive.

    All others are moved to the bulls by entries and trampled.
    """
    kept = morning().record("points a 2").record("token a mercado/even")
    for _step in range(3):
        kept = _charged(kept.record("advance"))
    bulls = [f"T{number}" for number in range(1, 7)]
    names = [*_all_runners(kept), *bulls]
    kept = kept.record("lead " + " ".join(f"{name}>lonja" for name in names))
    kept = kept.record("face " + " ".join(f"{name}=1" for name in names))
    kept = kept.record("lead b1>faro b2>arenal").record("face a1=2 a2=2 b1=3 b2=5")
    return _charged(kept.record("advance"), face=1)


def _all_runners(kept: RealBoard) -> list[str]:
    return [
        f"{'ab'[seat]}{number}"
        for seat, own in enumerate(kept.town().runners)
        for number, die in enumerate(own, start=1)
        if die is not None
    ]


def _charged(kept: RealBoard, face: int = 0) -> RealBoard:
    if kept.due is not DueEntryKind.CHARGE:
        return kept
    safe = {name: face or _safe(kept) for name in kept.charging}
    return kept.record("charge " + " ".join(f"{name}={to}" for name, to in safe.items()))


def _safe(kept: RealBoard) -> int:
    return min({2, 3, 4, 5, 6} - {bull.face for bull in kept.town().bulls})


def test_entries_against_the_rules_are_rejected() -> None:
    kept = morning()
    assert refusal(kept, "lay") == "not_now"
    assert refusal(kept, "roll a1") == "hands_roll"
    assert refusal(kept, "addbull 4") == "hands_roll"
    assert refusal(kept, "evening") == "not_now"
    assert refusal(kept, "face c1=3") == "no_seat"
    assert refusal(kept, "face a10=3") == "no_die"
    assert refusal(kept, "face T7=3") == "no_die"
    assert refusal(kept, "lead a1>fuente") == "no_space"
    assert refusal(kept, "token a 2/even") == "no_sign"
    assert refusal(kept, "untoken 3/even") == "no_token"
    assert refusal(kept.record("points a 2"), "points a -3") == "points_below"


def test_player_has_three_direction_tokens_and_a_sign_holds_one() -> None:
    kept = board_after(morning(), ["token a 3/even", "token a 3/odd", "token a 4/even"])
    assert refusal(kept, "token a 3/odd") == "own_token"
    assert refusal(kept, "token a 4/odd") == "no_token_left"
    assert refusal(kept, "token a 4/odd>5/odd") == "not_own_token"
    assert refusal(kept.record("untoken 4/even"), "token a 3/even>5/odd") == "tokens_left"
    moved = kept.record("token a 3/even>5/odd")
    assert moved.town().tokens_left == (0, 3)
    taken = moved.record("token b 5/odd")
    assert taken.town().tokens_left == (1, 2)
    assert taken.record("untoken 5/odd").town().tokens_left == (1, 3)


def test_eleventh_bull_is_rejected() -> None:
    kept = board_after(morning(), [f"addbull 4={face}" for face in (1, 2, 3, 4)])
    assert len(kept.town().bulls) == 10
    assert refusal(kept, "addbull 4=5") == "no_bull_left"


def test_entered_dice_must_be_as_many_as_the_rules_require() -> None:
    kept = by_hand()
    assert refusal(kept, "lay bank bank pier casino festival") == "too_often"
    assert refusal(kept, "lay bank moon pier casino festival") == "no_destination"
    kept = kept.record(f"lay {DESTINATIONS}")
    assert refusal(kept, "bulls 1234") == "count"
    kept = kept.record("bulls 12345")
    assert refusal(kept, "runners a=123456123") == "count_of"
    assert refusal(kept, "runners a=12345612 b=123456123") == "count_of"
    kept = kept.record("runners a=123456123 b=222222222")
    assert refusal(kept, "start a2>4") == "no_one"
    assert refusal(kept, "start a1>fuente") == "no_space"
    kept = kept.record("start a1>4 a7>4")
    assert refusal(kept, "bulls 1") == "bull_one"
    assert refusal(kept, "bulls 23") == "count"


def test_first_player_token_can_be_given_to_any_player() -> None:
    assert by_hand(4).record("first c").town().first == 2
    assert refusal(by_hand(4), "first e") == "no_seat"


def test_game_is_over_after_its_last_day() -> None:
    kept = to_the_end(by_site(6, Rules(days=1)))
    assert (kept.due, kept.town().phase, len(kept.days)) == (DueEntryKind.OVER, Phase.OVER, 1)
    assert refusal(kept, "evening") == "not_now"
    assert kept.record("points a 3").totals[0] == kept.totals[0] + 3


@given(seed=st.binary(min_size=32, max_size=32), players=st.integers(2, 6))
def test_totals_of_a_board_are_the_sum_of_its_days(seed: bytes, players: int) -> None:
    kept = to_the_end(by_site(players, seed=Seed(seed)))
    assert kept.totals == tuple(map(sum, zip(*(day.points for day in kept.days), strict=True)))
    assert kept.town().day_points == tuple(day.points for day in kept.days)
    assert len(kept.days) == 3
