"""Scores, ordered tie-breaks and shared places, on leagues small enough to calculate by hand."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairness import Seed
from leagues.standings.cut import CutLine, CutState
from leagues.standings.ranking import StandingsRow, compute_standings, draw_lots
from leagues.standings.scoring import (
    Placing,
    Scoring,
    ScoringKind,
    StandingsEntry,
    UnplayedRound,
    meetings,
)
from leagues.standings.tie_breaks import TieBreak

FIRST = datetime(2026, 3, 5, 20, tzinfo=UTC)
HALF = Fraction(1, 2)


def match(number: int, *seats: tuple[int, int, int], sides: bool = False) -> list[Placing]:
    """Return a match of (player, place, points) by seat.

    With `sides`, seats 0 and 2 play against seats 1 and 3 (Ruling D-2).
    """
    return [
        Placing(
            match=number,
            player=player,
            seat=seat,
            side=seat % 2 if sides else seat,
            place=place,
            points=points,
            when=FIRST + timedelta(days=number),
        )
        for seat, (player, place, points) in enumerate(seats)
    ]


def duels(*results: tuple[int, int, str]) -> list[Placing]:
    """Return matches of two players.

    `W` means that the first player won 100 to 60, and `D` that both have 80 points.
    """
    found = []
    for number, (one, other, how) in enumerate(results):
        mine, theirs = {"W": ((1, 100), (2, 60)), "D": ((1, 80), (1, 80))}[how]
        found += match(number, (one, *mine), (other, *theirs))
    return found


def entries(*players: int) -> list[StandingsEntry]:
    return [StandingsEntry(player=player) for player in players]


def byes(count: int) -> tuple[UnplayedRound, ...]:
    return tuple(UnplayedRound(number) for number in range(1, count + 1))


def order(rows: tuple[StandingsRow, ...]) -> list[tuple[int, int]]:
    """Return (place, player) of every row."""
    return [(row.place, row.player) for row in rows]


def test_players_of_equal_score_share_a_place_without_tie_breaks() -> None:
    rows = compute_standings(entries(1, 2, 3, 4), duels((1, 2, "W"), (3, 4, "W")))
    assert order(rows) == [(1, 1), (1, 3), (3, 2), (3, 4)]
    assert [row.shared for row in rows] == [True] * 4
    assert [row.parted_by for row in rows] == [None, None, "score", None]


def test_row_counts_matches_results_and_points() -> None:
    rows = compute_standings(
        entries(1, 2), duels((1, 2, "W"), (2, 1, "W"), (1, 2, "D"), (1, 2, "W"))
    )
    first = rows[0]
    assert first.player == 1
    assert first.score == Fraction(5, 2)
    assert (first.played, first.won, first.drawn, first.lost) == (4, 2, 1, 1)
    assert (first.points, first.against, first.margin) == (340, 300, 40)
    assert first.form == ("W", "L", "D", "W")
    assert rows[1].form == ("L", "W", "D", "L")


def test_form_contains_the_last_five_results_in_order_of_time() -> None:
    played = duels(*[(1, 2, "W")] * 4, (2, 1, "W"), (1, 2, "D"))
    row = compute_standings(entries(1, 2), list(reversed(played)))[0]
    assert row.form == ("W", "W", "W", "L", "D")


def test_first_players_at_a_larger_table_share_the_win() -> None:
    four = match(1, (1, 1, 100), (2, 1, 100), (3, 3, 40), (4, 4, 0))
    rows = {row.player: row for row in compute_standings(entries(1, 2, 3, 4), four)}
    assert rows[1].score == rows[2].score == HALF
    assert (rows[1].drawn, rows[3].lost) == (1, 1)
    assert rows[3].score == 0
    assert (rows[3].against, rows[3].margin) == (100, -60)


def test_each_partner_gets_the_full_win() -> None:
    # Under Ruling D-2, partners have seats 0 and 2 or seats 1 and 3.
    played = match(1, (1, 1, 104), (2, 2, 57), (3, 1, 104), (4, 2, 57), sides=True)
    rows = {row.player: row for row in compute_standings(entries(1, 2, 3, 4), played)}
    assert rows[1].score == rows[3].score == 1
    assert (rows[1].won, rows[2].lost, rows[2].margin) == (1, 1, -47)


@pytest.mark.parametrize(
    ("scoring", "scores"),
    [
        (Scoring(), "1 0 0 0"),
        (Scoring(by_place=(Fraction(4), Fraction(2), Fraction(1))), "4 3/2 3/2 0"),
        (Scoring(kind=ScoringKind.BEATEN), "1 1/2 1/2 0"),
        (Scoring(kind=ScoringKind.POINTS), "100 40 40 7"),
    ],
)
def test_match_brings_the_expected_points_under_each_scoring(scoring: Scoring, scores: str) -> None:
    played = match(1, (1, 1, 100), (2, 2, 40), (3, 2, 40), (4, 4, 7))
    rows = compute_standings(entries(1, 2, 3, 4), played, scoring=scoring)
    by_player = {row.player: row.score for row in rows}
    assert [by_player[player] for player in (1, 2, 3, 4)] == list(map(Fraction, scores.split()))


def test_scoring_with_three_points_for_a_win_and_one_for_a_draw() -> None:
    scoring = Scoring(by_place=(Fraction(3),), draw=Fraction(1))
    rows = compute_standings(entries(1, 2), duels((1, 2, "W"), (1, 2, "D")), scoring=scoring)
    assert [row.score for row in rows] == [4, 1]


def test_stored_scoring_is_read_again_unchanged() -> None:
    scoring = Scoring(by_place=(Fraction(1), Fraction(1, 3)), draw=HALF, bye=Fraction(1))
    assert Scoring.from_options(scoring.options()) == scoring
    assert Scoring.from_options({}) == Scoring()
    with pytest.raises(ValueError, match="points by place"):
        Scoring.from_options({"by_place": "1"})


def test_bye_brings_the_points_set_by_the_league() -> None:
    entered = [StandingsEntry(player=1, unplayed=byes(1)), StandingsEntry(player=2)]
    assert compute_standings(entered, [])[0].score == 0
    row = compute_standings(entered, [], scoring=Scoring(bye=Fraction(1)))[0]
    assert (row.player, row.played, row.byes) == (1, 0, 1)
    assert row.score == 1


def test_withdrawn_player_keeps_the_place_earned_by_points() -> None:
    entered = [
        StandingsEntry(player=1),
        StandingsEntry(player=2),
        StandingsEntry(player=3, withdrawn=True),
    ]
    rows = compute_standings(entered, duels((3, 1, "W"), (3, 2, "W"), (1, 2, "W")))
    assert [(*place, row.withdrawn) for place, row in zip(order(rows), rows, strict=True)] == [
        (1, 3, True),
        (2, 1, False),
        (3, 2, False),
    ]


@pytest.mark.parametrize(
    ("after_end", "states"),
    [
        (False, {3: None, 1: CutState.SAFE, 2: CutState.OUT}),
        (True, {3: CutState.SAFE, 1: CutState.OUT, 2: CutState.OUT}),
    ],
)
def test_cut_off_line_counts_withdrawn_players_only_after_the_end(
    after_end: bool, states: dict[int, CutState | None]
) -> None:
    entered = [
        StandingsEntry(player=1),
        StandingsEntry(player=2),
        StandingsEntry(player=3, withdrawn=True, after_end=after_end),
    ]
    played = duels((3, 1, "W"), (3, 2, "W"), (1, 2, "W"))
    rows = compute_standings(entered, played, cut=CutLine(after=1))
    assert {row.player: row.state for row in rows} == states


def test_players_withdrawn_from_earlier_final_standings_stay_last() -> None:
    entered = [
        StandingsEntry(player=1),
        StandingsEntry(player=2),
        StandingsEntry(player=3, withdrawn=True, ranked_last=True),
    ]
    played = duels((3, 1, "W"), (3, 2, "W"), (1, 2, "W"))
    rows = compute_standings(entered, played, tie_breaks=[TieBreak.BUCHHOLZ])
    assert order(rows) == [(1, 1), (2, 2), (3, 3)]
    assert rows[2].parted_by == "withdrawn"
    assert rows[0].breaks[TieBreak.BUCHHOLZ] == 2


# In this league, all players have 1½ points. Player 1 beat 2, 2 beat 3, 3 beat 4 and 4 beat 1, and
# the other matches were drawn.
LEVEL = duels((1, 2, "W"), (2, 3, "W"), (3, 4, "W"), (4, 1, "W"), (1, 3, "D"), (2, 4, "D"))


def test_head_to_head_compares_only_tied_players() -> None:
    played = duels((1, 2, "W"), (3, 1, "W"), (2, 4, "W"), (2, 3, "W"), (1, 4, "W"))
    rows = compute_standings(entries(1, 2, 3, 4), played, tie_breaks=[TieBreak.HEAD_TO_HEAD])
    assert order(rows) == [(1, 1), (2, 2), (3, 3), (4, 4)]
    assert rows[1].parted_by is TieBreak.HEAD_TO_HEAD
    assert rows[0].breaks == {TieBreak.HEAD_TO_HEAD: 1}
    assert rows[2].breaks == {}
    assert rows[2].parted_by == "score"


def test_head_to_head_decides_nothing_until_all_tied_players_have_met() -> None:
    played = duels((1, 2, "W"), (3, 4, "W"), (2, 5, "W"))
    rows = compute_standings(entries(1, 2, 3, 4, 5), played, tie_breaks=[TieBreak.HEAD_TO_HEAD])
    assert order(rows)[:3] == [(1, 1), (1, 2), (1, 3)]


def test_head_to_head_is_a_share_so_more_meetings_are_no_advantage() -> None:
    played = duels((1, 2, "W"), (1, 2, "W"), (2, 1, "W"), (2, 3, "W"), (1, 3, "W"), (3, 1, "W"))
    played += match(90, (2, 1, 100), (4, 2, 0))
    rows = compute_standings(entries(1, 2, 3, 4), played, tie_breaks=[TieBreak.HEAD_TO_HEAD])
    assert [row.score for row in rows][:2] == [3, 3]
    assert order(rows)[:2] == [(1, 1), (2, 2)]
    assert rows[0].breaks[TieBreak.HEAD_TO_HEAD] == Fraction(2, 3)


def test_players_who_beat_each_other_in_a_circle_share_a_place() -> None:
    rows = compute_standings(
        entries(1, 2, 3, 4), LEVEL, tie_breaks=[TieBreak.HEAD_TO_HEAD, TieBreak.WINS]
    )
    assert {row.place for row in rows} == {1}
    assert all(row.shared for row in rows)


def test_later_tie_break_decides_only_among_players_still_tied() -> None:
    played = match(1, (1, 1, 100), (2, 2, 90)) + match(2, (3, 1, 100), (4, 2, 20))
    played += match(3, (5, 1, 110), (6, 2, 30))
    names = [TieBreak.POINTS, TieBreak.MARGIN]
    rows = compute_standings(entries(1, 2, 3, 4, 5, 6), played, tie_breaks=names)
    assert order(rows) == [(1, 5), (2, 3), (3, 1), (4, 2), (5, 6), (6, 4)]
    assert [row.parted_by for row in rows[:3]] == [None, TieBreak.POINTS, TieBreak.MARGIN]


def test_tie_breaks_wins_and_fewest_played_order_tied_players() -> None:
    played = duels((1, 3, "W"), (2, 4, "D"), (2, 3, "D"))
    assert order(compute_standings(entries(1, 2), played, tie_breaks=[TieBreak.WINS])) == [
        (1, 1),
        (2, 2),
    ]
    fewest = compute_standings(entries(1, 2), played, tie_breaks=[TieBreak.FEWEST_PLAYED])
    assert order(fewest) == [(1, 1), (2, 2)]
    assert fewest[1].breaks[TieBreak.FEWEST_PLAYED] == -2


def test_buchholz_tie_breaks_equal_values_calculated_by_hand() -> None:
    played = duels((1, 2, "W"), (3, 4, "W"), (1, 3, "D"), (2, 4, "W"), (1, 4, "W"), (2, 3, "D"))
    names = [TieBreak.BUCHHOLZ, TieBreak.MEDIAN_BUCHHOLZ, TieBreak.SONNEBORN_BERGER]
    rows = {
        row.player: row for row in compute_standings(entries(1, 2, 3, 4), played, tie_breaks=names)
    }
    # Scores: 2.5 for player 1, 1.5 for player 2, 2 for player 3, 0 for player 4.
    assert rows[1].breaks[TieBreak.BUCHHOLZ] == Fraction(7, 2)
    assert rows[2].breaks[TieBreak.BUCHHOLZ] == Fraction(9, 2)
    assert rows[1].breaks[TieBreak.MEDIAN_BUCHHOLZ] == Fraction(3, 2)
    assert rows[2].breaks[TieBreak.MEDIAN_BUCHHOLZ] == 2
    assert rows[1].breaks[TieBreak.SONNEBORN_BERGER] == Fraction(5, 2)
    assert rows[3].breaks[TieBreak.SONNEBORN_BERGER] == 2


def test_bye_counts_as_an_opponent_of_equal_strength() -> None:
    entered = [
        StandingsEntry(player=1, unplayed=byes(1)),
        StandingsEntry(player=2),
        StandingsEntry(player=3),
    ]
    scoring = Scoring(bye=Fraction(1))
    rows = compute_standings(
        entered, duels((1, 2, "W"), (2, 3, "W")), scoring=scoring, tie_breaks=[TieBreak.BUCHHOLZ]
    )
    assert rows[0].score == 2
    assert rows[0].breaks[TieBreak.BUCHHOLZ] == 1 + 2


def test_tie_breaks_best_single_and_cumulative() -> None:
    played = match(1, (1, 1, 100), (2, 2, 10)) + match(2, (1, 2, 20), (2, 1, 130))
    best = compute_standings(entries(1, 2), played, tie_breaks=[TieBreak.BEST_SINGLE])
    assert order(best) == [(1, 2), (2, 1)]
    early = compute_standings(entries(1, 2), played, tie_breaks=[TieBreak.CUMULATIVE])
    assert order(early) == [(1, 1), (2, 2)]
    assert [row.breaks[TieBreak.CUMULATIVE] for row in early] == [2, 1]


def test_lots_divide_all_players_and_do_not_change_when_others_join() -> None:
    seed = Seed(bytes(range(32)))
    lots = draw_lots(range(1, 9), seed)
    rows = compute_standings(entries(*range(1, 9)), [], tie_breaks=[TieBreak.LOTS], lots=lots)
    assert [row.place for row in rows] == list(range(1, 9))
    assert [row.player for row in rows] == sorted(lots, key=lambda p: -lots[p])
    assert all(row.breaks == {} for row in rows)
    assert draw_lots([3, 99], seed)[3] == lots[3]


def test_standings_of_a_league_without_players_have_no_rows() -> None:
    assert compute_standings([], []) == ()


results = st.lists(
    st.tuples(st.integers(1, 6), st.integers(1, 6), st.sampled_from("WD")).filter(
        lambda duel: duel[0] != duel[1]
    ),
    max_size=30,
)


@given(results, st.lists(st.sampled_from(list(TieBreak)), unique=True), st.randoms())
def test_standings_add_up_and_do_not_depend_on_the_order_of_results(
    played: list[tuple[int, int, str]], names: list[TieBreak], shuffle: object
) -> None:
    placings, entered = duels(*played), entries(1, 2, 3, 4, 5, 6)
    lots = draw_lots(range(1, 7), Seed(bytes(32)))
    rows = compute_standings(entered, placings, tie_breaks=names, lots=lots)
    assert sum(row.score for row in rows) == len(played)
    assert sum(row.margin for row in rows) == 0
    assert sorted(row.player for row in rows) == [1, 2, 3, 4, 5, 6]
    assert rows == compute_standings(entered[::-1], placings, tie_breaks=names, lots=lots)
    for above, below in pairwise(rows):
        assert above.score >= below.score
        assert (above.place == below.place) is (below.parted_by is None)
    for row in rows:
        assert row.place == 1 + sum(other.place < row.place for other in rows)
        assert row.shared is (sum(other.place == row.place for other in rows) > 1)


def test_meetings_are_in_the_order_of_play() -> None:
    played = duels((1, 2, "W"), (1, 3, "W"), (2, 3, "W"))
    assert [meeting.placings[0].match for meeting in meetings(played[::-1])] == [0, 1, 2]
