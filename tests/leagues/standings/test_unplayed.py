"""Points of a round without a match under the current rules (FIDE C.07 of 2024)."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

import pytest

from leagues.standings.ranking import compute_standings
from leagues.standings.scoring import (
    Placing,
    Scoring,
    ScoringKind,
    StandingsEntry,
    UnplayedKind,
)
from leagues.standings.tallies import Calendar, RulesVersion
from leagues.standings.tie_breaks import TieBreak
from tests.leagues.standings.written_tables import NOW, standings

T, F, K = TieBreak, Fraction, UnplayedKind
SIXTEEN: Final = """
Adela   +Irene   =Nuria   =Bruno   +Paula   =Dario
Bruno   +Julian  +Gloria  =Adela   +Quique  =Carla
Carla   =Laura   +Fermin  +Hector  =Dario   =Bruno
Dario   +Mateo   excused  +Nuria   =Carla   =Adela
Elena   -Nuria   -Paula   +Laura   =Gloria  +Julian
Fermin  -Oscar   -Carla   bye      +Julian  +Hector
Gloria  +Paula   -Bruno   -Quique  =Elena   -Laura
Hector  =Quique  +Oscar   -Carla   +Nuria   -Fermin
Irene   -Adela   -Julian  excused  -Laura*  bye
Julian  -Bruno   +Irene   -Paula   -Fermin  -Elena
Laura   =Carla   -Quique  -Elena   +Irene*  +Gloria
Mateo   -Dario   bye      +Oscar*  absent   absent
Nuria   +Elena   =Adela   -Dario   -Hector  -Oscar
Oscar   +Fermin  -Hector  -Mateo*  absent   +Nuria
Paula   -Gloria  +Elena   +Julian  -Adela   -Quique
Quique  =Hector  +Laura   +Gloria  -Bruno   +Paula
"""
# The columns are: score, Buchholz, Sonneborn-Berger, and the sum of the scores after every round.
FIGURES: Final = """
Adela   3.5 12.5 8     11
Bruno   4   13   9.5   13
Carla   3.5 15.5 10.5  11
Dario   3.5 15   9.75  11.5
Elena   2.5 8.5  4.25  5
Fermin  3   12   6.5   6
Gloria  1.5 14.5 3.25  6
Hector  2.5 13.5 5.25  8.5
Irene   1.5 9    2.25  2.5
Julian  1   13   1.5   4
Laura   2.5 13.5 5.75  5.5
Mateo   2   11.5 4     7
Nuria   1.5 14   4.25  7
Oscar   2   11   4.5   6
Paula   2   12   3.5   7
Quique  3.5 12.5 7.25  10.5
"""


@pytest.mark.parametrize("line", FIGURES.strip().splitlines())
def test_tournament_of_sixteen_players_has_the_values_of_fide(line: str) -> None:
    name, *figures = line.split()
    row = standings(SIXTEEN, T.BUCHHOLZ, T.SONNEBORN_BERGER, T.CUMULATIVE)[name]
    breaks = (row.breaks[T.BUCHHOLZ], row.breaks[T.SONNEBORN_BERGER], row.breaks[T.CUMULATIVE])
    assert (row.score, *breaks) == tuple(map(F, figures))


# One round of every kind, calculated by hand.
FIVE: Final = """
Ada   +Bea     =Cleo    bye     +Dora
Bea   -Ada     excused  +Eva    void
Cleo  +Dora*   =Ada     left    left
Dora  -Cleo*   +Eva     absent  -Ada
Eva   late     -Dora    -Bea    void
"""
ALL: Final = (
    T.BUCHHOLZ, T.BUCHHOLZ_CUT, T.MEDIAN_BUCHHOLZ, T.SONNEBORN_BERGER, T.CUMULATIVE, T.WINS,
    T.WINS_PLAYED,
)  # fmt: skip


@pytest.mark.parametrize(
    ("name", "figures"),
    [
        # For her opponents Cleo counts 2.5: half a win for each round after she left.
        ("Ada", "3.5 8.5 7.5 4 7.25 8.5 3 2"),
        # The round with the excused absence is cut, and not the weaker opponent.
        ("Bea", "1.5 6.5 5 1.5 0.75 3.5 1 1"),
        ("Cleo", "1.5 8 6.5 3 3.25 5.5 1 0"),
        # This player was absent earlier, but played in the last round.
        ("Dora", "1 5.5 4.5 1 0 3 1 1"),
        ("Eva", "0 2.5 2.5 1 0 0 0 0"),
    ],
)
def test_values_of_every_kind_of_round_equal_those_calculated_by_hand(
    name: str, figures: str
) -> None:
    row = standings(FIVE, *ALL)[name]
    found = [row.score, *(row.breaks[tie_break] for tie_break in ALL)]
    assert found == [F(figure) for figure in figures.split()]


@pytest.mark.parametrize(
    ("rounds", "cumulative"),
    [
        ("bye +Bea -Cleo +Dora", 8),
        ("-Bea bye +Cleo -Dora", 5),
        ("+Bea -Cleo -Dora bye", 5),
    ],
)
def test_cumulative_score_counts_a_bye_from_its_round_on(rounds: str, cumulative: int) -> None:
    table = [f"Ada {rounds}"]
    for name in ("Bea", "Cleo", "Dora"):
        words = [
            {"+": "-", "-": "+"}[word[0]] + "Ada" if word[1:] == name else "."
            for word in rounds.split()
        ]
        table.append(" ".join([name, *words]))
    assert standings("\n".join(table), T.CUMULATIVE)["Ada"].breaks[T.CUMULATIVE] == cumulative


def test_cumulative_score_is_ordered_by_rounds_and_not_by_days() -> None:
    """A postponed match counts from its own round on. A missed round repeats the last sum."""
    table = """
    Ana    +Carla  -Dani
    Bruno  +Dani   -Carla
    Carla  -Ana    +Bruno
    Dani   -Bruno  +Ana
    """
    rows = standings(table, T.CUMULATIVE, fixed=True)
    assert {name: row.breaks[T.CUMULATIVE] for name, row in rows.items()} == {
        "Ana": 2, "Bruno": 2, "Carla": 1, "Dani": 1,
    }  # fmt: skip


def test_forfeit_in_a_round_robin_counts_as_a_meeting() -> None:
    table = """
    Ana    +Bruno*  +Carla
    Bruno  -Ana*    .
    Carla  .        -Ana
    """
    for fixed, expected in ((True, 0), (False, 2)):
        row = standings(table, T.BUCHHOLZ, T.WINS_PLAYED, fixed=fixed)["Ana"]
        assert row.breaks == {T.BUCHHOLZ: expected, T.WINS_PLAYED: 1}


# Points of rounds

PLACES: Final = Scoring(by_place=tuple(map(F, (4, 3, 2, 1))), sides=4)
POINTS: Final = Scoring(kind=ScoringKind.POINTS, bye=F(100), sides=2)
BEATEN: Final = Scoring(kind=ScoringKind.BEATEN, sides=4)


@pytest.mark.parametrize(
    ("scoring", "bye", "win"),
    [
        (Scoring(sides=2), 1, 1),
        (Scoring(by_place=(F(3),), draw=F(1), sides=2), 3, 3),
        (Scoring(by_place=(F(4), F(3)), sides=2), 4, 4),
        (PLACES, F(5, 2), 4),
        (Scoring(sides=4), F(1, 4), 1),
        (BEATEN, F(1, 2), 1),
        (Scoring(kind=ScoringKind.BEATEN, sides=2), 1, 1),
        (POINTS, 100, 100),
        (Scoring(kind=ScoringKind.POINTS, sides=2), 0, 0),
        (Scoring(bye=F(1, 2), sides=2), F(1, 2), 1),
        (Scoring(), 0, 1),
    ],
)
def test_bye_and_win_bring_the_expected_points(
    scoring: Scoring, bye: Fraction, win: Fraction
) -> None:
    assert (scoring.bye_worth, scoring.win) == (bye, win)
    assert scoring.unplayed_worth(K.BYE) == bye
    assert scoring.unplayed_worth(K.FORFEIT_WON) == win
    assert scoring.unplayed_worth(K.EXCUSED) == F(win) / 2
    nothing = (K.ABSENT, K.NOT_ENTERED, K.LEFT, K.VOID, K.FORFEIT_LOST)
    assert {scoring.unplayed_worth(kind) for kind in nothing} == {0}


@pytest.mark.parametrize(
    ("scoring", "places", "worth"),
    [
        (PLACES, [1, 2, 3, 4], [4, 3, 2, 1]),
        (PLACES, [1, 2, 3], [4, F(5, 2), 1]),
        (PLACES, [1, 2], [4, 1]),
        (PLACES, [1, 1, 3], [F(13, 4), F(13, 4), 1]),
        (Scoring(by_place=(F(4), F(3), F(2), F(1)), sides=2), [1, 2], [4, 3]),
        (Scoring(by_place=(F(4), F(3), F(2), F(1))), [1, 2, 3], [4, 3, 2]),
        # In this scoring, the winner takes all points, at smaller tables too.
        (Scoring(sides=4), [1, 2, 3], [1, 0, 0]),
        (Scoring(by_place=(F(3), F(1)), sides=4), [1, 2, 3], [3, 1, 0]),
    ],
)
def test_points_by_place_are_spread_over_smaller_matches(
    scoring: Scoring, places: list[int], worth: list[Fraction]
) -> None:
    assert [scoring.worth(place, places) for place in places] == worth


@pytest.mark.parametrize(
    ("scoring", "present", "absent"), [(PLACES, 4, 0), (POINTS, 100, 0), (BEATEN, 1, 0)]
)
@pytest.mark.parametrize("came", [(1, 2), (1, 2, 3)])
def test_present_players_of_a_forfeit_get_a_full_win_and_absent_players_nothing(
    scoring: Scoring, present: int, absent: int, came: tuple[int, ...]
) -> None:
    placings = [
        Placing(
            match="m",
            player=player,
            seat=player,
            side=player,
            place=1 if player in came else len(came) + 1,
            when=NOW,
            round=1,
            forfeit=True,
        )
        for player in (1, 2, 3, 4)
    ]
    rows = compute_standings(
        [StandingsEntry(player=player) for player in (1, 2, 3, 4)],
        placings,
        scoring=scoring,
        rules=RulesVersion.CURRENT,
        calendar=Calendar(rounds=1),
    )
    for row in rows:
        assert row.score == (present if row.player in came else absent)
        assert list(row.form) == ["W" if row.player in came else "L"]
    assert {row.player for row in rows if not row.placed} == {1, 2, 3, 4} - set(came)


def test_player_who_has_neither_played_nor_scored_is_last_without_a_place() -> None:
    table = """
    Ana    +Bruno  bye
    Bruno  -Ana    -Carla
    Carla  absent  +Bruno
    Dani   late    absent
    Eva    late    excused
    """
    rows = standings(table, T.MARGIN)
    assert {name: (row.place, row.placed) for name, row in rows.items()} == {
        "Ana": (1, True), "Carla": (2, True), "Eva": (3, True), "Bruno": (4, True),
        "Dani": (5, False),
    }  # fmt: skip
    assert rows["Dani"].parted_by == "unplaced"


# The following tests are about opponents at larger tables.


def test_opponents_at_larger_tables_count_by_their_mean() -> None:
    def table(number: int, *players: int) -> list[Placing]:
        return [
            Placing(
                match=number, player=player, seat=seat, side=seat, place=seat + 1, when=NOW,
                round=number,
            )
            for seat, player in enumerate(players)
        ]  # fmt: skip

    placings = [*table(1, 1, 2, 3, 4), *table(2, 5, 6, 7), *table(3, 1, 5, 6)]
    rows = {
        row.player: row
        for row in compute_standings(
            [StandingsEntry(player=player) for player in range(1, 8)],
            placings,
            scoring=PLACES,
            tie_breaks=[T.BUCHHOLZ, T.SONNEBORN_BERGER],
            rules=RulesVersion.CURRENT,
            calendar=Calendar(rounds=3),
        )
    }
    scores = {1: F(8), 2: F(3), 3: F(2), 4: F(1), 5: F(13, 2), 6: F(7, 2), 7: F(1)}
    assert {player: row.score for player, row in rows.items()} == scores
    mean = {1: F(6, 3) + F(10, 2), 5: F(9, 4) + F(23, 4)}
    assert {player: rows[player].breaks[T.BUCHHOLZ] for player in mean} == mean
    assert rows[5].breaks[T.SONNEBORN_BERGER] == F(9, 4) + F(7, 4)


# The following tests are about results against each other.


def places(table: str) -> dict[str, int]:
    return {name: row.place for name, row in standings(table, T.HEAD_TO_HEAD).items()}


def test_players_still_tied_are_compared_again_among_themselves() -> None:
    """All four players are tied.

    In the matches among them, Ana and Bruno have won two matches each, and the other players one
    each.
    """
    table = """
    Ana    +Bruno  .       +Carla  -Dani   .       .
    Bruno  -Ana    .       +Dani   +Carla  .       .
    Carla  .       +Dani   -Ana    -Bruno  +Fede   .
    Dani   .       -Carla  -Bruno  +Ana    .       +Fede
    Fede   .       .       .       .       -Carla  -Dani
    """
    assert places(table) == {"Ana": 1, "Bruno": 2, "Carla": 3, "Dani": 4, "Fede": 5}
    shown = {
        name: row.breaks.get(T.HEAD_TO_HEAD)
        for name, row in standings(table, T.HEAD_TO_HEAD).items()
    }
    assert shown == {"Ana": 2, "Bruno": 2, "Carla": 1, "Dani": 1, "Fede": None}


def test_two_players_who_met_more_than_once_share_one_point() -> None:
    table = """
    Ana    +Bruno  +Bruno  -Bruno  .
    Bruno  -Ana    -Ana    +Ana    +Carla
    Carla  .       .       .       -Bruno
    """
    rows = standings(table, T.HEAD_TO_HEAD)
    assert [rows[name].breaks[T.HEAD_TO_HEAD] for name in ("Ana", "Bruno")] == [F(2, 3), F(1, 3)]


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        # Ana beat both others, so she is first whatever the result between Bruno and Carla.
        (
            """
            Ana    +Bruno  +Carla  -Dani   -Eva
            Bruno  -Ana    .       +Dani   +Eva
            Carla  .       -Ana    +Eva    +Dani
            Dani   .       .       +Ana    .
            Eva    .       .       .       +Ana
            """,
            {"Ana": 1, "Bruno": 2, "Carla": 2},
        ),
        # Bruno could still reach her by beating Carla.
        (
            """
            Ana    +Bruno  .       +Dani
            Bruno  -Ana    +Eva    +Fede
            Carla  +Dani   +Fede   .
            """,
            {"Ana": 1, "Bruno": 1, "Carla": 1},
        ),
    ],
)
def test_missing_meetings_decide_nothing(table: str, expected: dict[str, int]) -> None:
    names = [line.split()[0] for line in table.strip().splitlines()]
    missing = {word[1:] for line in table.split("\n") for word in line.split()[1:] if len(word) > 1}
    rounds = len(table.strip().splitlines()[0].split()) - 1
    table += "\n".join(f"{name} {'. ' * rounds}" for name in sorted(missing - set(names)))
    found = places(table)
    assert {name: found[name] for name in expected} == expected
