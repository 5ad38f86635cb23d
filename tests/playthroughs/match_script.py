"""Compute the golden file of a match of Matador from its head.

The module only imports the standard library and the engine.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from dominoes.engine import Hand, Match, Move, MoveKind, Rules, Train, bits, write_tile
from fairness import Chance, Seed
from tests.dominoes.notation import read_rules

MATCHES = Path(__file__).parent / "dominoes"
HEAD = ("rules", "players", "seed", "hands")


class Setup(NamedTuple):
    """The setup of a match, with the maximum number of hands."""

    rules: Rules
    players: int
    seed: Seed
    hands: int


def read_match_head(text: str) -> dict[str, str]:
    """Return the head of a golden file. `KeyError` names a missing entry."""
    lines = (line.partition(":") for line in text.splitlines())
    found = {name: value.strip() for name, _, value in reversed(list(lines))}
    return {name: found[name] for name in HEAD}


def setup_told(head: Mapping[str, str]) -> Setup:
    """Return the setup that the head describes."""
    seed = Seed(bytes.fromhex(head["seed"]))
    return Setup(read_rules(head["rules"]), int(head["players"]), seed, int(head["hands"]))


def derive_match(text: str) -> str:
    """Return the whole golden file that begins with this head."""
    head = read_match_head(text)
    lines = [f"{name + ':':<9}{head[name]}".rstrip() for name in HEAD]
    setup = setup_told(head)
    match = Match(setup.rules, setup.players)
    for number in range(1, setup.hands + 1):
        if match.winner is None:
            leaders = match.leaders
            hand = match.deal(setup.seed.chance(f"hand/{number}"))
            lines += ["", f"hand {number}", *hand_told(hand, setup.seed.chance(f"moves/{number}"))]
            assert hand.outcome is not None
            match.add(hand.outcome)
            lines += [*score_told(hand, match), f"  lead among {spaced(leaders)}"]
    if match.winner is not None:
        lines += ["", f"match won by side {match.winner}"]
    return "\n".join(lines) + "\n"


def hand_told(hand: Hand, chance: Chance) -> Iterator[str]:
    """Yield the deal, and a line with the moves, which are chosen at random from the legal ones."""
    for seat, tiles in enumerate(hand.dealt.hands):
        yield f"  {seat}: {' '.join(map(write_tile, bits(tiles)))}"
    yield f"  boneyard: {' '.join(map(write_tile, hand.boneyard))}".rstrip()
    yield f"  {hand.turn} leads"
    while hand.turn is not None:
        seat, move, choice = hand.turn, chance.pick(hand.legal()), len(hand.legal())
        drawn = f" {write_tile(hand.boneyard[0])}" if move.kind is MoveKind.DRAW else ""
        hand.play(move)
        left, right = hand.ends or ("", "")
        yield f"  {seat} {str(move) + drawn:<9} of {choice:<3} {left} {right}"
    view = hand.view(None)
    yield f"  moves: {spaced(hand.log)}"
    yield f"  train: {Train(view.train, view.ends)}"
    stubs = [write_tile(laid.tile) for laid in view.train if laid.lie == "stub"]
    if stubs:
        yield f"  stubs: {' '.join(stubs)}"


def score_told(hand: Hand, match: Match) -> Iterator[str]:
    """Yield how the hand ended, and its points."""
    outcome = match.hands[-1]
    how = "blocked" if outcome.out is None else f"{outcome.out} out"
    winner = "tie" if outcome.tied else f"won by side {outcome.winner}"
    yield f"  held: {' / '.join(spaced(map(write_tile, bits(left))) for left in rests(hand))}"
    yield f"  {how} · pips {spaced(outcome.pips)} · {winner} · points {spaced(outcome.points)}"
    yield f"  totals {spaced(match.totals)}"


def rests(hand: Hand) -> tuple[int, ...]:
    """Return the tiles that each seat holds at the end."""
    return tuple(hand.held_tiles(seat) for seat in range(hand.players))


def spaced(things: object) -> str:
    """Return values separated by spaces."""
    assert isinstance(things, tuple | map)
    return " ".join(map(str, things))


def moves_written(text: str) -> list[list[Move]]:
    """Return the moves of each hand, as they are written in a golden file."""
    lines = [line for line in text.splitlines() if line.startswith("  moves:")]
    return [[Move.read(move) for move in line.split()[1:]] for line in lines]
