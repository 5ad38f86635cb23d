"""Ratings: who is believed to be better, how surely, and that a recount finds the same."""

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
    """Everybody for themselves: players `first`, `first` + 1, ... in the places given."""
    sides = tuple((player,) for player in range(first, first + len(places)))
    return RatedOutcome(match=match, sides=sides, places=places)


def season(count: int, players: int) -> list[RatedOutcome]:
    """Results of two to four seats among so many players, drawn."""
    chance = Chance(bytes(32), "season")
    drawn = []
    for match in range(count):
        seats = chance.shuffled(range(players))[: 2 + chance.below(3)]
        places = tuple(1 + chance.below(len(seats)) for _ in seats)
        drawn.append(RatedOutcome(match=match, sides=tuple((p,) for p in seats), places=places))
    return drawn


def test_joint_winners_stand_above_third_place() -> None:
    ladder = Ladder()
    ladder.rate(outcome_of_singles(1, 1, 1, 3, 4, 5))
    joint, other, third, fourth, fifth = (ladder.skill(player) for player in range(1, 6))
    assert joint == other
    assert joint.mu > third.mu > fourth.mu > fifth.mu


@given(st.permutations(range(6)), st.lists(st.integers(1, 6), min_size=6, max_size=6))
def test_the_order_of_the_seats_decides_nothing(order: list[int], places: list[int]) -> None:
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
def test_who_is_level_with_equals_stays_where_they_were(seats: int) -> None:
    ladder = Ladder()
    ladder.rate(outcome_of_singles(1, *[1] * seats))
    assert {round(skill.mu, 9) for skill in ladder.skills.values()} == {25.0}
    assert all(skill.sigma < Skill().sigma for skill in ladder.skills.values())


def test_partners_rise_together_and_by_less_than_one_alone() -> None:
    # Ruling D-2: sides are seats 0+2 and 1+3
    ladder = Ladder()
    ladder.rate(RatedOutcome(match=1, sides=((10, 12), (11, 13)), places=(1, 2)))
    alone_ladder = Ladder()
    alone_ladder.rate(outcome_of_singles(1, 1, 2))
    assert ladder.skill(10) == ladder.skill(12)
    assert ladder.skill(11) == ladder.skill(13)
    assert 25 < ladder.skill(10).mu < alone_ladder.skill(1).mu


def test_a_step_tells_what_was_and_what_is() -> None:
    ladder = Ladder({7: Skill(30.0, 2.0)})
    first, second = ladder.rate(RatedOutcome(match="m", sides=((7,), (8,)), places=(2, 1)))
    assert (first.match, first.player, first.before) == ("m", 7, Skill(30.0, 2.0))
    assert first.after == ladder.skill(7)
    assert second.before == Skill()
    assert first.after.mu < 30 < 25 + second.after.mu


def test_one_side_alone_moves_nobody() -> None:
    ladder = Ladder()
    assert ladder.rate(outcome_of_singles(1, 1)) == ()
    assert ladder.skills == {}


@pytest.mark.parametrize(
    ("sides", "places"),
    [(((1,), (1,)), (1, 2)), (((1,), ()), (1, 2)), (((1,), (2,)), (1,))],
)
def test_an_impossible_result_is_refused(
    sides: tuple[tuple[int, ...], ...], places: tuple[int, ...]
) -> None:
    with pytest.raises(ValueError, match="In 1"):
        RatedOutcome(match=1, sides=sides, places=places)


@pytest.mark.slow
@given(st.integers(0, 120))
def test_going_on_from_a_checkpoint_is_the_same_as_going_through(cut: int) -> None:
    results = season(120, 12)
    whole, all_steps = recount_ratings(results)
    kept, early = recount_ratings(results[:cut])
    went_on, late = recount_ratings(results[cut:], checkpoint=kept.skills)
    assert went_on.skills == whole.skills
    assert early + late == all_steps


def test_a_checkpoint_is_left_as_it_was() -> None:
    checkpoint = {1: Skill(26.0, 3.0)}
    recount_ratings([outcome_of_singles(1, 2, 1)], checkpoint=checkpoint)
    assert checkpoint == {1: Skill(26.0, 3.0)}


def test_progress_is_heard_along_the_way_and_at_the_end() -> None:
    heard: list[int] = []
    recount_ratings(season(250, 9), progress=heard.append)
    assert heard == [100, 200, 250]
    heard.clear()
    recount_ratings(season(200, 9), progress=heard.append)
    assert heard == [100, 200]
    heard.clear()
    recount_ratings([], progress=heard.append)
    assert heard == [0]


def test_steps_come_one_result_at_a_time() -> None:
    ladder = Ladder()
    coming = rating_steps(season(10, 5), ladder)
    next(coming)
    assert len(ladder.skills) <= 4


def test_a_rating_as_it_is_shown() -> None:
    assert displayed_rating(25.0, 25.0 / 3) == DisplayedRating(1500, 653)
    assert displayed_rating(29.2, 0.66) == DisplayedRating(1668, 52)
    assert (displayed_rating(29.2, 0.66).low, displayed_rating(29.2, 0.66).high) == (1616, 1720)


def test_the_order_is_by_what_is_all_but_certain() -> None:
    ladder = Ladder({1: Skill(30.0, 5.0), 2: Skill(26.0, 1.0), 3: Skill(26.0, 1.0)})
    assert ladder.ranked() == [2, 3, 1]
    assert ordinal(Skill(30.0, 5.0)) == 15.0


def test_the_line_of_ratings_has_round_ends_and_one_newcomer_does_not_stretch_it() -> None:
    settled = [DisplayedRating(1490, 60), DisplayedRating(1560, 70), DisplayedRating(1610, 65)]
    assert rating_span(settled) == (1400, 1700)
    assert rating_span([*settled, DisplayedRating(1500, 650)]) == (1400, 1700)
    assert rating_span([]) == (1450, 1550)
