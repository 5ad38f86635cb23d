"""Duplicate deals, and what is made of them."""

from __future__ import annotations

from math import isclose

import pytest

from dominoes.bots import Ladder, Played, share_of
from dominoes.bots.ladder import fit_ratings, standings
from fairness import Seed

PAIR = ("greedy", "random")


def won(first: int, second: int) -> list[list[Played]]:
    """Deals of two hands in which one bot, then the other, won so often."""
    a = Played(("greedy", "random"), 0, (10, 0))
    b = Played(("random", "greedy"), 0, (10, 0))
    hands = [a] * first + [b] * second
    return [hands[place : place + 2] for place in range(0, len(hands), 2)]


@pytest.mark.parametrize(
    ("profile", "players", "hands"),
    [("rulebook", 2, 12), ("crosswise_open", 2, 12), ("block", 4, 4), ("partners", 4, 12)],
)
def test_every_bot_plays_every_seat(profile: str, players: int, hands: int) -> None:
    """Six pairs change sides (D-2); four who play for themselves go round the table."""
    ladder = Ladder(profile=profile, budget_ms=1)
    played = ladder.play(0)
    assert ladder.players == players
    assert len(played) == hands
    for bot in ladder.bots:
        seats = [hand.bots.index(bot) for hand in played if bot in hand.bots]
        assert len(set(map(seats.count, seats))) == 1
        assert set(seats) == set(range(len(played[0].bots)))


def test_a_deal_is_the_same_every_time() -> None:
    ladder = Ladder(profile="rulebook", budget_ms=1)
    assert ladder.play(3) == ladder.play(3)
    assert ladder.play(3) != ladder.play(4)


def test_a_share_counts_hands_with_points_only() -> None:
    """A tie scores nobody (Ruling D-7) and is no hand of the count."""
    deals = [*won(3, 1), [Played(("greedy", "random"), None, (0, 0))]]
    found = share_of(deals, "greedy", "random")
    assert (found.value, found.games) == (0.75, 4)
    assert share_of(deals, "random", "greedy").value == 0.25


def test_hands_of_one_deal_are_no_chances_apart() -> None:
    """Whoever sits in the better seat wins both times: the deals say nothing, and exactly so."""
    even = [[*won(1, 1)[0]] for _ in range(50)]
    assert share_of(even, *PAIR) == (0.5, 0.5, 0.5, 100)
    lucky = won(50, 50)
    assert share_of(lucky, *PAIR).high > 0.6


def test_ten_wins_for_one_are_four_hundred_points() -> None:
    """The scale of the ratings, less a little for the half win everybody is given."""
    ratings = fit_ratings({("greedy", "random"): 10_000, ("random", "greedy"): 1_000}, PAIR)
    assert isclose(ratings["greedy"] - ratings["random"], 400, abs_tol=0.5)
    assert isclose(sum(ratings.values()), 3000)


def test_standings_are_ordered_with_intervals() -> None:
    chance = Seed(bytes(32)).chance("resample")
    best, worst = standings(won(70, 30), PAIR, chance)
    assert (best.bot, worst.bot) == PAIR[:2]
    assert best.low < best.rating < best.high
    assert isclose(best.points, 4.0)
    assert best.hands == 100


@pytest.mark.slow
def test_the_bots_stand_in_the_order_of_their_names() -> None:
    """Greedy beats random, maestro beats greedy; little thought and few deals are enough."""
    greedy = Ladder(profile="rulebook", bots=PAIR)
    assert share_of([greedy.play(number) for number in range(150)], *PAIR).low > 0.5
    maestro = Ladder(profile="rulebook", bots=("maestro", "greedy"), budget_ms=10)
    assert share_of([maestro.play(number) for number in range(40)], "maestro", "greedy").value > 0.5


@pytest.mark.slow
def test_the_table_names_all_bots() -> None:
    ladder = Ladder(profile="rulebook", budget_ms=1)
    text = ladder.table([ladder.play(0), ladder.play(1)])
    assert [line.split(" | ")[0] for line in text.splitlines()[:2]] == ["| bot", "| ---"]
    assert all(f"| {bot} |" in text for bot in ladder.bots)
