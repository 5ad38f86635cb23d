"""Scores and winners of hands and matches of dominoes (Rulings D-7 and D-8)."""

from __future__ import annotations

from dataclasses import dataclass

from tests.dominoes.oracle.hand import Hand
from tests.dominoes.oracle.tiles import Options, Tile, pips, sides


@dataclass
class Score:
    """Pips and points of each side after a hand, and the side that won, if any."""

    pips: list[int]
    points: list[int]
    winner: int | None


def pips_by_side(rules: Options, hands: list[list[Tile]]) -> list[int]:
    """Return the remaining pips of each side, with those of partners added up (Ruling D-7)."""
    return [sum(pips(hands[seat]) for seat in side) for side in sides(rules, len(hands))]


def winning_side(rules: Options, held: list[int], out_side: int | None) -> int | None:
    """Return the side with the fewest pips (Ruling D-7).

    A tie has no winner, unless the option `out_wins` says that the side going out wins.
    """
    if rules["out_wins"] and out_side is not None:
        return out_side
    lowest = [side for side, count in enumerate(held) if count == min(held)]
    return lowest[0] if len(lowest) == 1 else None


def score_pips(rules: Options, held: list[int], out_side: int | None) -> Score:
    """Return the score: the winner gets the pips of the others minus its own, at least 0 (Ruling
    D-7).
    """
    winner = winning_side(rules, held, out_side)
    points = [0 for _ in held]
    if winner is not None:
        others = sum(count for side, count in enumerate(held) if side != winner)
        points[winner] = max(0, others - held[winner])
    return Score(held, points, winner)


def side_of(rules: Options, seat: int | None, players: int) -> int | None:
    """Return the side to which a seat belongs, or `None` if the seat does not exist."""
    found = [side for side, seats in enumerate(sides(rules, players)) if seat in seats]
    return found[0] if found else None


def score_hand(hand: Hand) -> Score:
    """Return the score of a hand that is over or blocked."""
    out_side = side_of(hand.rules, hand.out, hand.players)
    return score_pips(hand.rules, pips_by_side(hand.rules, hand.hands), out_side)


@dataclass
class Match:
    """Points of each side in a match, and the result of the last hand, which Ruling D-3 needs."""

    rules: Options
    players: int
    totals: list[int]
    last_winners: list[int]
    last_out: int | None


def new_match(rules: Options, players: int) -> Match:
    """Return a match without hands."""
    return Match(rules, players, [0 for _ in sides(rules, players)], [], None)


def add_hand(match: Match, score: Score, out: int | None) -> None:
    """Add the score of a hand. The match must not have a winner yet."""
    assert match_winner(match) is None
    match.totals = [a + b for a, b in zip(match.totals, score.points, strict=True)]
    won = score.winner is not None
    match.last_winners = sides(match.rules, match.players)[score.winner or 0] if won else []
    match.last_out = out


def match_winner(match: Match) -> int | None:
    """Return the side that has reached the target, or `None` (Ruling D-8)."""
    reached = [s for s, total in enumerate(match.totals) if total >= match.rules["target"]]
    return reached[0] if reached else None
