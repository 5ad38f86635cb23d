"""Every tie-break calculated by hand for one season, and the tie-break that decides if several are
chosen.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

import pytest

from leagues.standings.ranking import StandingsRow, compute_standings
from leagues.standings.scoring import Placing, Scoring, StandingsEntry
from leagues.standings.tie_breaks import TieBreak
from tests.leagues.standings.test_table import byes, duels, entries, match, order

HALF = Fraction(1, 2)
F = Fraction
T = TieBreak

# Scoring: three points for a win, one for second place, one for a draw, two for a bye. Player 5 has
# withdrawn. Player 6 never entered, but has played.
SCORING: Final = Scoring(by_place=(F(3), F(1)), draw=F(1), bye=F(2))
ENTERED: Final = [
    StandingsEntry(player=4),
    StandingsEntry(player=3, unplayed=byes(2)),
    StandingsEntry(player=5, withdrawn=True, ranked_last=True),
    StandingsEntry(player=2, unplayed=byes(1)),
    StandingsEntry(player=1),
]
SEASON: Final = [
    *match(1, (1, 1, 100), (2, 2, 60)),
    *match(2, (3, 1, 80), (4, 1, 80)),
    *match(3, (1, 2, 20), (3, 1, 50)),
    *match(4, (2, 1, 90), (1, 2, 70), (4, 2, 70), (5, 4, 10)),
    *match(5, (4, 1, 5), (6, 2, 0)),
]
SCORES: Final = {1: F(9, 2), 2: F(6), 3: F(8), 4: F(9, 2), 5: F(0)}


def season(*names: TieBreak, lots: dict[int, int] | None = None) -> tuple[StandingsRow, ...]:
    return compute_standings(ENTERED, SEASON, scoring=SCORING, tie_breaks=names, lots=lots or {})


def test_scores_and_places_of_the_season_without_tie_breaks() -> None:
    rows = season()
    assert {row.player: row.score for row in rows} == SCORES
    assert order(rows) == [(1, 3), (2, 2), (3, 1), (3, 4), (5, 5)]
    assert [row.shared for row in rows] == [False, False, True, True, False]
    assert [row.parted_by for row in rows] == [None, "score", "score", None, "withdrawn"]
    found = {row.player: (row.played, row.won, row.drawn, row.lost, row.byes) for row in rows}
    assert found == {
        1: (3, 1, 0, 2, 0), 2: (2, 1, 0, 1, 1), 3: (2, 1, 1, 0, 2), 4: (3, 1, 1, 1, 0),
        5: (1, 0, 0, 1, 0),
    }  # fmt: skip
    assert [row.form for row in rows if row.player == 4] == [("D", "L", "W")]


@pytest.mark.parametrize(
    ("name", "values", "first"),
    [
        (T.WINS, (1, 1, 1, 1, 0), None),
        (T.MARGIN, (-10, -20, 30, -15, -80), 1),
        (T.POINTS, (190, 150, 130, 155, 10), 1),
        (T.FEWEST_PLAYED, (-3, -2, -2, -3, -1), None),
        # A bye counts as an opponent with the own score. A player who never entered is an opponent,
        # too.
        (T.BUCHHOLZ, (F(49, 2), F(39, 2), 25, F(39, 2), 15), 1),
        (T.MEDIAN_BUCHHOLZ, (F(33, 2), F(27, 2), F(25, 2), F(23, 2), F(9, 2)), 1),
        (T.SONNEBORN_BERGER, (F(33, 4), 9, F(27, 4), F(29, 4), 0), 1),
        (T.BEST_SINGLE, (100, 90, 80, 80, 10), 1),
        (T.CUMULATIVE, (F(23, 2), 5, 5, 7, 0), 1),
    ],
)
def test_each_tie_break_has_the_expected_values_and_decides_the_tie(
    name: TieBreak, values: tuple[Fraction | int, ...], first: int | None
) -> None:
    """Only players 1 and 4 are tied: `first` is the better one, or None if they stay tied."""
    rows = season(name)
    found = {row.player: row.breaks[name] for row in rows}
    assert found == dict(zip((1, 2, 3, 4, 5), values, strict=True))
    level = [row for row in rows if row.player in (1, 4)]
    assert [row.place for row in level] == ([3, 3] if first is None else [3, 4])
    assert level[1].parted_by == (None if first is None else name)
    assert first is None or level[0].player == first


def test_head_to_head_of_two_tied_players_at_one_table_is_half() -> None:
    rows = {row.player: row for row in season(T.HEAD_TO_HEAD)}
    assert {player: dict(row.breaks) for player, row in rows.items()} == {
        1: {T.HEAD_TO_HEAD: HALF}, 2: {}, 3: {}, 4: {T.HEAD_TO_HEAD: HALF}, 5: {},
    }  # fmt: skip
    assert rows[1].place == rows[4].place == 3


def test_player_without_a_lot_comes_after_players_with_lots() -> None:
    rows = season(T.LOTS, lots={4: 1})
    assert order(rows)[2:4] == [(3, 4), (4, 1)]
    assert rows[3].parted_by is T.LOTS


# Matches in which each player has won once against a stranger, as tuples: the winner, the points of
# the winner, the points of the stranger.
WON: Final = [
    *match(1, (1, 1, 100), (91, 2, 90)),
    *match(2, (2, 1, 100), (92, 2, 90)),
    *match(3, (3, 1, 90), (93, 2, 80)),
    *match(4, (4, 1, 120), (94, 2, 100)),
    *match(5, (5, 1, 100), (95, 2, 90)),
    *match(6, (5, 2, 0), (96, 1, 0)),
]


@pytest.mark.parametrize(
    ("names", "expected", "parted_by"),
    [
        ([], [(1, 1), (1, 2), (1, 3), (1, 4), (1, 5)], [None] * 5),
        ([T.WINS], [(1, 1), (1, 2), (1, 3), (1, 4), (1, 5)], [None] * 5),
        (
            [T.MARGIN],
            [(1, 4), (2, 1), (2, 2), (2, 3), (2, 5)],
            [None, T.MARGIN, None, None, None],
        ),
        (
            [T.MARGIN, T.POINTS],
            [(1, 4), (2, 1), (2, 2), (2, 5), (5, 3)],
            [None, T.MARGIN, None, None, T.POINTS],
        ),
        (
            [T.MARGIN, T.POINTS, T.FEWEST_PLAYED],
            [(1, 4), (2, 1), (2, 2), (4, 5), (5, 3)],
            [None, T.MARGIN, None, T.FEWEST_PLAYED, T.POINTS],
        ),
        (
            [T.MARGIN, T.POINTS, T.FEWEST_PLAYED, T.LOTS],
            [(1, 4), (2, 2), (3, 1), (4, 5), (5, 3)],
            [None, T.MARGIN, T.LOTS, T.FEWEST_PLAYED, T.POINTS],
        ),
        (
            [T.POINTS, T.MARGIN],
            [(1, 4), (2, 1), (2, 2), (2, 5), (5, 3)],
            [None, T.POINTS, None, None, T.POINTS],
        ),
        (
            [T.FEWEST_PLAYED, T.POINTS],
            [(1, 4), (2, 1), (2, 2), (4, 3), (5, 5)],
            [None, T.POINTS, None, T.POINTS, T.FEWEST_PLAYED],
        ),
    ],
)
def test_tie_breaks_are_applied_in_the_chosen_order(
    names: list[TieBreak], expected: list[tuple[int, int]], parted_by: list[TieBreak | None]
) -> None:
    lots = {1: 3, 2: 8, 3: 5, 4: 2, 5: 9}
    rows = compute_standings(entries(5, 4, 3, 2, 1), WON, tie_breaks=names, lots=lots)
    assert order(rows) == expected
    assert [row.parted_by for row in rows] == parted_by
    places = [place for place, _ in expected]
    assert [row.shared for row in rows] == [places.count(place) > 1 for place in places]


@pytest.mark.parametrize(
    ("played", "names", "expected"),
    [
        pytest.param(
            [(3, 1, "W"), (3, 2, "W"), (2, 1, "W"), (2, 4, "W"), (1, 4, "W"), (1, 5, "W")],
            [T.HEAD_TO_HEAD],
            [(1, 3), (2, 2), (3, 1)],
            id="the shares among three: all, half, none",
        ),
        pytest.param(
            [(1, 2, "W"), (2, 3, "W"), (3, 1, "W")],
            [T.HEAD_TO_HEAD],
            [(1, 1), (1, 2), (1, 3)],
            id="a ring",
        ),
        pytest.param(
            [(1, 2, "D"), (1, 3, "W"), (2, 3, "W"), (3, 4, "W"), (3, 5, "D")],
            [T.HEAD_TO_HEAD],
            [(1, 1), (1, 2), (3, 3)],
            id="two stay level in front of the third",
        ),
        pytest.param(
            [(3, 2, "W"), (2, 4, "W"), (1, 4, "D"), (1, 5, "D")],
            [T.WINS, T.HEAD_TO_HEAD],
            [(1, 3), (2, 2), (3, 1)],
            id="asked again of the two whom an earlier one left",
        ),
        pytest.param(
            [(3, 2, "W"), (2, 4, "W"), (1, 4, "D"), (1, 5, "D")],
            [T.HEAD_TO_HEAD, T.WINS],
            [(1, 2), (1, 3), (3, 1)],
            id="silent while one of three has met nobody, the next decides",
        ),
        pytest.param(
            [(2, 1, "W"), (2, 4, "W"), (1, 4, "W"), (1, 5, "W"), (3, 4, "W"), (3, 5, "W")],
            [T.HEAD_TO_HEAD],
            [(1, 1), (1, 2), (1, 3)],
            id="silent where one of three has met neither",
        ),
    ],
)
def test_head_to_head_among_three_tied_players(
    played: list[tuple[int, int, str]], names: list[TieBreak], expected: list[tuple[int, int]]
) -> None:
    rows = compute_standings(entries(1, 2, 3, 4, 5), duels(*played), tie_breaks=names)
    assert order(rows)[:3] == expected
    assert len({row.score for row in rows[:3]}) == 1, "the three are level"


def test_partners_have_no_head_to_head_result() -> None:
    # Under Ruling D-2, partners have seats 0 and 2 or seats 1 and 3.
    played = match(1, (1, 1, 104), (2, 2, 57), (3, 1, 104), (4, 2, 57), sides=True)
    rows = compute_standings(entries(1, 3), played, tie_breaks=[T.HEAD_TO_HEAD])
    assert order(rows) == [(1, 1), (1, 3)]
    assert rows[0].breaks == {}


@pytest.mark.parametrize(
    ("opponents", "median"),
    [([], 0), ([2], 0), ([2, 3], 0), ([2, 3, 4], 1), ([2, 3, 4, 5], 3)],
)
def test_median_buchholz_requires_three_opponents(opponents: list[int], median: int) -> None:
    """Player 1 loses to all, so players 2, 3, 4 and 5 have 0, 1, 2 and 3 points."""
    won = {2: 0, 3: 0, 4: 1, 5: 2}
    played = [(rival, 1, "W") for rival in opponents if rival != 2]
    played += [(1, 2, "W")] if 2 in opponents else []
    played += [(rival, 9, "W") for rival, times in won.items() for _ in range(times)]
    rows = compute_standings(entries(1), duels(*played), tie_breaks=[T.MEDIAN_BUCHHOLZ])
    assert rows[0].breaks == {T.MEDIAN_BUCHHOLZ: median}


def test_best_single_match_can_be_negative() -> None:
    played = match(1, (1, 2, -40), (2, 1, 10)) + match(2, (1, 2, -7), (2, 1, 10))
    rows = {
        row.player: row
        for row in compute_standings(entries(1, 2, 3), played, tie_breaks=[T.BEST_SINGLE])
    }
    assert {player: row.breaks[T.BEST_SINGLE] for player, row in rows.items()} == {
        1: -7, 2: 10, 3: 0,
    }  # fmt: skip


def test_withdrawn_players_are_sorted_last_and_still_count_as_opponents() -> None:
    entered = [
        StandingsEntry(player=1, withdrawn=True, ranked_last=True),
        StandingsEntry(player=2, withdrawn=True, ranked_last=True),
        StandingsEntry(player=3),
        StandingsEntry(player=4),
        StandingsEntry(player=5, withdrawn=True, ranked_last=True),
    ]
    played = duels((1, 2, "W"), (1, 3, "W"), (2, 4, "W"), (5, 3, "W"), (3, 1, "W"))
    rows = compute_standings(entered, played, tie_breaks=[T.SONNEBORN_BERGER])
    # Players 2 and 5 have one win each: 2 beat player 4 (0 points), 5 beat player 3 (1 point).
    assert order(rows) == [(1, 3), (2, 4), (3, 1), (4, 5), (5, 2)]
    assert [row.parted_by for row in rows] == [
        None, "score", "withdrawn", "score", T.SONNEBORN_BERGER,
    ]  # fmt: skip
    assert [row.withdrawn for row in rows] == [False, False, True, True, True]
    assert rows[0].breaks[T.SONNEBORN_BERGER] == 2, "of one who withdrew"


def test_given_points_against_are_used_even_if_they_are_zero() -> None:
    one, other = match(1, (1, 1, 10), (2, 2, 4))
    given = Placing(match=1, player=1, seat=0, side=0, place=1, points=10, against=0, when=one.when)
    rows = {row.player: row for row in compute_standings(entries(1, 2), [given, other])}
    assert (rows[1].against, rows[2].against) == (0, 10)
