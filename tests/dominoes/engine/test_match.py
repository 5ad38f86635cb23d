"""Matches of several hands of dominoes: players, leaders and totals (Rulings D-2, D-3 and D-8)."""

from __future__ import annotations

from typing import Any

import pytest

from dominoes.engine import (
    DealError,
    Hand,
    HandOutcome,
    Match,
    MatchOver,
    Rules,
    domino_set,
    score_hand,
)
from fairness import Chance, Seed
from tests.dominoes.notation import read_hand, write_hand

WINNER = {"lead": "winner"}


def chance(number: int = 1) -> Chance:
    return Seed(bytes(32)).chance(f"hand/{number}")


def match(players: int, *hands: tuple[tuple[int, ...], int | None], **options: Any) -> Match:
    """Return a match of hands, each given by its remaining pips and the seat that went out."""
    rules = Rules(**options)
    found = Match(rules, players)
    for pips, out in hands:
        found.add(score_hand(rules, pips, out))
    return found


def test_ruling_d_8_points_of_all_hands_are_added_up() -> None:
    found = match(3, ((0, 20, 30), 0), ((9, 4, 10), None), ((3, 3, 40), None))
    assert found.totals == (50, 15, 0)
    assert found.winner is None
    assert len(found.hands) == 3


def test_ruling_d_8_first_side_to_reach_the_target_wins() -> None:
    assert match(2, ((0, 99), 0)).winner is None
    assert match(2, ((0, 99), 0), ((1, 2), None)).winner == 0
    assert match(2, ((50, 0), 1), target=50).winner == 1
    assert match(4, ((0, 60, 1, 60), 0), partners=True).winner == 0


def test_ruling_d_8_no_hand_is_dealt_after_a_match_is_won() -> None:
    found = match(2, ((0, 100), 0))
    with pytest.raises(MatchOver, match="D-8"):
        found.deal(chance())
    with pytest.raises(MatchOver, match="D-8"):
        found.add(score_hand(found.rules, (0, 5), 0))
    assert found.totals == (100, 0)


@pytest.mark.parametrize(
    ("found", "leaders"),
    [
        pytest.param(match(3), (0, 1, 2), id="D-3 drawn for each hand"),
        pytest.param(match(3, ((5, 0, 9), 1)), (0, 1, 2), id="D-3 also after one"),
        pytest.param(match(3, **WINNER), (0, 1, 2), id="D-3 drawn for the first"),
        pytest.param(match(3, ((5, 0, 9), 1), **WINNER), (1,), id="D-3 the winner"),
        pytest.param(match(3, ((5, 7, 2), None), **WINNER), (2,), id="D-3 of a blocked hand too"),
        pytest.param(match(3, ((5, 5, 9), None), **WINNER), (0, 1, 2), id="D-3 drawn after a tie"),
        pytest.param(
            match(4, ((5, 5, 0, 9), 2), partners=True, **WINNER), (2,),
            id="D-3 of a winning side the one who went out",
        ),
        pytest.param(
            match(4, ((5, 2, 7, 3), None), partners=True, **WINNER), (1, 3),
            id="D-3 else drawn between the two",
        ),
        pytest.param(
            match(4, ((20, 2, 0, 3), 2), partners=True, **WINNER), (1, 3),
            id="D-3 the one out may have lost",
        ),
    ],
)  # fmt: skip
def test_next_leader_follows_from_the_rules_and_the_last_hand(
    found: Match, leaders: tuple[int, ...]
) -> None:
    assert found.leaders == leaders
    seen = {found.deal(chance(number)).turn for number in range(40)}
    assert seen == set(leaders)


def test_ruling_d_3_holder_of_the_highest_double_leads() -> None:
    found = match(3, lead="highest_double")
    doubles = domino_set(6).doubles
    for number in range(40):
        hand = found.deal(chance(number))
        held = [hand.held_tiles(seat) & doubles for seat in range(3)]
        assert hand.turn == held.index(max(held))
        (lead,) = hand.legal()
        assert lead.tile == max(held).bit_length() - 1


def test_ruling_d_3_leader_is_drawn_if_no_player_holds_a_double() -> None:
    rules = Rules(lead="highest_double", hand_size=1)
    leaders = set()
    for number in range(200):
        hand = Hand.deal(rules, 2, chance(number))
        if not any(hand.held_tiles(seat) & domino_set(6).doubles for seat in (0, 1)):
            leaders.add(hand.turn)
    assert leaders == {0, 1}


def test_ruling_d_2_deal_contains_every_tile_of_the_set() -> None:
    hand = Hand.deal(Rules(hand_size=5), 3, chance(), leader=2)
    assert hand.turn == hand.dealt.leader == 2
    assert [hand.held_tiles(seat).bit_count() for seat in range(3)] == [5, 5, 5]
    assert len(hand.boneyard) == 28 - 15
    hand.dealt.check(hand.rules)


def test_ruling_f_1_deal_is_determined_by_its_random_numbers() -> None:
    one, same = Hand.deal(Rules(), 3, chance()), Hand.deal(Rules(), 3, chance())
    assert one.dealt == same.dealt
    assert one.dealt != Hand.deal(Rules(), 3, chance(2)).dealt
    order = chance().shuffled(range(28))
    assert one.held_tiles(0) == sum(1 << tile for tile in order[:7])
    assert one.boneyard == tuple(order[21:])


@pytest.mark.parametrize(
    ("options", "players"), [({}, 1), ({}, 5), ({"partners": True}, 3), ({"hand_size": 14}, 3)]
)
def test_ruling_d_2_wrong_number_of_players_is_rejected(
    options: dict[str, Any], players: int
) -> None:
    with pytest.raises(DealError, match=f"{players} cannot play"):
        Match(Rules(**options), players)
    with pytest.raises(DealError, match=f"{players} cannot play"):
        Hand.deal(Rules(**options), players, chance())


@pytest.mark.parametrize("players", [2, 95, 96, 190])
def test_ruling_d_2_largest_set_allows_190_players(players: int) -> None:
    rules = Rules(highest=18, hand_size=1)
    assert players in rules.seats
    found = Match(rules, players)
    hand = Hand.deal(rules, players, chance(), leader=players - 1)
    while hand.turn is not None:
        hand.play(hand.legal()[0], seat=hand.turn)
    assert hand.outcome is not None
    found.add(hand.outcome)
    assert len(found.totals) == len(hand.view(0).counts) == players
    assert read_hand(write_hand(hand)).outcome == hand.outcome


@pytest.mark.parametrize("leader", [-1, 3, (0, 3), ()])
def test_ruling_d_3_leader_must_be_an_existing_seat(leader: Any) -> None:
    with pytest.raises(DealError, match="no seat"):
        Hand.deal(Rules(), 3, chance(), leader)


def test_outcomes_of_hands_with_equal_values_are_equal() -> None:
    assert score_hand(Rules(), [3, 4], None) == HandOutcome(None, (3, 4), (3, 4), 0, (1, 0))
