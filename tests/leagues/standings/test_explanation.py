"""The explanation of a row of standings: the terms of its sums, and why others are above
or below.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

import pytest

from leagues.standings.explanation import CriterionStep, Explanation, explain_standing
from leagues.standings.ranking import RankingOrder, order_of, rows_of
from leagues.standings.scoring import Placing, Scoring, UnplayedKind
from leagues.standings.tallies import Calendar, RulesVersion
from leagues.standings.tie_breaks import TieBreak, value_of
from tests.leagues.standings.seasons import FORMATS, Season, random_season
from tests.leagues.standings.test_table import duels, entries
from tests.leagues.standings.test_unplayed import FIVE
from tests.leagues.standings.written_tables import recorded

T, F, K = TieBreak, Fraction, UnplayedKind
SEASONS: Final = 60


def explained(season: Season, player: int) -> Explanation:
    return explain_standing(season.order, season.rows, player)


@pytest.mark.slow
@pytest.mark.parametrize("league_format", FORMATS)
@pytest.mark.parametrize("rules", RulesVersion)
def test_displayed_value_is_the_sum_of_its_terms(rules: RulesVersion, league_format: str) -> None:
    seen: set[TieBreak] = set()
    for number in range(SEASONS):
        season = random_season(number, rules, league_format)
        for row in season.rows:
            explanation = explained(season, row.player)
            assert sum(turn.gain for turn in explanation.turns) == row.score
            assert sum(bool(turn.result) for turn in explanation.turns) == row.played
            for step in explanation.steps:
                if step.by in season.by["tie_breaks"] and step.by is not T.LOTS:
                    seen.add(TieBreak(step.by))
                    check_terms(step, row.player, row.breaks.get(TieBreak(step.by)))
    assert seen == set(TieBreak) - {T.LOTS}


def check_terms(step: CriterionStep, player: int, shown: Fraction | None) -> None:
    if step.values:
        assert value_of(step.terms) == step.values[player]
    if step.by is not T.HEAD_TO_HEAD:
        assert step.values[player] == shown


@pytest.mark.parametrize("league_format", FORMATS)
@pytest.mark.parametrize("rules", RulesVersion)
def test_explained_steps_give_the_places_of_the_standings(
    rules: RulesVersion, league_format: str
) -> None:
    for number in range(SEASONS):
        season = random_season(number, rules, league_format)
        places = {row.player: row.place for row in season.rows}
        firsts = {row.place: row for row in reversed(season.rows)}
        for row in season.rows:
            found = explained(season, row.player)
            ahead = [other for step in found.steps for other in step.ahead_of(row.player)]
            behind = [other for step in found.steps for other in step.level_of(row.player)]
            assert sorted(ahead) == sorted(who for who in places if places[who] < row.place)
            assert sorted(behind) == sorted(who for who in places if places[who] > row.place)
            assert {*found.sharing, row.player} == {
                who for who in places if places[who] == row.place
            }
            assert (found.above is None) == (row.place == 1)
            assert (found.below is None) == (not behind)
            if found.above is not None:
                step = found.step_between(found.above)
                assert firsts[row.place].parted_by == step.by
                check_order(step, found.above, row.player)
            if found.below is not None:
                step = found.step_between(found.below)
                assert firsts[places[found.below]].parted_by == step.by
                check_order(step, row.player, found.below)


def check_order(step: CriterionStep, better: int, worse: int) -> None:
    assert step.values[better] > step.most.get(worse, step.values[worse])


# Calculated by hand


def ordered(
    table: str, *names: TieBreak, fixed: bool = False
) -> tuple[dict[str, int], RankingOrder]:
    rounds = {name: words for name, *words in map(str.split, table.strip().splitlines())}
    entered, placings = recorded(rounds)
    order = order_of(
        entered,
        placings,
        scoring=Scoring(sides=2),
        tie_breaks=names,
        lots={},
        rules=RulesVersion.CURRENT,
        calendar=Calendar(rounds=max(map(len, rounds.values())), fixed=fixed),
    )
    return {name: number for number, name in enumerate(rounds, start=1)}, order


def explanation_of(order: RankingOrder, player: int) -> Explanation:
    return explain_standing(order, rows_of(order, Scoring(sides=2), None), player)


@pytest.mark.parametrize(
    ("name", "tie_break", "terms"),
    [
        # Bea has 1.5 points, Cleo 2.5 (half a win for each round after she left), the own score is
        # 3.5, and Dora has 1.
        ("Ada", T.BUCHHOLZ, "1.5 2.5 3.5 1"),
        ("Ada", T.BUCHHOLZ_CUT, "1.5 2.5 3.5 -1"),
        ("Ada", T.MEDIAN_BUCHHOLZ, "1.5 2.5 -3.5 -1"),
        ("Ada", T.SONNEBORN_BERGER, "1.5 1.25 3.5 1"),
        ("Ada", T.CUMULATIVE, "1 1.5 2.5 3.5"),
        ("Ada", T.WINS, "1 0 1 1"),
        ("Ada", T.WINS_PLAYED, "1 0 1"),
        # The round with the excused absence is left out, and not Eva, who has no points.
        ("Bea", T.BUCHHOLZ_CUT, "3.5 -1.5 0 1.5"),
        ("Cleo", T.WINS_PLAYED, "0 0"),
        ("Eva", T.CUMULATIVE, "0 0 0 0"),
    ],
)
def test_terms_of_a_tie_break(name: str, tie_break: TieBreak, terms: str) -> None:
    """A minus marks the terms that are left out."""
    expected = [(F(term.lstrip("-")), not term.startswith("-")) for term in terms.split()]
    players, order = ordered(FIVE, tie_break)
    found = order.terms(tie_break, order.everyone[players[name]])
    assert [(term.amount, term.counts) for term in found] == expected


def test_explanation_names_the_kind_of_every_round() -> None:
    players, order = ordered(FIVE)
    turns = explanation_of(order, players["Cleo"]).turns
    assert [(turn.round, turn.kind, turn.result, turn.gain) for turn in turns] == [
        (1, K.FORFEIT_WON, "W", 1), (2, None, "D", F(1, 2)), (3, K.LEFT, "", 0),
        (4, K.LEFT, "", 0),
    ]  # fmt: skip
    assert [turn.match for turn in turns] == ["1/Cleo", "2/Ada", None, None]


# Player 1 has beaten 2, 3 and 4. Each of these has won and lost once against the others; 2 and 3
# have won again against strangers 8 and 9. Player 1 has lost to a stranger.
CIRCLE: Final = duels(
    (1, 2, "W"), (1, 3, "W"), (1, 4, "W"), (9, 1, "W"),
    (2, 3, "W"), (3, 4, "W"), (4, 2, "W"),
    (2, 9, "W"), (2, 8, "W"), (3, 9, "W"), (3, 8, "W"), (4, 9, "W"), (4, 8, "W"),
)  # fmt: skip


def duel_order(placings: list[Placing], count: int, *, rules: RulesVersion) -> RankingOrder:
    return order_of(
        entries(*range(1, count + 1)),
        placings,
        scoring=Scoring(sides=2 if rules is RulesVersion.CURRENT else None),
        tie_breaks=[T.HEAD_TO_HEAD],
        lots={},
        rules=rules,
        calendar=Calendar(),
    )


def test_results_against_each_other_are_compared_again_among_tied_players() -> None:
    explanation = explanation_of(duel_order(CIRCLE, 4, rules=RulesVersion.CURRENT), 3)
    first, again = explanation.steps
    assert first.parts == ((1,), (2, 3, 4))
    assert first.values == {1: 3, 2: 1, 3: 1, 4: 1}
    assert [(term.parts[0].rival, term.amount) for term in first.terms] == [(1, 0), (2, 0), (4, 1)]
    assert again.parts == ((2, 3, 4),)
    assert again.values == {2: 1, 3: 1, 4: 1}
    assert (explanation.above, explanation.sharing, explanation.below) == (1, (2, 4), None)
    assert explanation.step_between(1) is first


def test_missing_match_leaves_open_every_place_it_could_change() -> None:
    """Player 1 beat 2, and 2 has not met 3.

    As 2 could still win that match, only 1 against 3 is decided.
    """
    missing = duels((1, 2, "W"), (1, 3, "W"), (2, 9, "W"), (2, 8, "W"), (3, 9, "W"), (3, 8, "W"))
    order = duel_order(missing, 3, rules=RulesVersion.CURRENT)
    (step, *rest) = explanation_of(order, 2).steps
    assert step.values == {1: 2, 2: 0, 3: 0}
    assert step.most == {2: 1, 3: 1}
    assert step.unmet == (3,)
    assert step.parts == ((1,), (2, 3))
    assert [left.parts for left in rest] == [((2, 3),)]


def test_first_rules_compare_shares_of_matches_only_if_all_have_met() -> None:
    met = duels((1, 2, "W"), (2, 1, "W"), (1, 2, "W"), (2, 9, "W"))
    (step,) = explanation_of(duel_order(met, 2, rules=RulesVersion.FIRST), 1).steps
    assert step.parts == ((1,), (2,))
    assert step.values == {1: F(2, 3), 2: F(1, 3)}
    assert [term.amount for term in step.terms] == [F(1, 3), 0, F(1, 3)]
    apart = duels((1, 8, "W"), (2, 9, "W"))
    (step,) = explanation_of(duel_order(apart, 2, rules=RulesVersion.FIRST), 1).steps
    assert (step.values, step.unmet, step.parts) == ({}, (2,), ((1, 2),))


def test_withdrawn_and_unplaced_players_are_last_for_that_reason() -> None:
    table = """
    Ana    +Bruno  bye
    Bruno  -Ana    absent
    Dani   late    absent
    """
    players, order = ordered(table, T.BUCHHOLZ)
    last = explanation_of(order, players["Dani"])
    assert [step.by for step in last.steps] == ["unplaced"]
    assert last.above == players["Bruno"]
    assert not last.row.placed
    assert [step.by for step in explanation_of(order, players["Ana"]).steps] == [
        "unplaced",
        "score",
    ]
