"""Bots deduce which hidden tiles a player can hold, and imagine deals that agree with it."""

from __future__ import annotations

from hypothesis import given, settings

from dominoes.bots.fit_masks import fit_masks_of
from dominoes.bots.maestro import DealSampler, deal_consistently
from dominoes.bots.memory import Memory
from dominoes.engine import Hand, MoveKind, View, bit_set, read_tile
from fairness import Chance, Seed
from tests.dominoes.bots.worlds import under_way
from tests.dominoes.engine.table import table
from tests.properties import examples

DEALS = 6


def chance(label: str = "bot") -> Chance:
    return Seed(bytes(32)).chance(label)


def deals_of(view: View) -> list[list[int]]:
    """Return random deals that agree with the view.

    Every second deal also avoids tiles that are only unlikely.
    """
    found = deal_consistently(view, chance(), 4)
    return [
        found[number % len(found)].deal(doubting=bool(number % 2))[0] for number in range(DEALS)
    ]


@given(under_way())
@settings(max_examples=examples(150), deadline=None)
def test_imagined_deal_contains_every_tile_exactly_once(hand: Hand) -> None:
    assert hand.turn is not None
    view = hand.view(hand.turn)
    for deals in deal_consistently(view, chance(), 2):
        hands, boneyard = deals.deal(doubting=True)
        assert tuple(held.bit_count() for held in hands) == view.counts
        assert len(boneyard) == view.boneyard
        assert hands[hand.turn] == view.held
        hidden = [held for seat, held in enumerate(hands) if seat != hand.turn] + boneyard
        assert sum(hidden) == view.unseen
        assert sum(tiles.bit_count() for tiles in hidden) == view.unseen.bit_count()


@given(under_way())
@settings(max_examples=examples(200), deadline=None)
def test_imagined_deals_agree_with_draws_and_passes(hand: Hand) -> None:
    """A player who drew or passed held no tile that had to be played (Ruling D-5)."""
    if hand.rules.free_pass:
        return
    view = hand.view(hand.turn)
    real = [hand.held_tiles(seat) for seat in range(hand.players)]
    for hands in (real, *deals_of(view)):
        for seat in range(hand.players):
            assert can_hold(view, seat, hands[seat])


def can_hold(view: View, seat: int, held: int) -> bool:
    """Return whether a seat can hold these tiles now if all its draws and passes were legal.

    A tile that had to be played before a draw or pass can only be held if it was drawn later.
    """
    fitting = fit_masks_of(view.rules)
    since, drawn = held, 0
    for said in reversed(view.log):
        if said.seat != seat:
            continue
        if said.move.tile is not None:
            since |= 1 << said.move.tile
            continue
        drawn += said.move.kind is MoveKind.DRAW
        left, right = fitting.states(said.ends)
        if (since & fitting.pairs[left][right]).bit_count() > drawn:
            return False
    return True


def test_player_who_passes_holds_no_fitting_tile() -> None:
    """Both ends need a 1, and seat 1 passes.

    It therefore holds no tile with a 1 except perhaps the 6-1, a matador that it may keep (Ruling
    D-5).
    """
    hand = table("6|6 1|0/5|5 4|4/1|1 5|1", "6|6 pass", boneyard="pass", hand_size=2)
    view = hand.view(0)
    ones = bit_set(map(read_tile, ("1|0", "1|1", "2|1", "3|1", "4|1", "5|1")))
    assert [place.never & ones for place in Memory(view).places[1]] == [ones, ones]
    assert not any(place.never >> read_tile("6|1") & 1 for place in Memory(view).places[1])
    assert all(not place.never for place in Memory(view).places[2])


def test_tile_that_an_opponent_drew_last_may_be_any_tile() -> None:
    """Seat 1 drew twice.

    Its other tiles cannot include a tile that fitted before a draw (Ruling D-5), so only the last
    one is unrestricted.
    """
    hand = table("6|6 1|0/5|5 4|4", "6|6 draw", "3|3 2|2 0|0 4|0", hand_size=2)
    hand.play(next(move for move in hand.legal() if move.kind is MoveKind.DRAW))
    first, second, third, fourth = (place.never for place in Memory(hand.view(0)).places[1])
    assert first == second == third != 0
    assert fourth == 0


def test_player_who_draws_until_a_tile_fits_held_no_fitting_tile_before() -> None:
    """Seat 1 drew until the 2-1 fitted and played it.

    Its older tiles therefore still cannot include one that fitted.
    """
    hand = table("6|6 1|0/5|5 4|4", "6|6 draw >1|2", "2|1 2|2 0|0 4|0", hand_size=2)
    places = Memory(hand.view(0), chance()).places[1]
    assert len(places) == 2
    assert all(place.never >> read_tile("3|1") & 1 for place in places)


def test_leader_with_the_highest_double_proves_that_no_higher_double_is_held() -> None:
    """If the highest double must lead (Ruling D-3), no seat can hold a higher double than the one
    led.
    """
    hand = table("4|4 1|0/3|3 3|2", "4|4", lead="highest_double", hand_size=2)
    higher = bit_set(map(read_tile, ("5|5", "6|6")))
    for places in Memory(hand.view(1)).places:
        assert all(place.never & higher == higher for place in places)


def test_opponents_tiles_are_known_if_the_boneyard_is_empty() -> None:
    """With two players and no boneyard, a player's opponent holds all tiles that this player does
    not hold.
    """
    hand = table("6|6 1|0/5|5 4|4", "6|6", boneyard="pass", hand_size=2)
    view = hand.view(1)
    rest = view.unseen & ~hand.held_tiles(0)
    deals = DealSampler(view, Memory(view), chance())
    assert {deals.deal(doubting=False)[0][0] & rest for _ in range(50)} != {0}
    assert all(held[1] == view.held for held in deals_of(view))
