"""Properties of every game, whatever is played (Rulings E-1 to E-9 and F-1)."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eltoro.engine import (
    BOARDS,
    TOKENS,
    BullsMoved,
    DecisionKind,
    Event,
    Game,
    GameState,
    Move,
    Phase,
    Rules,
    RunnersMoved,
    Town,
    View,
    offers,
    random_move,
    replay,
    write_town,
)
from eltoro.engine.effects import tables_of
from fairness import Seed
from tests.eltoro.notation import read_town
from tests.properties import examples

seeds = st.binary(min_size=32, max_size=32).map(Seed)


@st.composite
def games(draw: st.DrawFn) -> Game:
    """Generate a new game with two to six players, any board and one to three days."""
    rules = Rules(board=draw(st.sampled_from(sorted(BOARDS))), days=draw(st.integers(1, 3)))
    return Game.new(rules, draw(st.integers(2, 6)), draw(seeds))


def cards_of(game: Game) -> list[int]:
    hands = [card for hand in game.hands for card in hand]
    return sorted([*game.deck, *game.discards, *hands])


class Watch:
    """A witness that compares the position after every event with the one before."""

    def __init__(self, game: Game) -> None:
        self.before = game.town()

    def __call__(self, event: Event, game: GameState) -> None:
        town, board = game.town(), game.rules.board
        check(town, game.rules)
        if isinstance(event, RunnersMoved):
            for before, after in pairs(self.before, town):
                assert after in board.spaces[before].ways
        if isinstance(event, BullsMoved):
            for old, new in zip(self.before.bulls, town.bulls, strict=True):
                assert new.space in board.spaces[old.space].ways
                assert new.face == old.face
        self.before = town


def pairs(before: Town, after: Town) -> list[tuple[int, int]]:
    """Return the old and new space of every runner on the board.

    Trampled runners must stay trampled.
    """
    found = []
    for old_row, new_row in zip(before.runners, after.runners, strict=True):
        for old, new in zip(old_row, new_row, strict=True):
            assert (old is None) == (new is None)
            if old and new:
                found.append((old.space, new.space))
    return found


def check(town: Town, rules: Rules) -> None:
    """Check limits that hold at any time in a game."""
    assert 0 <= len(town.bulls) <= 10
    assert all(town.tokens_left[seat] >= 0 for seat in range(town.players))
    assert all(count <= TOKENS for count in Counter(town.tokens.values()).values())
    rows = {
        rules.board.spaces[die.space].row
        for row in town.runners
        for die in row
        if die and die.space >= 0
    }
    assert len(rows) <= 1
    assert all(town.runners) or not any(town.runners)
    assert town.totals == tuple(map(sum, zip(*town.day_points, strict=True))) or not town.day_points


@pytest.mark.slow
@given(games(), seeds)
@settings(max_examples=examples(12))
def test_limits_hold_and_no_card_is_lost_during_a_whole_game(game: Game, seed: Seed) -> None:
    chance, deck = seed.chance("moves"), cards_of(game)
    watch = Watch(game)
    while game.turn is not None:
        turn, ask = game.turn, game.ask
        view = game.view(turn)
        assert (view.turn, view.ask, view.hand) == (turn, ask, tuple(sorted(game.hands[turn])))
        game.play(random_move(view, chance), seat=turn, witness=watch)
        assert cards_of(game) == deck
    assert len(deck) == 52
    assert game.phase is Phase.OVER
    again = replay(game.rules, game.players, game.seed, [Move.read(str(move)) for move in game.log])
    assert (again.town(), again.hands, again.log) == (game.town(), game.hands, game.log)
    assert read_town(write_town(game.town(), game.rules), game.rules) == game.town()


@given(games(), seeds)
@settings(max_examples=examples(15))
def test_fast_play_out_makes_moves_that_replay_to_the_same_end(game: Game, seed: Seed) -> None:
    chance = seed.chance("any")
    game.play_out(lambda: chance.below(1 << 24) / (1 << 24))
    again = replay(game.rules, game.players, game.seed, [Move.read(str(move)) for move in game.log])
    assert (again.town(), again.log) == (game.town(), game.log)
    # The order of the cards in a hand does not matter, so either of two equal cards may have been
    # played.
    assert list(map(sorted, again.hands)) == list(map(sorted, game.hands))
    assert min(game.places) == 1


@given(games(), seeds)
@settings(max_examples=examples(8))
def test_random_move_is_the_same_for_a_game_and_for_a_players_view(game: Game, seed: Seed) -> None:
    chance = seed.chance("moves")
    while game.turn is not None:
        for hand in game.hands:
            hand.sort()  # a view lists the cards of a hand in sorted order
        move = random_move(game, seed.chance(f"{len(game.log)}"))
        assert move == random_move(game.view(game.turn), seed.chance(f"{len(game.log)}"))
        game.play(random_move(game, chance))


@given(games(), seeds)
@settings(max_examples=examples(6))
def test_every_target_offered_for_a_card_is_legal(game: Game, seed: Seed) -> None:
    chance = seed.chance("moves")
    while game.turn is not None:
        if game.ask is DecisionKind.CARD and not chance.below(6):
            view = game.view(game.turn)
            for card in set(view.hand):
                for move in offered_moves(view, card):
                    game.copy().play(move)
        game.play(random_move(game, chance))


def offered_moves(view: View, card: int) -> list[Move]:
    """Return the moves that play this card without a target and with each single offered target."""
    offer, key = offers(view, card), view.rules.cards[card].key
    targets = [f"{name}{sign}" for name, signs in offer.turns.items() for sign in signs]
    targets += [f"{bull}>{space}" for bull, row in offer.neighbours.items() for space in row]
    targets += [f"@{space}" for space in offer.spaces]
    targets += [f"{own}>{sign}" for own in offer.own_signs for sign in offer.signs]
    if not offer.own_signs:
        targets += offer.signs
    if offer.others:
        targets += [f"{own}~{other}" for own in offer.runners for other in offer.others]
    elif not offer.turns and not offer.neighbours:
        face = "=4" if offer.effect == "set" else ""
        targets += [f"{name}{face}" for name in (*offer.runners, *offer.bulls)]
    return [Move.play(key), *(Move.play(key, target) for target in targets)]


@pytest.mark.parametrize("players", [1, 7])
def test_ruling_e_1_game_needs_two_to_six_players(players: int) -> None:
    with pytest.raises(ValueError, match="E-1"):
        Game.new(Rules(), players, Seed(bytes(32)))


def test_ruling_f_1_deck_and_dice_use_separate_random_numbers() -> None:
    """Cards and dice are drawn from different labels of the seed, so another deck does not change
    the dice.
    """
    seed, rules = Seed(bytes([9] * 32)), Rules()
    deck = list(tables_of(rules).deck)
    seed.chance("deck/0").shuffle(deck)
    game = Game.new(rules, 2, seed)
    assert [*game.deck, *game.hands[1][::-1], *game.hands[0][::-1]] == deck
