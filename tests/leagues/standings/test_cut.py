"""States at the cut-off line (safe, alive, out), compared with all possible outcomes of small
leagues.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leagues.standings.cut import CutLine, CutState, cut_states
from leagues.standings.ranking import compute_standings
from leagues.standings.scoring import Scoring, ScoringKind, StandingsEntry
from tests.leagues.standings.test_table import duels, entries
from tests.properties import examples

HALF = Fraction(1, 2)
Fixtures = list[tuple[int, ...]]


def courses(
    scores: dict[int, Fraction], fixtures: Fixtures, *, draws: bool
) -> Iterator[dict[int, Fraction]]:
    """Yield the final scores of every outcome of the fixtures: each fixture is won by one of its
    players or, with `draws`, shared.
    """
    ways = []
    for fixture in fixtures:
        shares: Fixtures = [(winner,) for winner in fixture]
        if draws:
            shares += [
                some for n in range(2, len(fixture) + 1) for some in combinations(fixture, n)
            ]
        ways.append(shares)
    for course in product(*ways):
        final = dict(scores)
        for winners in course:
            for winner in winners:
                final[winner] += Fraction(1, len(winners))
        yield final


def truth(
    scores: dict[int, Fraction], fixtures: Fixtures, after: int, *, draws: bool
) -> dict[int, CutState]:
    """Return the states found by trying every outcome. Ties at the line stay undecided."""
    safe, out = dict.fromkeys(scores, True), dict.fromkeys(scores, True)
    for final in courses(scores, fixtures, draws=draws):
        for player in scores:
            others = [final[rival] for rival in scores if rival != player]
            safe[player] &= sum(score >= final[player] for score in others) < after
            out[player] &= sum(score > final[player] for score in others) >= after
    return {
        player: CutState.SAFE if safe[player] else CutState.OUT if out[player] else CutState.ALIVE
        for player in scores
    }


pairs = st.tuples(st.integers(0, 4), st.integers(0, 4)).filter(lambda pair: pair[0] != pair[1])
halves = st.integers(0, 10).map(lambda number: number * HALF)


@pytest.mark.slow
@settings(max_examples=examples(250), deadline=None)
@given(
    st.lists(halves, min_size=5, max_size=5),
    st.lists(pairs, min_size=1, max_size=6),
    st.integers(1, 4),
    st.booleans(),
)
def test_states_of_matches_between_two_players_are_exact(
    scores: list[Fraction], fixtures: Fixtures, after: int, draws: bool
) -> None:
    so_far = dict(enumerate(scores))
    cut = CutLine(after=after, fixtures=fixtures, draws=draws)
    assert cut_states(so_far, Scoring(), cut) == truth(so_far, fixtures, after, draws=draws)


tables = st.lists(st.integers(0, 4), min_size=3, max_size=4, unique=True).map(tuple)


@pytest.mark.slow
@settings(max_examples=examples(120), deadline=None)
@given(
    st.lists(st.integers(0, 4).map(Fraction), min_size=5, max_size=5),
    st.lists(tables, min_size=1, max_size=3),
    st.integers(1, 4),
    st.sampled_from(
        [Scoring(), Scoring(kind=ScoringKind.BEATEN), Scoring(by_place=(Fraction(1), HALF))]
    ),
)
def test_states_of_larger_tables_are_never_more_than_certain(
    scores: list[Fraction], fixtures: Fixtures, after: int, scoring: Scoring
) -> None:
    so_far = dict(enumerate(scores))
    found = cut_states(so_far, scoring, CutLine(after=after, fixtures=fixtures))
    certain = truth(so_far, fixtures, after, draws=True)
    for player, state in found.items():
        # The outcomes tried give all points to a winner. Other scoring rules spread the points
        # more.
        assert state in {CutState.ALIVE, certain[player]}


def test_wins_that_rivals_take_from_each_other_can_put_a_player_out() -> None:
    # Player 4 can reach 3 points like players 1 and 2. But these two play each other, so one of
    # them gets 4.
    scores = {1: Fraction(3), 2: Fraction(3), 3: Fraction(0), 4: Fraction(1)}
    fixtures: Fixtures = [(1, 2), (3, 4), (3, 4)]
    cut = CutLine(after=1, fixtures=fixtures, draws=False)
    assert cut_states(scores, Scoring(), cut)[4] is CutState.OUT
    assert cut_states(scores, Scoring(), CutLine(after=1, fixtures=fixtures))[4] is CutState.OUT
    assert cut_states(scores, Scoring(), CutLine(after=3, fixtures=fixtures))[1] is CutState.SAFE


def test_possible_draws_make_a_leader_less_certain() -> None:
    scores = {1: Fraction(5, 2), 2: Fraction(5, 2), 3: Fraction(3)}
    cut = CutLine(after=1, fixtures=[(1, 2)], draws=True)
    assert cut_states(scores, Scoring(), cut)[3] is CutState.ALIVE
    cut = CutLine(after=1, fixtures=[(1, 2)], draws=False)
    assert cut_states(scores, Scoring(), cut)[3] is CutState.OUT


def test_player_who_can_at_most_tie_at_the_cut_off_line_is_undecided() -> None:
    cut = CutLine(after=1, fixtures=[(1, 2)], draws=False)
    found = cut_states({1: Fraction(1), 2: Fraction(0)}, Scoring(), cut)
    assert found == {1: CutState.ALIVE, 2: CutState.ALIVE}


@pytest.mark.parametrize("scoring", [Scoring(kind=ScoringKind.POINTS), Scoring(bye=Fraction(1))])
def test_nothing_is_certain_if_any_number_of_points_may_come(scoring: Scoring) -> None:
    scores = {1: Fraction(90), 2: Fraction(0), 3: Fraction(0)}
    found = cut_states(scores, scoring, CutLine(after=1, fixtures=[(2, 3)]))
    assert set(found.values()) == {CutState.ALIVE}


def test_partners_are_judged_only_by_the_points_they_can_reach() -> None:
    scores = {1: Fraction(3), 2: Fraction(3), 3: Fraction(0), 4: Fraction(0)}
    found = cut_states(scores, Scoring(), CutLine(after=2, fixtures=[(1, 2, 3, 4)], sides=True))
    assert found == {1: CutState.SAFE, 2: CutState.SAFE, 3: CutState.OUT, 4: CutState.OUT}


def test_states_are_final_when_everything_is_played_and_ties_stay_undecided() -> None:
    played = duels((1, 2, "W"), (1, 3, "W"), (1, 4, "W"), (2, 3, "D"), (2, 4, "W"), (3, 4, "W"))
    found = {
        row.player: row.state
        for row in compute_standings(entries(1, 2, 3, 4), played, cut=CutLine(after=2))
    }
    assert found == {1: CutState.SAFE, 2: CutState.ALIVE, 3: CutState.ALIVE, 4: CutState.OUT}


def test_withdrawn_player_has_no_state_and_takes_no_place() -> None:
    entered = [
        StandingsEntry(player=1, withdrawn=True),
        StandingsEntry(player=2),
        StandingsEntry(player=3),
    ]
    played = duels((1, 2, "W"), (1, 3, "W"))
    rows = compute_standings(entered, played, cut=CutLine(after=1, fixtures=[(2, 3)]))
    assert {row.player: row.state for row in rows} == {
        1: None,
        2: CutState.ALIVE,
        3: CutState.ALIVE,
    }


def test_states_safe_and_out_never_change_during_a_season() -> None:
    players = range(8)
    fixtures = list(combinations(players, 2))
    scores: Counter[int] = Counter()
    before = dict.fromkeys(players, CutState.ALIVE)
    while fixtures:
        one, other = fixtures.pop(0)
        scores[min(one, other, key=lambda player: (player * 5 + len(fixtures)) % 7)] += 1
        now = {player: Fraction(scores[player]) for player in players}
        if not fixtures:
            break
        found = cut_states(now, Scoring(), CutLine(after=3, fixtures=fixtures))
        for player in players:
            assert before[player] in {CutState.ALIVE, found[player]}
        before = found


def ends(fixture: tuple[int, ...], scoring: Scoring, *, sides: bool) -> list[dict[int, Fraction]]:
    """Return the points of each player for every order in which a match can end."""
    count = 2 if sides else len(fixture)
    found = []
    for ranks in product(range(count), repeat=count):
        if set(ranks) != set(range(max(ranks) + 1)):
            continue  # smaller ranks already give the same order
        places = [1 + sum(other < rank for other in ranks) for rank in ranks]
        worth = [scoring.worth(place, places) for place in places]
        found.append({player: worth[seat % count] for seat, player in enumerate(fixture)})
    return found


def certain(
    scores: dict[int, Fraction], fixtures: Fixtures, after: int, scoring: Scoring, *, sides: bool
) -> dict[int, CutState]:
    """Return the states found by trying every order in which every match can end."""
    safe, out = dict.fromkeys(scores, True), dict.fromkeys(scores, True)
    for course in product(*(ends(fixture, scoring, sides=sides) for fixture in fixtures)):
        final = {
            p: s + sum((end.get(p, 0 * s) for end in course), 0 * s) for p, s in scores.items()
        }
        for player, own in final.items():
            safe[player] &= sum(score >= own for score in final.values()) - 1 < after
            out[player] &= sum(score > own for score in final.values()) >= after
    return {
        player: CutState.SAFE if safe[player] else CutState.OUT if out[player] else CutState.ALIVE
        for player in scores
    }


ONE, TWO, THREE = Fraction(1), Fraction(2), Fraction(3)
# Each case: the scoring, the remaining fixtures, and whether partners win together. The search that
# distributes wins does not apply to these leagues, or only just.
COUNTED: list[tuple[Scoring, Fixtures, bool]] = [
    (Scoring(by_place=(THREE,), draw=ONE), [(1, 2), (2, 3)], False),
    (Scoring(by_place=(ONE,), draw=ONE), [(1, 2), (3, 4)], False),
    (Scoring(by_place=(ONE,), draw=Fraction(0)), [(1, 2), (3, 4)], False),
    (Scoring(by_place=(ONE,), draw=TWO), [(1, 2), (3, 4)], False),
    (Scoring(by_place=(ONE,), draw=HALF), [(1, 2, 3)], False),
    (Scoring(by_place=(ONE,), draw=HALF), [(1, 2), (2, 3)], False),
    (Scoring(by_place=(TWO, ONE)), [(1, 2, 3)], False),
    (Scoring(by_place=(TWO, ONE)), [(1, 2), (3, 4)], False),
    (Scoring(by_place=(ONE, ONE)), [(1, 2), (1, 3)], False),
    (Scoring(by_place=(Fraction(0),)), [(1, 2), (3, 4)], False),
    (Scoring(by_place=()), [(1, 2), (3, 4)], False),
    (Scoring(kind=ScoringKind.BEATEN), [(1, 2, 3)], False),
    (Scoring(kind=ScoringKind.BEATEN), [(1, 2), (2, 3)], False),
    (Scoring(kind=ScoringKind.BEATEN), [(1, 2, 3), (3, 4)], False),
    (Scoring(), [(1, 2, 3), (3, 4)], False),
    (Scoring(by_place=(-ONE,)), [(1, 2)], False),
    (Scoring(by_place=(HALF,)), [(1, 2, 3, 4)], True),
    (Scoring(), [(1, 2, 3, 4)], True),
]
AHEAD = [
    tuple(Fraction(score, 2) for score in halves)
    for halves in (
        (0, 0, 0, 0),
        (2, 2, 0, 2),
        (2, 1, 2, 0),
        (3, 0, 1, 4),
        (5, 2, 2, 0),
        (1, 4, 6, 3),
        (2, 2, 2, 3),
        (2, 2, 0, 3),
    )
]


@pytest.mark.parametrize(("scoring", "fixtures", "sides"), COUNTED)
def test_states_are_never_more_than_certain_for_any_scoring(
    scoring: Scoring, fixtures: Fixtures, sides: bool
) -> None:
    for scores, after in product(AHEAD, (1, 2, 3)):
        so_far = dict(enumerate(scores, start=1))
        found = cut_states(so_far, scoring, CutLine(after=after, fixtures=fixtures, sides=sides))
        due = certain(so_far, fixtures, after, scoring, sides=sides)
        for player, state in found.items():
            assert state in {CutState.ALIVE, due[player]}, (scores, after, player)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("scoring", "fixtures"),
    [
        (Scoring(), [(1, 2), (2, 3)]),
        (Scoring(), [(1, 2), (2, 3), (3, 4)]),
        (Scoring(by_place=(ONE,), draw=HALF), [(1, 2), (2, 3)]),
        (Scoring(by_place=(HALF,)), [(1, 2)]),
        (Scoring(kind=ScoringKind.BEATEN), [(1, 2), (2, 3), (1, 3)]),
        (Scoring(kind=ScoringKind.BEATEN, by_place=(Fraction(5),)), [(1, 2), (2, 3)]),
    ],
)
def test_every_certain_state_between_two_players_is_found(
    scoring: Scoring, fixtures: Fixtures
) -> None:
    claimed = 0
    for scores, after in product(AHEAD, (1, 2, 3)):
        so_far = dict(enumerate(scores, start=1))
        found = cut_states(so_far, scoring, CutLine(after=after, fixtures=fixtures))
        assert found == certain(so_far, fixtures, after, scoring, sides=False), (scores, after)
        claimed += sum(state is not CutState.ALIVE for state in found.values())
    assert claimed > 10


# The following tests are about the minimum number of matches.


def lines(
    *results: tuple[int, int, str], least: int, open_: list[tuple[int, int]]
) -> dict[int, tuple[int, CutState | None]]:
    """Return missing matches and state of each player.

    The cut-off line is after the first place.
    """
    return {
        row.player: (row.missing, row.state)
        for row in compute_standings(
            entries(1, 2, 3, 4),
            duels(*results),
            cut=CutLine(after=1, fixtures=open_),
            least=least,
        )
    }


def test_only_players_with_enough_matches_are_above_the_line_at_the_end() -> None:
    results = ((1, 9, "W"), (1, 8, "W"), (2, 9, "W"), (2, 8, "D"), (2, 7, "D"), (3, 9, "D"))
    assert lines(*results, least=0, open_=[])[1] == (0, CutState.ALIVE)
    # Players 1 and 2 are tied with two points; player 1 has played one match less.
    assert lines(*results, least=3, open_=[]) == {
        1: (1, CutState.OUT), 2: (0, CutState.SAFE), 3: (2, CutState.OUT), 4: (3, CutState.OUT),
    }  # fmt: skip
    assert lines(*results, least=2, open_=[])[1] == (0, CutState.ALIVE)


def test_player_who_can_still_play_enough_matches_threatens_others_but_puts_nobody_out() -> None:
    """Player 1 leads by two points, and only player 4, who has played nothing, could still catch
    up.
    """
    results = ((1, 9, "W"), (1, 8, "W"), (2, 9, "W"), (3, 9, "D"))
    fixtures = [(4, 7), (4, 6), (4, 5)]
    assert lines(*results, least=1, open_=fixtures) == {
        1: (0, CutState.ALIVE), 2: (0, CutState.OUT), 3: (0, CutState.OUT),
        4: (1, CutState.ALIVE),
    }  # fmt: skip
    assert lines(*results, least=1, open_=fixtures[:1])[1] == (0, CutState.SAFE)
    # With three matches left, player 4 cannot reach four matches.
    assert lines(*results, (7, 1, "W"), least=4, open_=fixtures)[4] == (4, CutState.OUT)


def test_player_without_enough_matches_puts_nobody_out() -> None:
    """Player 1 has three points and needs a fourth match, which may be voided.

    Then player 2 could take the place.
    """
    results = (
        (1, 9, "W"), (1, 8, "W"), (1, 7, "W"),
        (2, 9, "W"), (8, 2, "W"), (7, 2, "W"), (6, 2, "W"),
    )  # fmt: skip
    found = lines(*results, least=4, open_=[(1, 5)])
    assert found[1] == (1, CutState.ALIVE)
    assert found[2] == (0, CutState.ALIVE)
    assert lines(*results, least=0, open_=[(1, 5)])[2] == (0, CutState.OUT)


def test_forfeits_do_not_count_for_the_minimum_number_of_matches() -> None:
    given = [replace(placing, forfeit=True) for placing in duels((1, 2, "W"))]
    rows = {row.player: row for row in compute_standings(entries(1, 2), given, least=1)}
    assert [rows[player].missing for player in (1, 2)] == [1, 1]
    assert not rows[1].has_enough_matches
    rows = {
        row.player: row for row in compute_standings(entries(1, 2), duels((1, 2, "W")), least=1)
    }
    assert [rows[player].has_enough_matches for player in (1, 2)] == [True, True]
