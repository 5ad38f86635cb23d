"""What a player, a spectator and a replay see of a hand of dominoes."""

from __future__ import annotations

import itertools

import pytest
from django.template.loader import render_to_string
from django.utils import translation
from hypothesis import given, settings
from hypothesis import strategies as st

from dominoes.engine import PROFILES, Hand, Match, Move, MoveKind, Rules, View, domino_set
from dominoes.stage import DRAW_ON, Rack, build_scene
from dominoes.table import DominoPosition, DominoTable
from fairness import Seed
from tests.properties import examples

NAMES = ("Ana", "Blas", "Carmen", "Diego")


@pytest.fixture(autouse=True)
def _english() -> None:
    translation.activate("en")


def hand_after(rules: Rules, players: int, seed: int, moves: int) -> Hand:
    chance = Seed(seed.to_bytes(32, "big")).chance("hand/1")
    choice = Seed(seed.to_bytes(32, "big")).chance("choices")
    hand = Hand.deal(rules, players, chance)
    for _ in range(moves):
        if legal := hand.legal():
            hand.play(legal[choice.below(len(legal))])
    return hand


def rack_of(view: View, chosen: dict[str, str] | None = None) -> Rack:
    rack = build_scene(view, names=NAMES, chosen=chosen)["rack"]
    assert rack is not None
    return rack


@settings(max_examples=examples(60), deadline=None)
@given(st.sampled_from(sorted(PROFILES)), st.integers(0, 10**6), st.integers(0, 60))
def test_player_is_offered_all_legal_moves_and_no_others(name: str, seed: int, moves: int) -> None:
    rules = PROFILES[name]
    hand = hand_after(rules, 4 if rules.partners else 3, seed, moves)
    for seat in range(hand.players):
        view = hand.view(seat)
        rack = rack_of(view)
        offered = [w.move for held in rack.tiles for place in held.places for w in place.ways]
        offered += [act.do for act in rack.acts if act.allowed and act.do != DRAW_ON]
        assert sorted(offered) == sorted(map(str, view.legal))
        for held in rack.tiles:
            if held.fits:
                ways = [way for place in held.places for way in place.ways]
                assert [way.checked for way in ways].count(True) == 1
        assert all(act.allowed or act.reason for act in rack.acts)
        begins = [held.fits for held in rack.tiles if held.focus]
        begins += [act.allowed for act in rack.acts if act.main]
        assert begins == ([True] if view.legal else [])


def test_button_to_draw_several_tiles_appears_only_if_drawing_is_required() -> None:
    """Two tiles stay in the boneyard (Ruling D-5), so more than three are needed for two draws."""
    seen = set()
    for free, seed in itertools.product((False, True), range(60)):
        hand = hand_after(Rules(free_pass=free), 3, seed, 14)
        view = hand.view(hand.turn)
        if view.seat is None:
            continue
        acts = {act.do for act in rack_of(view).acts if act.allowed}
        required = view.legal == (Move(MoveKind.DRAW),)
        assert (DRAW_ON in acts) == (required and view.boneyard > 3)
        assert ("draw" in acts) == (Move(MoveKind.DRAW) in view.legal)
        seen.add((free, "draw" in acts, DRAW_ON in acts))
    assert {(False, True, True), (False, True, False), (True, True, False)} <= seen


def test_spectator_sees_no_tiles_of_the_players() -> None:
    hand = hand_after(Rules(), 4, 7, 6)
    told = build_scene(hand.view(None), names=NAMES)
    assert told["rack"] is None
    assert told["revealed"] == []
    assert [seat.at for seat in told["seats"]] == ["west", "north", "north", "east"]


def test_other_players_are_shown_in_turn_order_starting_at_the_left() -> None:
    """Play goes to the left (Ruling D-2)."""
    seats = build_scene(hand_after(Rules(), 4, 7, 6).view(2), names=NAMES)["seats"]
    assert [(seat.name, seat.at) for seat in seats] == [
        ("Diego", "west"),
        ("Ana", "north"),
        ("Blas", "east"),
        ("Carmen", "you"),
    ]


@settings(max_examples=examples(40), deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 40))
def test_page_of_a_seat_contains_no_tile_that_is_hidden_from_it(seed: int, moves: int) -> None:
    hand = hand_after(Rules(), 3, seed, moves)
    if hand.turn is None:
        return
    tiles = domino_set(6).tiles
    for seat in (None, 0, 1, 2):
        view = hand.view(seat)
        told = build_scene(view, names=NAMES)
        named = {held.tile for held in told["rack"].tiles} if told["rack"] else set()
        assert named == set(view.tiles)
        text = render_to_string("dominoes/_train.html", {"scene": told})
        drawn = text.count('class="dom-tile')
        assert drawn == len(view.train) <= len(tiles)


def test_choices_of_a_rejected_domino_move_stay_selected() -> None:
    for seed in itertools.count():
        hand = hand_after(PROFILES["crosswise_open"], 2, seed, 5)
        view = hand.view(hand.turn)
        moves = [move for move in view.legal if move.across]
        if moves:
            break
    move = moves[-1]
    chosen = {"tile": str(move.tile), f"move-{move.tile}": str(move)}
    rack = rack_of(view, chosen)
    checked = [held for held in rack.tiles if held.checked]
    assert [held.tile for held in checked] == [move.tile]
    ways = [way for place in checked[0].places for way in place.ways if way.checked]
    assert [way.move for way in ways] == [str(move)]


def test_disabled_actions_are_shown_with_the_reason() -> None:
    """A player with a playable tile that is no matador must play it (Ruling D-5), so drawing and
    passing are disabled.
    """
    for seed in range(40):
        hand = hand_after(Rules(), 2, seed, 4)
        view = hand.view(hand.turn)
        acts = {act.do: act for act in rack_of(view).acts}
        plain = [m for m in view.legal if m.tile is not None]
        matadors = domino_set(6).matadors
        if any(not matadors >> move.tile & 1 for move in plain if move.tile is not None):
            assert "which fits" in acts["draw"].reason
            assert "which fits" in acts["pass"].reason
        else:
            assert acts["draw"].allowed
            assert acts["pass"].reason == "You can’t pass while there are still tiles to draw."


def test_result_of_a_hand_shows_all_remaining_tiles_and_the_calculation() -> None:
    """Ruling D-7 defines the points: the pips that the other players hold, minus those of the
    winner.
    """
    hand = hand_after(Rules(), 3, 11, 400)
    assert hand.outcome is not None
    told = build_scene(hand.view(1), names=NAMES, hands=1)["outcome"]
    assert told is not None
    assert [rest.pips for rest in told["rests"]] == list(hand.outcome.pips)
    assert [len(rest.tiles) for rest in told["rests"]] == list(hand.view(1).counts)
    if hand.outcome.winner is not None:
        assert told["winner"] == NAMES[hand.outcome.winner]
        assert told["sum"].endswith(f"= {max(hand.outcome.points)}")


def test_last_move_is_described_with_its_player() -> None:
    hand = hand_after(Rules(), 2, 3, 2)
    told = build_scene(hand.view(0), names=NAMES)
    assert told["word"] is not None
    assert told["word"].text.startswith(NAMES[told["word"].seat])
    assert len(told["log"]) == 2
    assert told["log"][0].text.endswith("the first tile.")


def test_replay_shows_the_tiles_of_all_players() -> None:
    hand = hand_after(Rules(), 2, 3, 4)
    held = [hand.held_tiles(seat) for seat in range(2)]
    told = build_scene(hand.view(None), names=NAMES, revealed=held)
    assert [len(rest.tiles) for rest in told["revealed"]] == [h.bit_count() for h in held]


def test_scene_is_empty_before_the_first_hand_is_dealt() -> None:
    rules = Rules()
    position = DominoPosition(rules=rules, match=Match(rules, 2), hand=None)
    assert DominoTable().scene(position, seat=None) == {}


def test_score_bars_end_at_the_target() -> None:
    """A total may exceed the target of the match (Ruling D-8), but its bar must not be longer than
    100 %.
    """
    scores = build_scene(hand_after(Rules(target=20), 2, 3, 4).view(0, (130, 5)), names=NAMES)[
        "scores"
    ]
    assert [score.bar for score in scores] == [100, 25]
    assert [score.leads for score in scores] == [True, False]
