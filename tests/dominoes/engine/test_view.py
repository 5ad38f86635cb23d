"""A player's view of a hand contains what this player may see, and nothing else."""

from __future__ import annotations

import pickle
from dataclasses import FrozenInstanceError, fields
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dominoes.engine import Deal, Hand, IllegalMove, MoveKind, Rules, Train, View, bits, domino_set
from fairness import Seed
from tests.dominoes.engine.strategies import hands, numbers
from tests.dominoes.engine.table import table, tiles
from tests.dominoes.notation import read_train


def played(hand: Hand, seed: Seed, moves: int) -> Hand:
    """Make this many random moves, or fewer if the hand ends before, and return the hand."""
    random = numbers(seed.chance("moves"))
    while moves and hand.turn is not None:
        codes = hand.legal_codes()
        hand.play_code(codes[int(random() * len(codes))])
        moves -= 1
    return hand


def test_view_shows_a_player_its_own_tiles_and_legal_moves() -> None:
    view = table("6|3 5|2 / 1|1 4|4 / 2|2", "6|3", face_down="5|0 5|1 5|3").view(1, (10, 20, 30))
    assert view.tiles == tuple(sorted(tiles("1|1 4|4")))
    assert (view.seat, view.leader, view.turn) == (1, 0, 1)
    assert (view.counts, view.boneyard, view.can_draw) == ((1, 2, 1), 3, True)
    assert {str(move) for move in view.legal} == {"<1|1", ">4|4"}
    assert str(Train(view.train, view.ends)) == "(1*) [6|3] (4*)"
    assert view.unseen == domino_set(6).all & ~sum(1 << tile for tile in tiles("6|3 1|1 4|4"))
    assert (view.totals, view.outcome, view.revealed) == ((10, 20, 30), None, None)


def test_view_of_a_spectator_shows_no_held_tiles() -> None:
    view = table("6|3 5|2 / 1|1 4|4", "6|3").view(None)
    assert (view.held, view.tiles, view.legal, view.revealed) == (0, (), (), None)
    assert view.counts == (1, 2)
    assert view.totals == (0, 0)


def test_view_lists_legal_moves_only_for_the_player_in_turn() -> None:
    hand = table("6|3 5|2 / 1|1 4|4", "6|3")
    assert hand.view(1).legal
    assert not hand.view(0).legal


def test_log_in_a_view_hides_which_tile_was_drawn() -> None:
    view = table("6|3 5|2 / 2|2 / 1|1 5|5", "6|3 draw pass <1|1", face_down="5|0 5|1 5|3").view(
        None
    )
    told = [(said.seat, str(said.move)) for said in view.log]
    assert told == [(0, "6|3"), (1, "draw"), (1, "pass"), (2, "<1|1")]
    assert view.log[0].ends is None
    assert [str(end) for end in view.log[3].ends or ()] == ["(1*)", "(4*)"]
    assert view.log[1].move.tile is None


def test_view_reveals_all_tiles_when_the_hand_is_over() -> None:
    hand = table("6|3 / 1|1 4|4", "6|3", face_down="5|0")
    view = hand.view(None)
    assert view.revealed == (0, hand.held_tiles(1))
    assert view.outcome == hand.outcome
    assert view.turn is None


def test_view_of_a_seat_that_does_not_exist_is_rejected() -> None:
    for seat in (-1, 2):
        with pytest.raises(ValueError, match="no seat"):
            table("6|3 / 1|1").view(seat)


def test_view_is_immutable_and_holds_no_engine_objects() -> None:
    view = table("6|3 5|2 / 1|1 4|4", "6|3").view(1)
    with pytest.raises(FrozenInstanceError):
        view.held = 0  # type: ignore[misc]
    for field in fields(View):
        assert not isinstance(getattr(view, field.name), Hand | Deal | list | dict)
    hash(view)


@settings(deadline=None)
@given(hands(), st.integers(0, 40), st.integers(0, 1 << 32))
def test_view_does_not_depend_on_hidden_tiles(hand: Hand, moves: int, number: int) -> None:
    """If the hidden tiles change places, the view and its `repr` must stay exactly the same."""
    played(hand, Seed(number.to_bytes(32, "big")), moves)
    seats = [None, *range(hand.players)]
    for seat in seats if hand.turn is not None else []:
        view, other = hand.view(seat), with_hidden_tiles_turned(hand, seat).view(seat)
        assert view == other
        assert repr(view) == repr(other)
        assert pickle.loads(pickle.dumps(view)) == view
        assert not (view.held | view.played) & view.unseen


def with_hidden_tiles_turned(hand: Hand, seat: int | None) -> Hand:
    """Return the same position with every tile that this seat cannot see in another place."""
    other = hand.copy()
    hidden = [*hand.boneyard]
    for one in range(hand.players):
        hidden += bits(hand.held_tiles(one)) if one != seat else []
    hidden = hidden[1:] + hidden[:1]
    other._boneyard = [hidden.pop() for _ in hand.boneyard]
    for one in range(hand.players):
        if one != seat:
            other._held[one] = sum(1 << hidden.pop() for _ in bits(hand.held_tiles(one)))
    other._legal = None
    return other if other.codes else hand


def test_deals_that_differ_only_in_hidden_tiles_have_equal_views() -> None:
    """Two tiles exchange places in the deal and the same moves are made.

    A seat that holds neither tile must see no difference.
    """
    seen = 0
    for number in range(6):
        seed = Seed(bytes([number]) * 32)
        hand = played(Hand.deal(Rules(), 3, seed.chance("hand/1")), seed, 8)
        down = [tile for tile in range(28) if not hand.view(0).played >> tile & 1]
        for one, other in combinations(down, 2):
            twin = replay_hand(hand, swapped(hand.dealt, one, other))
            for seat in range(3):
                held = hand.held_tiles(seat)
                if twin is not None and not (held >> one | held >> other) & 1:
                    assert repr(twin.view(seat)) == repr(hand.view(seat))
                    assert repr(twin.view(None)) == repr(hand.view(None))
                    seen += 1
    assert seen > 200


def swapped(dealt: Deal, one: int, other: int) -> Deal:
    """Return the deal with two tiles exchanged."""
    turned = {one: other, other: one}
    hands = [[turned.get(tile, tile) for tile in bits(held)] for held in dealt.hands]
    return Deal.of(hands, [turned.get(tile, tile) for tile in dealt.boneyard], dealt.leader)


def replay_hand(hand: Hand, dealt: Deal) -> Hand | None:
    """Make the same moves with another deal; return `None` if some move is illegal."""
    twin = Hand(hand.rules, dealt)
    try:
        for move in hand.log:
            twin.play(move)
    except IllegalMove:
        return None
    return twin


def test_train_of_a_view_can_be_written_and_read() -> None:
    seed = Seed(bytes(32))
    for reading in ("inline", "crosswise_open", "crosswise_on_blank", "crosswise_stub"):
        rules = Rules.from_options({"matadors": reading})
        view = played(Hand.deal(rules, 4, seed.chance("hand/1")), seed, 12).view(None)
        train = read_train(rules, str(Train(view.train, view.ends)))
        assert [(tile.tile, tile.left, tile.lie) for tile in train.laid] == [
            (tile.tile, tile.left, tile.lie) for tile in view.train
        ]
        numbers_laid = sorted(tile.number for tile in view.train)
        log = [said.move.kind for said in view.log]
        assert numbers_laid == [
            at for at, kind in enumerate(log) if kind in (MoveKind.LEAD, MoveKind.PLAY)
        ]
