"""Checks recorded dominoes matches, from their hands or from the final totals alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from dominoes.engine.match import Match
from dominoes.engine.referee.leaders import PossibleMatches
from dominoes.engine.referee.reading import Evidence, HandReading, HandSheet, Objection
from dominoes.engine.rules import BONEYARD_RESERVE, Rules
from dominoes.engine.scoring import places_of
from dominoes.engine.tiles import PIPS, domino_set

MAX_HANDS = 500
# Kinds of evidence (how much of a hand was checked) from weakest to strongest. The evidence of a
# match is that of its least checked hand.
EVIDENCE_ORDER: Final[Sequence[Evidence]] = ("score", "open", "sheet", "log")


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchReading:
    """The result of checking a recorded match.

    `hands`: the result of each hand. `before`: the totals by side before each hand. `totals`: the
    final totals by side. `winner`: the side that reached the target. `over`: True if the match was
    won or stopped. `places`: by seat, from 1, equal for tied seats, empty while the match
    continues. `objections`: including those to single hands, with their path (`hands/2/held/1`).
    """

    hands: tuple[HandReading, ...] = ()
    before: tuple[tuple[int, ...], ...] = ()
    totals: tuple[int, ...] = ()
    winner: int | None = None
    over: bool = False
    places: tuple[int, ...] = ()
    points: tuple[int, ...] = ()
    evidence: Evidence = "score"
    objections: tuple[Objection, ...] = ()


def judge_match(
    rules: Rules,
    players: int,
    hands: Sequence[HandSheet],
    totals: Sequence[int] | None = None,
    stopped: bool = False,
) -> MatchReading:
    """Check a match from its hands, or only from the totals by seat. Never raises an error.

    `stopped`: True if the players ended the match before anybody had reached the target.
    """
    if players not in rules.seats:
        fault = Objection("players", "players", {"players": players})
        return MatchReading(objections=(fault,))
    if not hands:
        return _judge_totals(rules, players, totals, stopped)
    possible = PossibleMatches(rules, players)
    for written in hands[:MAX_HANDS]:
        possible.add(written)
    readings, objections = possible.result(totals)
    return _with_places(
        rules, players, _add_up_hands(rules, players, readings, objections), stopped
    )


def _add_up_hands(
    rules: Rules, players: int, readings: Sequence[HandReading], objections: Sequence[Objection]
) -> MatchReading:
    """Return the result of a match: the totals after all hands whose result is known."""
    match, before = Match(rules, players), []
    for reading in readings:
        before.append(match.totals)
        if reading.outcome is not None and match.winner is None:
            match.add(reading.outcome)
    return MatchReading(
        hands=tuple(readings),
        before=tuple(before),
        totals=match.totals,
        winner=match.winner,
        evidence=min((reading.evidence for reading in readings), key=EVIDENCE_ORDER.index),
        objections=tuple(objections),
    )


def _with_places(rules: Rules, players: int, reading: MatchReading, stopped: bool) -> MatchReading:
    """Return the result of the match with its points given by seat.

    If the match is over, places are added.
    """
    points = rules.by_seat(players, reading.totals)
    over = reading.winner is not None or stopped
    stands = over and not reading.objections
    places = rules.by_seat(players, places_of(reading.totals)) if stands else ()
    return replace(reading, points=points, over=over, places=places)


def _judge_totals(
    rules: Rules, players: int, totals: Sequence[int] | None, stopped: bool
) -> MatchReading:
    """Check final totals without hands.

    This is the weakest evidence: only impossible totals are rejected.
    """
    if totals is None:
        return MatchReading(objections=(Objection("hands", "nothing"),))
    if len(totals) != players:
        objections = [Objection("totals", "seats_held", {"players": players})]
        return MatchReading(objections=tuple(objections))
    objections = _against_totals(rules, players, totals)
    sides = tuple(totals[seats[0]] for seats in rules.sides(players))
    reached = [side for side, total in enumerate(sides) if total >= rules.target]
    if len(reached) > 1:
        objections.append(Objection("totals", "two_winners", {"target": rules.target}))
    winner = reached[0] if len(reached) == 1 else None
    reading = MatchReading(totals=sides, winner=winner, objections=tuple(objections))
    return _with_places(rules, players, reading, stopped)


def _max_hand_points(rules: Rules, players: int) -> int:
    """Return an upper bound of the points in one hand, from the heaviest tiles (D-5, D-7)."""
    pips = sorted(PIPS[: len(domino_set(rules.highest))], reverse=True)
    dealt = rules.hand_size * players
    drawn = dealt if rules.boneyard == "pass" else max(dealt, len(pips) - BONEYARD_RESERVE)
    return sum(pips[: drawn - 1])  # at least one tile is in the train


def _against_totals(rules: Rules, players: int, totals: Sequence[int]) -> list[Objection]:
    # Before the last hand nobody had reached the target, and the last hand adds at most this bound.
    most = rules.target - 1 + _max_hand_points(rules, players)
    objections = [
        Objection(f"totals/{seat}", "total_absurd", {"seat": seat, "total": total, "most": most})
        for seat, total in enumerate(totals)
        if not 0 <= total <= most
    ]
    unlike = [side for side in rules.sides(players) if len({totals[seat] for seat in side}) > 1]
    objections += [Objection(f"totals/{s[-1]}", "totals_side", {"seat": s[-1]}) for s in unlike]
    return objections
