"""Judges hands and matches as they were recorded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from dominoes.engine.match import Match
from dominoes.engine.referee.course import Course, follow_moves, object_to_log
from dominoes.engine.referee.feasible import SearchBudget
from dominoes.engine.referee.figures import object_to_figures, only_blank
from dominoes.engine.referee.reading import (
    Evidence,
    HandSheet,
    Held,
    HeldTiles,
    Line,
    Objection,
    Reading,
)
from dominoes.engine.rules import BONEYARD_RESERVE, Rules
from dominoes.engine.scoring import places_of, settle
from dominoes.engine.tiles import PIPS, bits, domino_set, write_tile


def read_lines(
    written: HandSheet, hands: HeldTiles, course: Course | None, out: int | None, ended: str | None
) -> tuple[Line, ...]:
    """Return the lines in the order of a sheet: the moves, the end, then each seat."""
    lines = []
    if course is not None:
        laid = course.played.bit_count()
        params = {"moves": len(course.events), "laid": laid, "drawn": sum(course.drawn)}
        lines.append(Line("moves", "log", params))
    if ended == "blocked":
        lines.append(Line("out", "blocked"))
    if out is not None:
        lines.append(Line("out", "out", {"seat": out}))
    lines += [
        _seat(written, hands, seat) for seat in range(len(hands.pips)) if _is_known(hands, seat)
    ]
    return tuple(line for line in lines if line.params.get("seat") != out or line.code == "out")


def _is_known(hands: HeldTiles, seat: int) -> bool:
    return hands.pips[seat] is not None


def _seat(written: HandSheet, hands: HeldTiles, seat: int) -> Line:
    tiles, pips, path = hands.tiles[seat], hands.pips[seat] or 0, f"held/{seat}"
    if only_blank(hands, seat):
        return Line(path, "only_blank", {"seat": seat})
    if tiles is None:
        return Line(path, "pips", {"seat": seat, "pips": pips})
    names = tuple(map(write_tile, bits(tiles)))
    follows = written.held[seat].tiles is None
    code = "follows" if follows else "tiles"
    return Line(path, code, {"seat": seat, "tiles": names, "pips": pips})


# No hand of any set has more moves.
MAX_MOVES = 1000


def judge_hand(rules: Rules, players: int, written: HandSheet) -> Reading:
    """Check one hand. Never raises, whatever the notes contain.

    Every objection is a proof, with its ruling. Missing information is requested
    (`Objection.missing`). If there is no objection but the search for tiles with the pips was
    given up, the evidence is `open` (Rulings D-10 and I-18).
    """
    faults = _unreadable(written) or _shape(rules, players, written)
    if faults:
        return Reading(objections=tuple(faults))
    patience = SearchBudget()
    if written.moves and written.leader is None:
        return _judge_by_any_leader(rules, players, written, patience)
    return _judge(rules, players, written, patience)


def _unreadable(written: object) -> list[Objection]:
    """Return objections to values of a wrong type, since external callers are not typed."""
    if not isinstance(written, HandSheet):
        return [cannot_read("hand")]
    objections = [
        cannot_read(path)
        for path, fine in (
            ("leader", written.leader is None or is_number(written.leader)),
            ("out", written.out is None or is_number(written.out)),
            ("out", isinstance(written.blocked, bool)),
            ("held", isinstance(written.held, tuple)),
            ("moves", _is_texts(written.moves)),
            ("deal", written.deal is None or _is_deal(written.deal)),
        )
        if not fine
    ]
    if isinstance(written.held, tuple):
        unlike = [seat for seat, held in enumerate(written.held) if not _is_held(held)]
        objections += [cannot_read(f"held/{seat}") for seat in unlike]
    return objections


def cannot_read(path: str) -> Objection:
    """Return the objection to a value of a wrong type."""
    return Objection(path, "unreadable", {"sentence": ""})


def is_number(value: object) -> bool:
    """Return True for an integer that is not a boolean."""
    return isinstance(value, int) and not isinstance(value, bool)


def _is_texts(value: object) -> bool:
    return isinstance(value, tuple) and all(isinstance(text, str) for text in value)


def _is_deal(value: object) -> bool:
    return isinstance(value, tuple) and all(map(_is_texts, value))


def _is_held(value: object) -> bool:
    return (
        isinstance(value, Held)
        and (value.tiles is None or _is_texts(value.tiles))
        and (value.pips is None or is_number(value.pips))
    )


def _shape(rules: Rules, players: int, written: HandSheet) -> list[Objection]:
    """Return objections to seats that do not exist."""
    if not is_number(players) or players not in rules.seats:
        return [Objection("players", "players", {"players": players})]
    objections = [
        Objection(path, "no_seat", {"number": seat, "players": players})
        for path, seat in (("leader", written.leader), ("out", written.out))
        if seat is not None and not 0 <= seat < players
    ]
    if len(written.held) != players:
        objections.append(Objection("held", "seats_held", {"players": players}))
    if written.out is not None and written.blocked:
        objections.append(Objection("out", "out_and_blocked", {"seat": written.out}))
    if len(written.moves) > MAX_MOVES:
        objections.append(Objection(f"moves/{MAX_MOVES}", "went_on", {"move": ""}))
    return objections


def _judge_by_any_leader(
    rules: Rules, players: int, written: HandSheet, patience: SearchBudget
) -> Reading:
    """Check with each leader that causes no contradiction, if the leader is unknown."""
    answers = [
        _judge(rules, players, replace(written, leader=seat), patience) for seat in range(players)
    ]
    sound = [answer for answer in answers if not answer.wrong]
    sound.sort(key=lambda answer: answer.evidence == "open")
    if not sound:
        return max(answers, key=_progress_of)
    if len({answer.outcome for answer in sound}) == 1:
        return sound[0]
    asked = Objection("leader", "who_led")
    return replace(sound[0], objections=(asked,), outcome=None, leader=None)


def _progress_of(answer: Reading) -> tuple[int, int]:
    """Return the moves before the first objection, and minus the number of objections."""
    moves = [int(wrong.path[6:]) for wrong in answer.wrong if wrong.path.startswith("moves/")]
    return min(moves, default=MAX_MOVES), -len(answer.wrong)


def _judge(rules: Rules, players: int, written: HandSheet, patience: SearchBudget) -> Reading:
    hands = HeldTiles(domino_set(rules.highest), written.held)
    course, fault, undecided = None, None, False
    if written.moves and written.leader is not None:
        course, fault = follow_moves(rules, players, written.leader, written.moves)
    out, ended, faults = _end(written, course if fault is None else None)
    faults = [*hands.objections, *filter(None, [fault]), *faults]
    if not any(not items.missing for items in faults):
        if course is not None:
            faults += object_to_log(course, hands, written)
        if ended:
            led = course or written.leader
            items, undecided = object_to_figures(rules, players, hands, out, led, patience)
            faults += items
    wrong = any(not items.missing for items in faults)
    if ended and not wrong:
        faults += _missing_pips(hands)
    reading = _reading_of(
        rules, written, hands, course, out if ended == "out" else None, ended, faults
    )
    if not undecided or reading.wrong:
        return reading
    return replace(reading, evidence="open", lines=(*reading.lines, Line("held", "undecided")))


End = Literal["out", "blocked"] | None


def _end(written: HandSheet, course: Course | None) -> tuple[int | None, End, list[Objection]]:
    """Return who went out, how the hand ended, and objections to it (Ruling D-6)."""
    if course is None or course.over is None:
        return _end_as_written(written, course)
    if course.over == "out":
        if written.blocked or written.out not in {None, course.out}:
            return course.out, "out", [Objection("out", "log_out", {"seat": course.out or 0})]
        return course.out, "out", []
    if written.out is not None:
        return None, "blocked", [Objection("out", "log_blocked", {"seat": written.out})]
    return None, "blocked", []


def _end_as_written(
    written: HandSheet, course: Course | None
) -> tuple[int | None, End, list[Objection]]:
    """Return the end as recorded. A log that breaks off may lack the last passes."""
    if course is None:
        if written.blocked:
            return None, "blocked", []
        if written.out is None:
            return None, None, [] if written.moves else [Objection("out", "who_out")]
        return written.out, "out", []
    if written.blocked and course.events and not course.can_draw:
        course.block()
        return None, "blocked", []
    return None, None, [_incomplete_log(written, course)]


def _incomplete_log(written: HandSheet, course: Course) -> Objection:
    """Return the objection to an unfinished log: wrong if called complete, else missing moves."""
    number = len(course.events)
    if written.blocked and course.events:
        return Objection("out", "log_drawing", {"boneyard": course.boneyard})
    seat = course.turn or 0
    if written.out is not None:
        seat = written.out
    params = {"seat": seat, "count": course.counts[seat]}
    return Objection(f"moves/{number}", "log_open", params)


def _missing_pips(hands: HeldTiles) -> list[Objection]:
    """Return requests for missing pips."""
    return [
        Objection(f"held/{seat}", "held_unknown", {"seat": seat})
        for seat, pips in enumerate(hands.pips)
        if pips is None
    ]


def _reading_of(
    rules: Rules,
    written: HandSheet,
    hands: HeldTiles,
    course: Course | None,
    out: int | None,
    ended: End,
    faults: list[Objection],
) -> Reading:
    outcome = None
    pips = [value for value in hands.pips if value is not None]
    if not faults and ended and len(pips) == len(hands.pips):
        outcome = settle(rules, pips, out)
    whole = course is not None and outcome is not None and None not in hands.tiles
    return Reading(
        objections=tuple(faults),
        lines=read_lines(written, hands, course, out, ended),
        evidence="log" if whole else "sheet",
        outcome=outcome,
        leader=written.leader,
        pips=tuple(hands.pips),
        tiles=tuple(hands.tiles),
    )


MAX_HANDS = 500
# Weakest first. A match has the evidence of its weakest hand.
EVIDENCE_ORDER: Final[Sequence[Evidence]] = ("score", "open", "sheet", "log")


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchReading:
    """The result of checking a match.

    `hands`: the result for each. `before`: the totals by side before each hand. `totals`: by
    side, after all of them. `winner`: the side that reached the target. `over`: won, or
    stopped. `places`: by seat, from 1, shared by equals. Empty while the match goes on.
    `objections`: including those of all hands, with their path (`hands/2/held/1`).
    """

    hands: tuple[Reading, ...] = ()
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
    """Check a match from its hands, or from the totals by seat alone. Never raises.

    `stopped`: the table ended it before anybody had reached the target.
    """
    if not is_number(players) or players not in rules.seats:
        fault = Objection("players", "players", {"players": players})
        return MatchReading(objections=(fault,))
    if not _is_list(hands):
        return MatchReading(objections=(cannot_read("hands"),))
    if totals is not None and not (_is_list(totals) and all(map(is_number, totals))):
        return MatchReading(objections=(cannot_read("totals"),))
    if not hands:
        return _judge_totals(rules, players, totals, stopped)
    readings, before, match, objections = _judge_hands(rules, players, hands)
    if totals is not None and tuple(totals) != rules.by_seat(players, match.totals):
        objections.append(Objection("totals", "totals_differ"))
    evidence: Evidence = min((hand.evidence for hand in readings), key=EVIDENCE_ORDER.index)
    reading = MatchReading(
        hands=tuple(readings),
        before=tuple(before),
        totals=match.totals,
        winner=match.winner,
        evidence=evidence,
        objections=tuple(objections),
    )
    return _with_places(rules, players, reading, stopped)


def _is_list(value: object) -> bool:
    return isinstance(value, Sequence)


def _judge_hands(
    rules: Rules, players: int, hands: Sequence[HandSheet]
) -> tuple[list[Reading], list[tuple[int, ...]], Match, list[Objection]]:
    match = Match(rules, players)
    readings, before, objections = [], [], []
    for number, written in enumerate(hands[:MAX_HANDS]):
        reading = judge_hand(rules, players, written)
        readings.append(reading)
        before.append(match.totals)
        objections += [_at(number, objection) for objection in reading.objections]
        objections += _against_leader(match, number, reading.leader)
        if match.winner is not None:
            objections.append(
                Objection(f"hands/{number}", "after_target", {"target": rules.target})
            )
        elif reading.outcome is not None:
            match.add(reading.outcome)
    return readings, before, match, objections


def _at(number: int, objection: Objection) -> Objection:
    return replace(objection, path=f"hands/{number}/{objection.path}")


def _against_leader(match: Match, number: int, leader: int | None) -> list[Objection]:
    """Object to another leader where the winner leads (Ruling D-3)."""
    # a hand before that does not stand leaves open who won it
    if leader is None or len(match.hands) != number or leader in match.leaders:
        return []
    params = {"seat": leader, "winner": match.leaders[0]}
    return [Objection(f"hands/{number}/leader", "leader_winner", params)]


def _with_places(rules: Rules, players: int, reading: MatchReading, stopped: bool) -> MatchReading:
    """Add points and places by seat. Places only when the match is over."""
    points = rules.by_seat(players, reading.totals)
    over = reading.winner is not None or stopped
    stands = over and not reading.objections
    places = rules.by_seat(players, places_of(reading.totals)) if stands else ()
    return replace(reading, points=points, over=over, places=places)


def _judge_totals(
    rules: Rules, players: int, totals: Sequence[int] | None, stopped: bool
) -> MatchReading:
    """Check totals without hands, the weakest evidence. Only impossible ones are refused."""
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
    """Return a bound on the points of one hand, from the heaviest tiles (Rulings D-5, D-7)."""
    pips = sorted(PIPS[: len(domino_set(rules.highest))], reverse=True)
    dealt = rules.hand_size * players
    drawn = dealt if rules.boneyard == "pass" else max(dealt, len(pips) - BONEYARD_RESERVE)
    return sum(pips[: drawn - 1])  # one lies at least


def _against_totals(rules: Rules, players: int, totals: Sequence[int]) -> list[Objection]:
    # before the last hand nobody had the target, and no hand brings so much
    most = rules.target - 1 + _max_hand_points(rules, players)
    objections = [
        Objection(f"totals/{seat}", "total_absurd", {"seat": seat, "total": total, "most": most})
        for seat, total in enumerate(totals)
        if not 0 <= total <= most
    ]
    unlike = [side for side in rules.sides(players) if len({totals[seat] for seat in side}) > 1]
    objections += [Objection(f"totals/{s[-1]}", "totals_side", {"seat": s[-1]}) for s in unlike]
    return objections
