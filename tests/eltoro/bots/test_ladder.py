"""Comparison of bots: games with the same seed are played from all seats, then evaluated."""

from __future__ import annotations

from math import isclose

import pytest

from eltoro.bots import BOTS, Ladder, PlayedGame, margin_of, share_of

PAIR = ("random", "greedy")


def won(alone: float) -> PlayedGame:
    """Return a game in which a greedy bot has this share of victory against random bots."""
    other = (1 - alone) / 3
    return PlayedGame(
        ("random", "greedy", "random", "random"), (other, alone, other, other), (4, 9, 5, 3)
    )


def test_each_bot_plays_alone_against_copies_of_another_bot_from_every_seat() -> None:
    ladder = Ladder(profile="one-day", budget_ms=1)
    played = ladder.play(0)
    assert ladder.pairs == (("greedy", "random"), ("lookout", "random"), ("lookout", "greedy"))
    assert len(played) == 12
    for bot, others in ladder.pairs:
        seats = [game.bots.index(bot) for game in played if game.is_of(bot, others)]
        assert seats == [0, 1, 2, 3]


@pytest.mark.slow
def test_bot_ladder_plays_a_deal_in_the_same_way_every_time() -> None:
    ladder = Ladder(profile="one-day", budget_ms=1)
    assert ladder.play(3) == ladder.play(3)
    assert ladder.play(3) != ladder.play(4)


def test_players_who_tie_for_first_place_share_the_victory() -> None:
    """The shares of all players of a game add up to one (Ruling E-9)."""
    ladder = Ladder(profile="one-day", budget_ms=1, players=6, bots=PAIR)
    games = [game for number in range(6) for game in ladder.play(number)]
    assert all(isclose(sum(game.shares), 1.0) for game in games)
    assert any(share not in (0.0, 1.0) for game in games for share in game.shares)
    found = share_of([[won(1.0), won(0.5)], [won(0.0), won(0.5)]], "greedy", "random")
    assert (found.value, found.games) == (0.5, 4)


def test_confidence_interval_treats_games_of_one_deal_as_dependent() -> None:
    """If every deal is won once and lost once, the share is exactly one half, without any
    uncertainty.
    """
    even = share_of([[won(1.0), won(0.0)]] * 10, "greedy", "random")
    assert (even.low, even.high) == (0.5, 0.5)
    lucky = share_of([[won(1.0)] * 2, [won(0.0)] * 2] * 5, "greedy", "random")
    assert lucky.value == 0.5
    assert lucky.high > 0.7


def test_results_of_a_single_deal_have_no_confidence_interval() -> None:
    found = share_of([[won(1.0)]], "greedy", "random")
    assert (found.value, found.low, found.high) == (1.0, 0.0, 1.0)
    assert share_of([], "greedy", "random").games == 0


def test_margin_of_a_bot_is_its_points_minus_the_mean_of_the_others() -> None:
    assert margin_of([[won(1.0)]] * 2, "greedy", "random").value == 5.0


@pytest.mark.slow
def test_stronger_el_toro_bots_win_by_more_points() -> None:
    """Greedy beats random, and lookout beats greedy.

    Short thinking times are enough to show this.
    """
    greedy = Ladder(profile="el-toro", bots=PAIR)
    deals = [greedy.play(number) for number in range(4)]
    assert margin_of(deals, "greedy", "random").low > 0
    lookout = Ladder(profile="el-toro", bots=("greedy", "lookout"), budget_ms=5)
    deals = [lookout.play(number) for number in range(6)]
    assert margin_of(deals, "lookout", "greedy").high > 0


@pytest.mark.slow
def test_table_of_results_lists_all_pairs_of_bots() -> None:
    ladder = Ladder(profile="one-day", budget_ms=1)
    text = ladder.table([ladder.play(0), ladder.play(1)])
    head, _, *lines = text.splitlines()
    assert head.startswith("| alone | against |")
    assert [tuple(line.split(" | ")[:2]) for line in lines] == [
        (f"| {bot}", others) for bot, others in ladder.pairs
    ]
    assert all(bot in text for bot in BOTS)
