"""The calibration command lets bots play and compares their statistics with limits."""

from __future__ import annotations

from dataclasses import replace
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from eltoro.calibration import (
    FOUR_GREEDY,
    FOUR_RANDOM,
    LINEUPS,
    WEIGHED,
    Calibration,
    Lineup,
    LineupTotals,
    Portion,
    figures_of,
    win_share,
)

RANDOM = Portion(FOUR_RANDOM, range(6))
SOUND = LineupTotals(
    games=100,
    first=25,
    favourite=50,
    highest=5000,
    lowest=3500,
    days=300,
    began=7200,
    trampled=1800,
)


@pytest.fixture(scope="module")
def played() -> LineupTotals:
    """Statistics of six games between four random bots."""
    return Calibration().play(RANDOM)[1]


@pytest.fixture(scope="module")
def weighed() -> LineupTotals:
    """Statistics of two games between four greedy bots that also evaluate cards."""
    return Calibration().play(Portion(WEIGHED, range(2)))[1]


def line(tally: LineupTotals, lineup: Lineup, what: str) -> bool:
    """Return whether the statistic with this name is within its allowed bounds."""
    found = {figure.what: figure.inside for figure in figures_of({lineup: tally})}
    return found[f"{lineup}: {what}"]


def test_games_of_a_calibration_are_determined_by_its_seed(played: LineupTotals) -> None:
    assert Calibration().play(RANDOM) == (FOUR_RANDOM, played)
    assert Calibration(seed="other words").play(RANDOM)[1] != played


def test_statistics_of_a_calibration_are_consistent_with_each_other(played: LineupTotals) -> None:
    assert (played.games, played.days) == (6, 18)
    assert sum(played.laid.values()) == 5 * played.days
    assert sum(played.arrived.values()) == played.began - played.trampled
    assert 6 * played.days <= played.bulls <= 10 * played.days
    cards = sum(played.played.values())
    assert 6 * 3 * 4 * 3 <= cards <= 6 * 3 * 4 * 4  # players hardly ever run out of cards
    assert cards < played.moves
    assert all(played.reached[key] <= played.arrived[key] for key in played.laid)


def test_statistics_of_two_portions_can_be_added(played: LineupTotals) -> None:
    calibration = Calibration()
    halves = [calibration.play(Portion(FOUR_RANDOM, half))[1] for half in (range(3), range(3, 6))]
    assert halves[0] + halves[1] == played
    assert LineupTotals() + played == played


def test_shared_victory_counts_as_a_fraction() -> None:
    assert win_share((1, 2, 1, 4), 0) == win_share((1, 2, 1, 4), 2) == 0.5
    assert win_share((2, 1, 3), 0) == 0


def test_cards_are_valued_by_the_points_they_bring_on_the_same_day(weighed: LineupTotals) -> None:
    assert weighed.weighed == weighed.played
    assert weighed.gained["lottery"] == pytest.approx(2 * weighed.weighed["lottery"])
    for idle in ("churros", "lottery", "daredevil"):
        assert weighed.taken[idle] == pytest.approx(0)
    for others in ("scare", "elbow", "nudge"):
        assert weighed.gained[others] == pytest.approx(0)
    assert sum(weighed.gained.values()) > 0


def test_every_line_up_of_bots_plays_each_game_once() -> None:
    calibration = Calibration(games=1000)
    numbers: dict[Lineup, list[int]] = {lineup: [] for lineup in LINEUPS}
    for portion in calibration.portions:
        numbers[portion.lineup] += portion.numbers
    for lineup, found in numbers.items():
        assert sorted(found) == list(range(1000 // lineup.one_in))


def test_calibration_covers_all_numbers_of_players_and_both_boards() -> None:
    for bot in ("random", "greedy"):
        equal = [one for one in LINEUPS if one.is_equal and one.watched == bot and not one.weighs]
        assert {one.players for one in equal} >= {2, 3, 4, 6}
        assert {one.board for one in equal} == {"el-toro", "la-cuesta"}


def test_statistics_outside_their_bounds_are_reported() -> None:
    assert all(figure.inside for figure in figures_of({FOUR_RANDOM: SOUND}))
    assert not line(replace(SOUND, first=21), FOUR_RANDOM, "seat 1 wins")
    assert not line(replace(SOUND, first=29), FOUR_RANDOM, "seat 1 wins")
    assert not line(replace(SOUND, trampled=1400), FOUR_RANDOM, "trampled")
    assert not line(replace(SOUND, trampled=3300), FOUR_RANDOM, "trampled")
    assert not line(replace(SOUND, lowest=4500), FOUR_RANDOM, "winner to last")
    assert not line(replace(SOUND, lowest=2400), FOUR_RANDOM, "winner to last")
    skilled = Lineup("greedy", "random", 4)
    assert line(SOUND, skilled, "wins")
    assert not line(replace(SOUND, favourite=39), skilled, "wins")


def test_line_ups_of_bots_have_different_names() -> None:
    names = [str(lineup) for lineup in LINEUPS if lineup != WEIGHED]
    assert len(set(names)) == len(names)
    assert str(FOUR_GREEDY) == "4 greedy"
    assert str(Lineup("greedy", "random", 4)) == "greedy, 3 random"


@pytest.mark.slow
def test_calibrate_command_prints_all_statistics() -> None:
    """A single game for each line-up is too few to be within the bounds, so the command fails, but
    the printed table must be complete.
    """
    out = StringIO()
    with pytest.raises(CommandError, match="of 25 figures lie outside"):
        call_command("calibrate", "eltoro", "--games", "1", "--processes", "1", stdout=out)
    text = out.getvalue()
    assert "4 random: winner to last" in text
    for kind in ("| china-shop |", "| second-wind |", "| 4 greedy, cards weighed |"):
        assert kind in text


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("chess",), "No game 'chess' to calibrate; there are: .*eltoro"),
        (("eltoro", "--games", "0"), "--games is 1 or more"),
        (("eltoro", "--processes", "0"), "--processes is 1 or more"),
    ],
)
def test_calibrate_command_rejects_invalid_arguments_with_a_message(
    arguments: tuple[str, ...], sentence: str
) -> None:
    with pytest.raises(CommandError, match=sentence):
        call_command("calibrate", *arguments, stdout=StringIO())
