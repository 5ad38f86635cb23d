"""Calculation of ratings: strength, uncertainty, and equal results of a recount."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairness import Chance
from leagues.ratings.calculation import (
    DisplayedRating,
    Ladder,
    RatedOutcome,
    Skill,
    displayed_rating,
    ordinal,
    rating_span,
    rating_steps,
    recount_ratings,
)


def outcome_of_singles(match: int, *places: int, first: int = 1) -> RatedOutcome:
    """Return a result without partners: players `first`, `first` + 1, ... in the given places."""
    sides = tuple((player,) for player in range(first, first + len(places)))
    return RatedOutcome(match=match, sides=sides, places=places)


def season(count: int, players: int) -> list[RatedOutcome]:
    """Return random results of two to four seats among `players` players."""
    chance = Chance(bytes(32), "season")
    drawn = []
    for match in range(count):
        seats = chance.shuffled(range(players))[: 2 + chance.below(3)]
        places = tuple(1 + chance.below(len(seats)) for _ in seats)
        drawn.append(RatedOutcome(match=match, sides=tuple((p,) for p in seats), places=places))
    return drawn


def test_joint_winners_are_rated_above_third_place() -> None:
    ladder = Ladder()
    ladder.rate(outcome_of_singles(1, 1, 1, 3, 4, 5))
    joint, other, third, fourth, fifth = (ladder.skill(player) for player in range(1, 6))
    assert joint == other
    assert joint.mu > third.mu > fourth.mu > fifth.mu


@given(st.permutations(range(6)), st.lists(st.integers(1, 6), min_size=6, max_size=6))
def test_order_of_seats_does_not_change_ratings(order: list[int], places: list[int]) -> None:
    seated = Ladder()
    seated.rate(RatedOutcome(match=1, sides=tuple((p,) for p in range(6)), places=tuple(places)))
    moved = Ladder()
    moved.rate(
        RatedOutcome(
            match=1, sides=tuple((p,) for p in order), places=tuple(places[p] for p in order)
        )
    )
    for player in range(6):
        assert moved.skill(player).mu == pytest.approx(seated.skill(player).mu)
        assert moved.skill(player).sigma == pytest.approx(seated.skill(player).sigma)


@given(st.integers(2, 6))
def test_tie_of_equal_players_changes_only_uncertainty(seats: int) -> None:
    ladder = Ladder()
    ladder.rate(outcome_of_singles(1, *[1] * seats))
    assert {round(skill.mu, 9) for skill in ladder.skills.values()} == {25.0}
    assert all(skill.sigma < Skill().sigma for skill in ladder.skills.values())


def test_partners_gain_the_same_and_less_than_a_single_winner() -> None:
    # Under Ruling D-2, partners have seats 0 and 2 or seats 1 and 3.
    ladder = Ladder()
    ladder.rate(RatedOutcome(match=1, sides=((10, 12), (11, 13)), places=(1, 2)))
    alone_ladder = Ladder()
    alone_ladder.rate(outcome_of_singles(1, 1, 2))
    assert ladder.skill(10) == ladder.skill(12)
    assert ladder.skill(11) == ladder.skill(13)
    assert 25 < ladder.skill(10).mu < alone_ladder.skill(1).mu


def test_rating_step_contains_skill_before_and_after() -> None:
    ladder = Ladder({7: Skill(30.0, 2.0)})
    first, second = ladder.rate(RatedOutcome(match="m", sides=((7,), (8,)), places=(2, 1)))
    assert (first.match, first.player, first.before) == ("m", 7, Skill(30.0, 2.0))
    assert first.after == ladder.skill(7)
    assert second.before == Skill()
    assert first.after.mu < 30 < 25 + second.after.mu


def test_result_with_one_side_changes_no_ratings() -> None:
    ladder = Ladder()
    assert ladder.rate(outcome_of_singles(1, 1)) == ()
    assert ladder.skills == {}


@pytest.mark.parametrize(
    ("sides", "places"),
    [(((1,), (1,)), (1, 2)), (((1,), ()), (1, 2)), (((1,), (2,)), (1,))],
)
def test_impossible_result_is_rejected(
    sides: tuple[tuple[int, ...], ...], places: tuple[int, ...]
) -> None:
    with pytest.raises(ValueError, match="In 1"):
        RatedOutcome(match=1, sides=sides, places=places)


@pytest.mark.slow
@given(st.integers(0, 120))
def test_recount_from_a_checkpoint_equals_a_full_recount(cut: int) -> None:
    results = season(120, 12)
    whole, all_steps = recount_ratings(results)
    kept, early = recount_ratings(results[:cut])
    went_on, late = recount_ratings(results[cut:], checkpoint=kept.skills)
    assert went_on.skills == whole.skills
    assert early + late == all_steps


def test_recount_does_not_change_its_checkpoint() -> None:
    checkpoint = {1: Skill(26.0, 3.0)}
    recount_ratings([outcome_of_singles(1, 2, 1)], checkpoint=checkpoint)
    assert checkpoint == {1: Skill(26.0, 3.0)}


def test_recount_reports_progress_every_hundred_results_and_at_the_end() -> None:
    heard: list[int] = []
    recount_ratings(season(250, 9), progress=heard.append)
    assert heard == [100, 200, 250]
    heard.clear()
    recount_ratings(season(200, 9), progress=heard.append)
    assert heard == [100, 200]
    heard.clear()
    recount_ratings([], progress=heard.append)
    assert heard == [0]


def test_rating_steps_are_calculated_one_result_at_a_time() -> None:
    ladder = Ladder()
    coming = rating_steps(season(10, 5), ladder)
    next(coming)
    assert len(ladder.skills) <= 4


def test_displayed_rating_and_its_interval() -> None:
    assert displayed_rating(25.0, 25.0 / 3) == DisplayedRating(1500, 653)
    assert displayed_rating(29.2, 0.66) == DisplayedRating(1668, 52)
    assert (displayed_rating(29.2, 0.66).low, displayed_rating(29.2, 0.66).high) == (1616, 1720)


def test_ranking_uses_the_lower_bound_of_a_rating() -> None:
    ladder = Ladder({1: Skill(30.0, 5.0), 2: Skill(26.0, 1.0), 3: Skill(26.0, 1.0)})
    assert ladder.ranked() == [2, 3, 1]
    assert ordinal(Skill(30.0, 5.0)) == 15.0


def test_rating_chart_has_round_limits_that_one_newcomer_does_not_stretch() -> None:
    settled = [DisplayedRating(1490, 60), DisplayedRating(1560, 70), DisplayedRating(1610, 65)]
    assert rating_span(settled) == (1400, 1700)
    assert rating_span([*settled, DisplayedRating(1500, 650)]) == (1400, 1700)
    assert rating_span([]) == (1450, 1550)
