"""Points of places, result of each seat, and edge cases of the cut-off line."""

from __future__ import annotations

from fractions import Fraction

import pytest

from leagues.standings.cut import CutLine, CutState, cut_states, final_state
from leagues.standings.scoring import Placing, ScoredMeeting, Scoring, ScoringKind, meetings
from tests.leagues.standings.test_table import FIRST, match

F = Fraction
HALF = F(1, 2)
ONE_WIN = Scoring()
FORMULA = Scoring(by_place=(F(5), F(3), F(1)))
FOOTBALL = Scoring(by_place=(F(3),), draw=F(1))
BEATEN = Scoring(kind=ScoringKind.BEATEN)
POINTS = Scoring(kind=ScoringKind.POINTS, by_place=(F(7),), draw=F(9))


@pytest.mark.parametrize(
    ("scoring", "place", "places", "worth"),
    [
        (ONE_WIN, 1, [1, 2], F(1)),
        (ONE_WIN, 2, [1, 2], F(0)),
        (ONE_WIN, 1, [1, 1], HALF),
        (ONE_WIN, 1, [1, 1, 1], F(1, 3)),
        (ONE_WIN, 1, [1, 1, 3, 4], HALF),
        (FORMULA, 1, [1, 2, 3, 4], F(5)),
        (FORMULA, 2, [1, 2, 3, 4], F(3)),
        (FORMULA, 3, [1, 2, 3, 4], F(1)),
        (FORMULA, 4, [1, 2, 3, 4], F(0)),
        (FORMULA, 1, [1, 1, 3], F(4)),
        (FORMULA, 3, [1, 1, 3], F(1)),
        (FORMULA, 2, [1, 2, 2, 2], F(4, 3)),
        (FORMULA, 3, [1, 2, 3, 3], HALF),
        # Places may have gaps, because only the number of players in front of a player counts.
        (FORMULA, 7, [1, 7], F(3)),
        (FOOTBALL, 1, [1, 2], F(3)),
        (FOOTBALL, 1, [1, 1], F(1)),
        (FOOTBALL, 1, [1, 1, 1], F(1)),
        (FOOTBALL, 2, [1, 2, 2], F(0)),
        (Scoring(by_place=(F(3), F(2), F(1)), draw=F(1)), 2, [1, 2, 2], F(3, 2)),
        (Scoring(by_place=(F(3),), draw=F(0)), 1, [1, 1], F(0)),
        (BEATEN, 1, [1, 2], F(1)),
        (BEATEN, 2, [1, 2], F(0)),
        (BEATEN, 1, [1, 1], HALF),
        (BEATEN, 2, [1, 2, 3], HALF),
        (BEATEN, 2, [1, 2, 2, 4], HALF),
        (BEATEN, 3, [1, 2, 3, 4], F(1, 3)),
        (BEATEN, 1, [1, 1, 3], F(3, 4)),
        (BEATEN, 1, [1], F(0)),
        (POINTS, 1, [1, 1], F(42)),
        (POINTS, 2, [1, 2], F(42)),
    ],
)
def test_place_brings_the_expected_points(
    scoring: Scoring, place: int, places: list[int], worth: Fraction
) -> None:
    assert scoring.worth(place, places, 42) == worth


def test_scoring_has_default_options_and_can_be_written_as_options() -> None:
    assert Scoring() == Scoring(kind=ScoringKind.PLACES, by_place=(F(1),), draw=None, bye=None)
    assert Scoring.from_options({"draw": "0"}).draw == 0, "a draw may be worth nothing"
    assert Scoring.from_options({"bye": "1/2", "by_place": []}) == Scoring(by_place=(), bye=HALF)
    assert Scoring(draw=F(1, 3), bye=HALF).options() == {
        "kind": "places", "by_place": ["1"], "draw": "1/3", "bye": "1/2",
    }  # fmt: skip


def meeting(*seats: tuple[int, int, int], sides: bool = False) -> ScoredMeeting:
    (found,) = meetings(match(1, *seats, sides=sides))
    return found


@pytest.mark.parametrize(
    ("seats", "sides", "outcomes", "against"),
    [
        (((1, 1, 9), (2, 2, 4)), False, "WL", [4, 9]),
        (((1, 2, 4), (2, 1, 9)), False, "LW", [9, 4]),
        (((1, 1, 7), (2, 1, 7)), False, "DD", [7, 7]),
        (((1, 1, 9), (2, 1, 9), (3, 3, 4)), False, "DDL", [9, 9, 9]),
        (((1, 1, 9), (2, 2, 4), (3, 2, 4)), False, "WLL", [4, 9, 9]),
        (((1, 3, 1), (2, 2, 4), (3, 1, 6)), False, "LLW", [6, 6, 4]),
        (((1, 1, 9), (2, 2, 4), (3, 1, 9), (4, 2, 4)), True, "WLWL", [4, 9, 4, 9]),
        (((1, 1, 5), (2, 1, 5), (3, 1, 5), (4, 1, 5)), True, "DDDD", [5, 5, 5, 5]),
        (((1, 1, 9),), False, "W", [0]),
        (((1, 1, -2), (2, 2, -8)), False, "WL", [-8, -2]),
    ],
)
def test_each_seat_has_the_expected_outcome_and_points_against(
    seats: tuple[tuple[int, int, int], ...], sides: bool, outcomes: str, against: list[int]
) -> None:
    found = meeting(*seats, sides=sides)
    assert "".join(found.outcome(placing) for placing in found.placings) == outcomes
    assert [found.points_against(placing) for placing in found.placings] == against


def test_opponents_are_on_other_sides_and_partners_on_the_same_side() -> None:
    # Under Ruling D-2, partners have seats 0 and 2 or seats 1 and 3.
    found = meeting((1, 1, 9), (2, 2, 4), (3, 1, 9), (4, 2, 4), sides=True)
    first = found.placings[0]
    assert [other.player for other in found.rivals(first)] == [2, 4]
    assert [other.player for other in found.partners(first)] == [3]
    # Two names merged into one player are neither opponent nor partner of that player.
    twice = meeting((1, 1, 9), (1, 2, 4), (1, 1, 9), (2, 2, 4), sides=True)
    assert [other.player for other in twice.rivals(twice.placings[0])] == [2]
    assert list(twice.partners(twice.placings[0])) == []


def test_match_has_the_time_of_its_first_row_and_seats_in_order() -> None:
    def place(number: int, seat: int, day: int) -> Placing:
        when = FIRST.replace(day=day)
        return Placing(match=number, player=seat, seat=seat, side=seat, place=1, when=when)

    came = [place(7, 1, 9), place(8, 1, 8), place(8, 0, 8), place(7, 0, 6), place(6, 0, 8)]
    found = meetings(came)
    assert [one.placings[0].match for one in found] == [7, 8, 6], "level dates as they came"
    assert [[placing.seat for placing in one.placings] for one in found] == [[0, 1], [0, 1], [0]]


@pytest.mark.parametrize(
    ("place", "sharing", "after", "state"),
    [
        (1, 1, 1, CutState.SAFE),
        (2, 1, 1, CutState.OUT),
        (1, 2, 1, CutState.ALIVE),
        (1, 2, 2, CutState.SAFE),
        (2, 2, 2, CutState.ALIVE),
        (2, 2, 3, CutState.SAFE),
        (3, 2, 2, CutState.OUT),
        (4, 1, 4, CutState.SAFE),
        (5, 1, 4, CutState.OUT),
    ],
)
def test_state_at_the_cut_off_line_follows_from_the_place_when_everything_is_played(
    place: int, sharing: int, after: int, state: CutState
) -> None:
    assert final_state(place, sharing, CutLine(after=after)) is state


@pytest.mark.parametrize(
    ("scoring", "scores", "fixtures", "after", "expected"),
    [
        pytest.param(
            Scoring(), [3, 2, 1], [(2, 3)], 1, "alive alive out", id="who draws level is alive"
        ),
        pytest.param(Scoring(), [4, 2, 1], [(2, 3)], 1, "safe out out", id="nobody gets there"),
        pytest.param(Scoring(), [4, 2, 1], [(2, 3)], 3, "safe safe safe", id="room for all"),
        pytest.param(
            Scoring(by_place=(F(3), F(1))), [4, 0, 0], [(2, 3)], 1, "safe out out", id="three a win"
        ),
        pytest.param(
            Scoring(by_place=(F(3), F(1))), [3, 0, 0], [(2, 3)], 1, "alive alive alive", id="at it"
        ),
        pytest.param(
            Scoring(by_place=(F(1),), draw=F(2)), [2, 0, 0], [(2, 3)], 1, "alive alive alive",
            id="a draw may bring more than a win",
        ),
        pytest.param(
            Scoring(by_place=(F(1),), draw=F(2)), [3, 0, 0], [(2, 3)], 1, "safe out out",
            id="and no more than that",
        ),
        pytest.param(
            Scoring(by_place=(F(2), F(-1))), [3, 2, 0], [(1, 3)], 1, "alive alive alive",
            id="a place may take away",
        ),
        pytest.param(
            BEATEN, [1, 0, 0, 0], [(2, 3, 4)], 1, "alive alive alive alive", id="one a table"
        ),
        pytest.param(
            BEATEN, [F(5, 4), 0, 0, 0], [(2, 3, 4)], 1, "safe out out out", id="not more"
        ),
        pytest.param(
            Scoring(), [1, 0], [(2, 2)], 1, "alive alive", id="a person twice plays once"
        ),
        pytest.param(Scoring(), [F(3, 2), 0], [(2, 2)], 1, "safe out", id="and wins once"),
    ],
)  # fmt: skip
def test_states_at_the_cut_off_line_follow_from_the_points_that_players_can_still_reach(
    scoring: Scoring,
    scores: list[Fraction],
    fixtures: list[tuple[int, ...]],
    after: int,
    expected: str,
) -> None:
    """Only the points that each player can reach alone count, as with partners."""
    so_far = {player: F(score) for player, score in enumerate(scores, start=1)}
    found = cut_states(so_far, scoring, CutLine(after=after, fixtures=fixtures, sides=True))
    assert [state.value for state in found.values()] == expected.split()
