"""What a player can know of the others' tiles, and the deals that agree with it."""

from __future__ import annotations

from hypothesis import given, settings

from dominoes.bots.fit_masks import fit_masks_of
from dominoes.bots.maestro import Deals, deal_consistently
from dominoes.bots.memory import Memory
from dominoes.engine import Hand, Kind, View, bit_set, read_tile
from fairness import Chance, Seed
from tests.dominoes.bots.worlds import under_way
from tests.dominoes.engine.table import table
from tests.properties import examples

DEALS = 6


def chance(label: str = "bot") -> Chance:
    return Seed(bytes(32)).chance(label)


def deals_of(view: View) -> list[list[int]]:
    """Some deals, with and without heed to what is only unlikely."""
    found = deal_consistently(view, chance(), 4)
    return [
        found[number % len(found)].deal(doubting=bool(number % 2))[0] for number in range(DEALS)
    ]


@given(under_way())
@settings(max_examples=examples(150), deadline=None)
def test_a_deal_holds_every_tile_once(hand: Hand) -> None:
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
def test_deals_agree_with_what_was_drawn_and_passed(hand: Hand) -> None:
    """Who drew or passed held no tile that had to be played (Ruling D-5)."""
    if hand.rules.free_pass:
        return
    view = hand.view(hand.turn)
    real = [hand.held(seat) for seat in range(hand.players)]
    for hands in (real, *deals_of(view)):
        for seat in range(hand.players):
            assert agrees(view, seat, hands[seat])


def agrees(view: View, seat: int, held: int) -> bool:
    """Whether a seat can hold these tiles now, if nothing it did has broken a rule.

    Of the tiles that a draw or a pass excluded, it can only have those that it drew since.
    """
    fitting = fit_masks_of(view.rules)
    since, drawn = held, 0
    for said in reversed(view.log):
        if said.seat != seat:
            continue
        if said.move.tile is not None:
            since |= 1 << said.move.tile
            continue
        drawn += said.move.kind is Kind.DRAW
        left, right = fitting.states(said.ends)
        if (since & fitting.pairs[left][right]).bit_count() > drawn:
            return False
    return True


def test_who_passes_lacks_what_fits() -> None:
    """Both ends ask for a 1; seat 1 passes: it has none, the 6|1 apart, which it may keep (D-5)."""
    hand = table("6|6 1|0/5|5 4|4/1|1 5|1", "6|6 pass", boneyard="pass", hand_size=2)
    view = hand.view(0)
    ones = bit_set(map(read_tile, ("1|0", "1|1", "2|1", "3|1", "4|1", "5|1")))
    assert [place.never & ones for place in Memory(view).places[1]] == [ones, ones]
    assert not any(place.never >> read_tile("6|1") & 1 for place in Memory(view).places[1])
    assert all(not place.never for place in Memory(view).places[2])


def test_what_is_drawn_later_is_free() -> None:
    """A tile drawn after the first draw may be anything; the others may not (D-5)."""
    hand = table("6|6 1|0/5|5 4|4", "6|6 draw", "3|3 2|2 0|0 4|0", hand_size=2)
    hand.play(next(move for move in hand.legal() if move.kind is Kind.DRAW))
    first, second, third, fourth = (place.never for place in Memory(hand.view(0)).places[1])
    assert first == second == third != 0
    assert fourth == 0


def test_a_tile_drawn_until_it_fits_is_the_one_played() -> None:
    """Seat 1 drew until the 2|1 fitted and played it: the old tiles are as barren as before."""
    hand = table("6|6 1|0/5|5 4|4", "6|6 draw >1|2", "2|1 2|2 0|0 4|0", hand_size=2)
    places = Memory(hand.view(0), chance()).places[1]
    assert len(places) == 2
    assert all(place.never >> read_tile("3|1") & 1 for place in places)


def test_whoever_leads_with_the_highest_double_holds_no_higher_one() -> None:
    """Ruling D-3, for all seats where the highest double leads."""
    hand = table("4|4 1|0/3|3 3|2", "4|4", lead="highest_double", hand_size=2)
    higher = bit_set(map(read_tile, ("5|5", "6|6")))
    for places in Memory(hand.view(1)).places:
        assert all(place.never & higher == higher for place in places)


def test_with_nothing_face_down_the_last_hand_is_known() -> None:
    """Two players and no boneyard: what I do not hold, the other holds."""
    hand = table("6|6 1|0/5|5 4|4", "6|6", boneyard="pass", hand_size=2)
    view = hand.view(1)
    rest = view.unseen & ~hand.held(0)
    deals = Deals(view, Memory(view), chance())
    assert {deals.deal(doubting=False)[0][0] & rest for _ in range(50)} != {0}
    assert all(held[1] == view.held for held in deals_of(view))
