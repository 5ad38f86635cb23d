"""Hands played at random by the engine, and the scoresheets that a table would write for them."""

from __future__ import annotations

from dataclasses import replace

from dominoes import engine
from dominoes.engine import FinalTiles, HandSheet
from fairness import Chance, Seed


def played(rules: engine.Rules, players: int, label: str) -> engine.Hand:
    """Return a hand of random legal moves; `label` selects the random numbers."""
    chance = Seed(bytes(32)).chance(label)
    hand = engine.Hand.deal(rules, players, chance)
    while hand.turn is not None:
        hand.play(chance.pick(hand.legal()))
    return hand


def tiles_held(hand: engine.Hand, seat: int) -> tuple[str, ...]:
    """Return the tiles that a seat holds, in notation."""
    return tuple(map(engine.write_tile, engine.bits(hand.held_tiles(seat))))


def log_of(hand: engine.Hand) -> HandSheet:
    """Return a scoresheet with all moves and the remaining tiles, but without the deal."""
    assert hand.outcome is not None
    seats = range(hand.players)
    return HandSheet(
        leader=hand.dealt.leader,
        out=hand.outcome.out,
        blocked=hand.outcome.out is None,
        held=tuple(FinalTiles(tiles=tiles_held(hand, seat)) for seat in seats),
        moves=tuple(map(str, hand.log)),
    )


def tiles_of(hand: engine.Hand) -> HandSheet:
    """Return a scoresheet with the remaining tiles and how the hand ended."""
    return replace(log_of(hand), moves=())


def pips_of(hand: engine.Hand) -> HandSheet:
    """Return a scoresheet with the remaining pips of each seat, without tiles or moves."""
    held = tuple(FinalTiles(pips=pips) for pips in hand.pips)
    return replace(log_of(hand), moves=(), leader=None, held=held)


def some_rules(chance: Chance) -> tuple[engine.Rules, int]:
    """Return a random rule set and a possible number of players."""
    highest = chance.pick([2, 3, 4, 6, 6, 6, 7, 9, 12])
    tiles = (highest + 1) * (highest + 2) // 2
    partners = tiles >= 12 and chance.below(4) == 0
    seats = 4 if partners else 2 + chance.below(min(4, tiles // 2 - 1))
    rules = engine.Rules(
        highest=highest,
        hand_size=1 + chance.below(min(7, tiles // seats)),
        partners=partners,
        lead=chance.pick(["draw", "winner", "highest_double"]),
        set_highest_double=chance.below(2) == 1,
        boneyard=chance.pick(["draw", "pass"]),
        free_pass=chance.below(4) == 0,
        out_wins=chance.below(2) == 1,
        matadors=chance.pick(["inline", "crosswise_open", "crosswise_on_blank", "crosswise_stub"]),
    )
    return rules, seats
