"""The same seed from every seat, and what is made of it."""

from __future__ import annotations

from math import isclose

import pytest

from eltoro.bots import BOTS, Ladder, Played, margin_of, share_of

PAIR = ("random", "greedy")


def won(alone: float) -> Played:
    """A game in which the greedy, alone, had this share of the victory."""
    other = (1 - alone) / 3
    return Played(
        ("random", "greedy", "random", "random"), (other, alone, other, other), (4, 9, 5, 3)
    )


def test_the_stronger_sits_alone_in_every_seat() -> None:
    ladder = Ladder(profile="one-day", budget_ms=1)
    played = ladder.play(0)
    assert ladder.pairs == (("greedy", "random"), ("lookout", "random"), ("lookout", "greedy"))
    assert len(played) == 12
    for bot, others in ladder.pairs:
        seats = [game.bots.index(bot) for game in played if game.is_of(bot, others)]
        assert seats == [0, 1, 2, 3]


@pytest.mark.slow
def test_a_deal_is_the_same_every_time() -> None:
    ladder = Ladder(profile="one-day", budget_ms=1)
    assert ladder.play(3) == ladder.play(3)
    assert ladder.play(3) != ladder.play(4)


def test_a_shared_victory_is_a_fraction() -> None:
    """Shares of a game add up to one (Ruling E-9)."""
    ladder = Ladder(profile="one-day", budget_ms=1, players=6, bots=PAIR)
    games = [game for number in range(6) for game in ladder.play(number)]
    assert all(isclose(sum(game.shares), 1.0) for game in games)
    assert any(share not in (0.0, 1.0) for game in games for share in game.shares)
    found = share_of([[won(1.0), won(0.5)], [won(0.0), won(0.5)]], "greedy", "random")
    assert (found.value, found.games) == (0.5, 4)


def test_games_of_one_deal_are_no_chances_apart() -> None:
    """A deal that is won once and lost once says that the deals are all alike."""
    even = share_of([[won(1.0), won(0.0)]] * 10, "greedy", "random")
    assert (even.low, even.high) == (0.5, 0.5)
    lucky = share_of([[won(1.0)] * 2, [won(0.0)] * 2] * 5, "greedy", "random")
    assert lucky.value == 0.5
    assert lucky.high > 0.7


def test_one_deal_tells_nothing() -> None:
    found = share_of([[won(1.0)]], "greedy", "random")
    assert (found.value, found.low, found.high) == (1.0, 0.0, 1.0)
    assert share_of([], "greedy", "random").games == 0


def test_points_are_counted_against_the_mean() -> None:
    assert margin_of([[won(1.0)]] * 2, "greedy", "random").value == 5.0


@pytest.mark.slow
def test_the_bots_stand_in_the_order_of_their_names() -> None:
    """Greedy beats random, lookout beats greedy, by points; little thought is enough."""
    greedy = Ladder(profile="el-toro", bots=PAIR)
    deals = [greedy.play(number) for number in range(4)]
    assert margin_of(deals, "greedy", "random").low > 0
    lookout = Ladder(profile="el-toro", bots=("greedy", "lookout"), budget_ms=5)
    deals = [lookout.play(number) for number in range(6)]
    assert margin_of(deals, "lookout", "greedy").high > 0


def test_the_table_names_all_pairs() -> None:
    ladder = Ladder(profile="one-day", budget_ms=1)
    text = ladder.table([ladder.play(0), ladder.play(1)])
    head, _, *lines = text.splitlines()
    assert head.startswith("| alone | against |")
    assert [tuple(line.split(" | ")[:2]) for line in lines] == [
        (f"| {bot}", others) for bot, others in ladder.pairs
    ]
    assert all(bot in text for bot in BOTS)
