"""Comparison of domino bots: every deal is played from all seats, then bots are rated."""

from __future__ import annotations

from math import isclose

import pytest

from dominoes.bots import Ladder, PlayedHand, share_of
from dominoes.bots.ladder import fit_ratings, standings
from fairness import Seed

PAIR = ("greedy", "random")


def won(first: int, second: int) -> list[list[PlayedHand]]:
    """Return deals of two hands each.

    The first bot has won `won` hands, the second bot the other number of hands.
    """
    a = PlayedHand(("greedy", "random"), 0, (10, 0))
    b = PlayedHand(("random", "greedy"), 0, (10, 0))
    hands = [a] * first + [b] * second
    return [hands[place : place + 2] for place in range(0, len(hands), 2)]


@pytest.mark.parametrize(
    ("profile", "players", "hands"),
    [("rulebook", 2, 12), ("crosswise_open", 2, 12), ("block", 4, 4), ("partners", 4, 12)],
)
def test_bots_play_every_seat_equally_often(profile: str, players: int, hands: int) -> None:
    """With partners (Ruling D-2), each of the six pairs of four bots plays a deal from both sides.

    Four bots without partners move from seat to seat.
    """
    ladder = Ladder(profile=profile, budget_ms=1)
    played = ladder.play(0)
    assert ladder.players == players
    assert len(played) == hands
    for bot in ladder.bots:
        seats = [hand.bots.index(bot) for hand in played if bot in hand.bots]
        assert len(set(map(seats.count, seats))) == 1
        assert set(seats) == set(range(len(played[0].bots)))


@pytest.mark.slow
def test_bot_ladder_plays_the_same_deal_in_the_same_way_every_time() -> None:
    ladder = Ladder(profile="rulebook", budget_ms=1)
    assert ladder.play(3) == ladder.play(3)
    assert ladder.play(3) != ladder.play(4)


def test_share_of_hands_won_ignores_hands_without_points() -> None:
    """In a tie nobody scores (Ruling D-7), so the hand is not counted."""
    deals = [*won(3, 1), [PlayedHand(("greedy", "random"), None, (0, 0))]]
    found = share_of(deals, "greedy", "random")
    assert (found.value, found.games) == (0.75, 4)
    assert share_of(deals, "random", "greedy").value == 0.25


def test_confidence_interval_treats_hands_of_one_deal_as_dependent() -> None:
    """If the bot in the better seat wins both hands of each deal, the share is exactly one half,
    without any uncertainty.
    """
    even = [[*won(1, 1)[0]] for _ in range(50)]
    assert share_of(even, *PAIR) == (0.5, 0.5, 0.5, 100)
    lucky = won(50, 50)
    assert share_of(lucky, *PAIR).high > 0.6


def test_bot_that_wins_ten_times_as_often_is_rated_400_points_higher() -> None:
    """The calculation adds half a win for every bot, so the difference is slightly smaller."""
    ratings = fit_ratings({("greedy", "random"): 10_000, ("random", "greedy"): 1_000}, PAIR)
    assert isclose(ratings["greedy"] - ratings["random"], 400, abs_tol=0.5)
    assert isclose(sum(ratings.values()), 3000)


def test_bot_standings_are_sorted_and_have_confidence_intervals() -> None:
    chance = Seed(bytes(32)).chance("resample")
    best, worst = standings(won(70, 30), PAIR, chance)
    assert (best.bot, worst.bot) == PAIR[:2]
    assert best.low < best.rating < best.high
    assert isclose(best.points, 4.0)
    assert best.hands == 100


@pytest.mark.nightly
@pytest.mark.slow
def test_stronger_domino_bots_win_more_hands() -> None:
    """Greedy beats random, and maestro beats greedy.

    Short thinking times and few deals are enough to show this.
    """
    greedy = Ladder(profile="rulebook", bots=PAIR)
    assert share_of([greedy.play(number) for number in range(150)], *PAIR).low > 0.5
    maestro = Ladder(profile="rulebook", bots=("maestro", "greedy"), budget_ms=10)
    assert share_of([maestro.play(number) for number in range(40)], "maestro", "greedy").value > 0.5


@pytest.mark.slow
def test_table_of_bot_ratings_lists_all_bots() -> None:
    ladder = Ladder(profile="rulebook", budget_ms=1)
    text = ladder.table([ladder.play(0), ladder.play(1)])
    assert [line.split(" | ")[0] for line in text.splitlines()[:2]] == ["| bot", "| ---"]
    assert all(f"| {bot} |" in text for bot in ladder.bots)
