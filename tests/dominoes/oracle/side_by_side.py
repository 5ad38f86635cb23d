"""Play the same hand in the engine and in the oracle, and compare them after every move."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import product

import pytest

from dominoes import engine
from fairness import Chance
from tests.dominoes.oracle import hand as oracle
from tests.dominoes.oracle.hand import Move
from tests.dominoes.oracle.placing import End, ways_to_place
from tests.dominoes.oracle.score import Match, Score, add_hand, match_winner, new_match, score_hand
from tests.dominoes.oracle.tiles import (
    Options,
    Tile,
    all_tiles,
    is_matador,
    lying_flat,
    options,
    pips,
)
from tests.dominoes.oracle.translation import (
    HALVES,
    end_of,
    engine_move,
    engine_rules,
    hand_of,
    move_of,
    number_of,
    tiles_of,
)

# Function that selects one of `n` moves: it takes `n` and returns an integer from 0 to n - 1.
Choose = Callable[[int], int]

# Function that selects moves to try in a state in addition to the one that is played.
Try = Callable[[list[engine.Move], Choose], list[engine.Move]]

# Number of random moves tried in each state, to check that illegal moves are rejected.
TRIED_IN_VAIN = 2


class BothHands:
    """One hand, played at the same time in the engine and in the oracle."""

    def __init__(self, rules: Options, dealt: engine.Deal) -> None:
        self.rules = rules
        self.engine = engine.Hand(engine_rules(rules), dealt)
        self.oracle = hand_of(rules, dealt)

    def legal(self) -> list[Move]:
        """Return the legal moves after checking that engine and oracle agree on them.

        The oracle allows both directions of a lead, the engine only the one with the higher half
        left.
        """
        theirs = [move_of(self.rules, move) for move in self.engine.legal()]
        ours = oracle.legal_moves(self.oracle)
        ours = [m for m in ours if m.kind != "lead" or (m.tile and m.tile[0] >= m.tile[1])]
        assert len(set(theirs)) == len(theirs)
        assert sorted(theirs, key=str) == sorted(ours, key=str)
        return sorted(ours, key=str)

    def play(self, move: Move) -> None:
        """Make the same move in the engine and in the oracle."""
        self.engine.play(engine_move(move))
        oracle.make_move(self.oracle, move)

    def compare(self) -> None:
        """Compare hands, boneyard, turn, pips and ends."""
        players = range(self.oracle.players)
        assert [tiles_of(self.engine.held_tiles(seat)) for seat in players] == [
            in_order(held) for held in self.oracle.hands
        ]
        assert [HALVES[n] for n in self.engine.boneyard] == self.oracle.boneyard
        assert (self.engine.turn is None) == oracle.is_over(self.oracle)
        assert self.engine.turn in (None, self.oracle.turn)
        assert self.engine.can_draw == oracle.can_be_drawn(self.oracle)
        assert self.engine.pips == tuple(pips(held) for held in self.oracle.hands)
        self.compare_ends()

    def compare_views(self) -> None:
        """Compare the views of all seats.

        A player sees its own tiles only and a spectator sees none, until the hand is over.
        """
        held = [tiles_of(self.engine.held_tiles(seat)) for seat in range(self.engine.players)]
        for seat in (*range(len(held)), None):
            view = self.engine.view(seat)
            assert tiles_of(view.held) == ([] if seat is None else held[seat])
            assert view.counts == tuple(len(tiles) for tiles in held)
            assert view.boneyard == len(self.oracle.boneyard)
            assert bool(view.legal) == (seat is not None and seat == self.engine.turn)
            hidden = set(all_tiles(self.rules["highest"])) - set(tiles_of(view.held))
            on_table = {lying_flat(tile) for tile in self.oracle.train}
            assert set(tiles_of(view.unseen)) == hidden - on_table
            assert [(laid.left, laid.right) for laid in view.train] == self.oracle.train
            assert (view.revealed is None) == (self.engine.turn is not None)

    def compare_ends(self) -> None:
        """Compare the needs of both ends and which tiles of the set fit there."""
        seen = self.engine.ends
        assert (seen is None) == (not self.oracle.ends)
        for end, side in zip(seen or (), (oracle.LEFT, oracle.RIGHT), strict=False):
            ours = self.oracle.ends[side]
            assert end_of(end, self.rules) == ours
            reading, highest = self.rules["matadors"], self.rules["highest"]
            assert tiles_of(end.fits) == fitting_at(reading, highest, ours)
            assert (end.needs, end.matadors) == needs_of(reading, highest, ours)

    def refuse(self, move: engine.Move) -> None:
        """Check that the engine rejects an illegal move and does not change its state."""
        before = (self.engine.log, self.engine.turn)
        with pytest.raises(engine.IllegalMove) as refusal:
            self.engine.play(move)
        assert engine.REASONS[refusal.value.code][0] == refusal.value.ruling
        assert str(refusal.value)
        assert before == (self.engine.log, self.engine.turn)

    def compare_end(self) -> Score:
        """Compare how the hand ended and its score, and return the score."""
        outcome, score = self.engine.outcome, score_hand(self.oracle)
        assert outcome is not None
        assert outcome.ended_by == ("blocked" if self.oracle.out is None else "out")
        assert outcome.out == self.oracle.out
        assert outcome.pips == tuple(pips(held) for held in self.oracle.hands)
        assert outcome.side_pips == tuple(score.pips)
        assert (outcome.points, outcome.winner) == (tuple(score.points), score.winner)
        return score


@cache
def fitting_at(matadors: str, highest: int, end: End) -> list[Tile]:
    """Return all tiles of the set that fit this end."""
    rules = options(matadors=matadors, highest=highest)
    return in_order([t for t in all_tiles(highest) if ways_to_place(rules, t, end)])


@cache
def needs_of(matadors: str, highest: int, end: End) -> tuple[tuple[int, ...], bool]:
    """Return which inward halves fit this end, and whether all matadors do.

    The halves are those of tiles that are no matadors.
    """
    rules, tiles = options(matadors=matadors, highest=highest), all_tiles(highest)
    plain = [tile for tile in tiles if not is_matador(tile, highest)]
    inward = {way.inward for tile in plain for way in ways_to_place(rules, tile, end)}
    others = [tile for tile in tiles if tile not in plain]
    return (
        tuple(half for half in range(highest + 1) if half in inward),
        all(ways_to_place(rules, tile, end) for tile in others),
    )


def in_order(tiles: list[Tile]) -> list[Tile]:
    """Return the tiles in the order of their numbers in the engine."""
    return sorted(tiles, key=number_of)


@cache
def thinkable_moves(highest: int) -> list[engine.Move]:
    """Return every move that can be written with the tiles of a set, legal or not."""
    tiles = [number_of(tile) for tile in all_tiles(highest)]
    moves = [engine.Move.lead(tile) for tile in tiles]
    for tile, side in product(tiles, engine.Side):
        moves += [engine.Move.play(tile, side, half) for half in {*HALVES[tile]}]
        moves.append(engine.Move.play(tile, side, None))
    return [*moves, engine.Move.read("draw"), engine.Move.read("pass")]


def some_of(moves: list[engine.Move], choose: Choose) -> list[engine.Move]:
    """Return a few of the moves."""
    return [moves[choose(len(moves))] for _ in range(TRIED_IN_VAIN)]


def all_of(moves: list[engine.Move], _: Choose) -> list[engine.Move]:
    """Return all of the moves."""
    return moves


def play_side_by_side(
    rules: Options, dealt: engine.Deal, choose: Choose, tried: Try = some_of
) -> BothHands:
    """Play a whole hand of selected moves and compare after each. Illegal moves are tried too."""
    both = BothHands(rules, dealt)
    thinkable = thinkable_moves(rules["highest"])
    while not oracle.is_over(both.oracle):
        both.compare()
        legal = both.legal()
        for move in tried(thinkable, choose):
            if move_of(rules, move) not in legal:
                both.refuse(move)
        both.play(legal[choose(len(legal))])
    both.compare()
    assert both.legal() == []
    both.compare_end()
    return both


def replay(both: BothHands) -> None:
    """Check that the logs of engine and oracle replay to the same end."""
    again = engine.Hand(engine_rules(both.rules), both.engine.dealt)
    table = hand_of(both.rules, both.engine.dealt)
    for (_, ours), move in zip(both.oracle.log, both.engine.log, strict=True):
        again.play(engine.Move.read(str(move)))
        oracle.make_move(table, ours)
    assert again.outcome == both.engine.outcome
    assert (table.hands, table.train) == (both.oracle.hands, both.oracle.train)


def play_match(rules: Options, players: int, chance: Chance, most_hands: int) -> None:
    """Play hands of one match, comparing leaders and totals after each (Rulings D-3 and D-8)."""
    match, ours = engine.Match(engine_rules(rules), players), new_match(rules, players)
    for _ in range(most_hands):
        hand = match.deal(chance)
        open_hands = [tiles_of(held) for held in hand.dealt.hands]
        leaders = oracle.possible_leaders(rules, open_hands, ours.last_winners, ours.last_out)
        assert hand.dealt.leader in leaders
        assert rules["lead"] == "highest_double" or list(match.leaders) == leaders
        both = play_side_by_side(rules, hand.dealt, chance.below)
        count(match, ours, both)
        if match.winner is not None:
            return


def count(match: engine.Match, ours: Match, both: BothHands) -> None:
    """Add a hand to the match of the engine and of the oracle, and compare them."""
    assert both.engine.outcome is not None
    add_hand(ours, score_hand(both.oracle), both.oracle.out)
    match.add(both.engine.outcome)
    assert list(match.totals) == ours.totals
    assert match.winner == match_winner(ours)
