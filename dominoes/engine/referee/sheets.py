"""Checks single hands of dominoes as the players recorded them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from dominoes.engine.referee.course import Course, follow_moves, object_to_log
from dominoes.engine.referee.feasible import SearchBudget
from dominoes.engine.referee.figures import object_to_figures, only_blank
from dominoes.engine.referee.reading import (
    HandReading,
    HandSheet,
    HeldTiles,
    Objection,
    RefereeConclusion,
)
from dominoes.engine.rules import Rules
from dominoes.engine.scoring import score_hand
from dominoes.engine.tiles import bits, domino_set, write_tile


def read_lines(
    written: HandSheet, hands: HeldTiles, course: Course | None, out: int | None, ended: str | None
) -> tuple[RefereeConclusion, ...]:
    """Return the referee's conclusions in the order of a scoresheet: the moves, the end, then each
    seat.
    """
    lines = []
    if course is not None:
        laid = course.played.bit_count()
        params = {"moves": len(course.events), "laid": laid, "drawn": sum(course.drawn)}
        lines.append(RefereeConclusion("moves", "log", params))
    if ended == "blocked":
        lines.append(RefereeConclusion("out", "blocked"))
    if out is not None:
        lines.append(RefereeConclusion("out", "out", {"seat": out}))
    lines += [
        _seat(written, hands, seat) for seat in range(len(hands.pips)) if _is_known(hands, seat)
    ]
    return tuple(line for line in lines if line.params.get("seat") != out or line.code == "out")


def _is_known(hands: HeldTiles, seat: int) -> bool:
    return hands.pips[seat] is not None


def _seat(written: HandSheet, hands: HeldTiles, seat: int) -> RefereeConclusion:
    tiles, pips, path = hands.tiles[seat], hands.pips[seat] or 0, f"held/{seat}"
    if only_blank(hands, seat):
        return RefereeConclusion(path, "only_blank", {"seat": seat})
    if tiles is None:
        return RefereeConclusion(path, "pips", {"seat": seat, "pips": pips})
    names = tuple(map(write_tile, bits(tiles)))
    follows = written.held[seat].tiles is None
    code = "follows" if follows else "tiles"
    return RefereeConclusion(path, code, {"seat": seat, "tiles": names, "pips": pips})


# Maximum number of moves in a recorded hand. No hand of any set has more.
MAX_MOVES = 1000


def judge_hand(rules: Rules, players: int, written: HandSheet) -> HandReading:
    """Check one recorded hand. Never raises an error, whatever values the sheet contains.

    Every objection is a proof that a ruling was broken, or asks for missing information
    (`Objection.missing`). If there is no objection, but the search for tiles with the recorded pips
    reached its limit, the evidence is `open` (Rulings D-10 and I-18).
    """
    return HandJudge(rules, players, written).judge_any_leader()


class HandJudge:
    """Checks a hand on its own, or as part of a match that limits who can have led (Ruling D-3).

    `malformed`: objections to a badly formed sheet, such as to seats that do not exist. All
    checks of the hand share one search budget.
    """

    def __init__(self, rules: Rules, players: int, written: HandSheet) -> None:
        self.rules = rules
        self.players = players
        self.written = written
        self.malformed = tuple(_shape(rules, players, written))
        self._patience = SearchBudget()
        self._by_leader: dict[int | None, HandReading] = {}

    def led_by(self, leader: int | None) -> HandReading:
        """Return the result of checking the hand as if this leader were recorded, or no leader if
        the argument is None.
        """
        if leader not in self._by_leader:
            written = replace(self.written, leader=leader)
            self._by_leader[leader] = _judge_hand(self.rules, self.players, written, self._patience)
        return self._by_leader[leader]

    def judge_any_leader(self) -> HandReading:
        """Return the result of checking the hand on its own, with any seat as a possible leader."""
        if self.malformed:
            return HandReading(objections=self.malformed)
        if not self.written.moves or self.written.leader is not None:
            return self.led_by(self.written.leader)
        readings = [self.led_by(seat) for seat in range(self.players)]
        fitting = [reading for reading in readings if not reading.contradictions]
        return common_reading(fitting) if fitting else max(readings, key=_progress_of)

    def fitting(self, leaders: Sequence[int]) -> list[HandReading]:
        """Return the results of checking the hand for each of these possible leaders, without
        results that contain errors.

        If no moves are recorded, the result does not depend on the leader, so a single result is
        returned.
        """
        if self.malformed:
            return []
        if self.written.leader is not None:
            among: Sequence[int] = [seat for seat in leaders if seat == self.written.leader]
        elif self.written.moves:
            among = leaders
        elif len(leaders) == self.players:
            reading = self.led_by(None)
            return [] if reading.contradictions else [reading]
        else:
            # The seat that went out is tried first as the leader, because a seat without tiles
            # cannot contradict the lead.
            among = sorted(leaders, key=lambda seat: seat != self.written.out)
            fits = (self.led_by(seat) for seat in among)
            return [reading for reading in fits if not reading.contradictions][:1]
        return [reading for reading in map(self.led_by, among) if not reading.contradictions]


def common_reading(readings: Sequence[HandReading]) -> HandReading:
    """Return what the results for several possible leaders have in common.

    If the results differ, the common result asks for the leader.
    """
    first = min(readings, key=lambda reading: reading.evidence == "open")
    leader = first.leader if len({reading.leader for reading in readings}) == 1 else None
    if all(
        (other.outcome, other.objections) == (first.outcome, first.objections) for other in readings
    ):
        return replace(first, leader=leader)
    return ask_for_leader(readings)


def ask_for_leader(readings: Sequence[HandReading]) -> HandReading:
    """Return a result that asks for the leader of the hand. Apart from this, it contains only what
    all these results have in common.
    """
    first = readings[0]
    asked = Objection("leader", "who_led")
    lines = tuple(line for line in first.lines if all(line in other.lines for other in readings))
    return replace(first, objections=(asked,), lines=lines, outcome=None, leader=None)


def _shape(rules: Rules, players: int, written: HandSheet) -> list[Objection]:
    """Return objections to a recorded hand that is badly formed: seats that do not exist, too many
    moves, or a hand recorded both as blocked and as won.
    """
    if players not in rules.seats:
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


def _progress_of(answer: HandReading) -> tuple[int, int]:
    """Return a sort key: the number of moves before the first error, then fewest objections."""
    moves = [
        int(wrong.path[6:]) for wrong in answer.contradictions if wrong.path.startswith("moves/")
    ]
    return min(moves, default=MAX_MOVES), -len(answer.contradictions)


def _judge_hand(
    rules: Rules, players: int, written: HandSheet, patience: SearchBudget
) -> HandReading:
    hands = HeldTiles(domino_set(rules.highest), written.held)
    course, fault, undecided = None, None, False
    if written.moves and written.leader is not None:
        course, fault = follow_moves(rules, players, written.leader, written.moves)
    out, ended, faults = _end_of_hand(written, course if fault is None else None)
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
    if not undecided or reading.contradictions:
        return reading
    return replace(
        reading, evidence="open", lines=(*reading.lines, RefereeConclusion("held", "undecided"))
    )


End = Literal["out", "blocked"] | None


def _end_of_hand(
    written: HandSheet, course: Course | None
) -> tuple[int | None, End, list[Objection]]:
    """Return the player who went out, how the hand ended, and objections to the recorded end
    (Ruling D-6).
    """
    if course is None or course.ended_by is None:
        return _end_as_written(written, course)
    if course.ended_by == "out":
        if written.blocked or written.out not in {None, course.out}:
            return course.out, "out", [Objection("out", "log_out", {"seat": course.out or 0})]
        return course.out, "out", []
    if written.out is not None:
        return None, "blocked", [Objection("out", "log_blocked", {"seat": written.out})]
    return None, "blocked", []


def _end_as_written(
    written: HandSheet, course: Course | None
) -> tuple[int | None, End, list[Objection]]:
    """Return the end of the hand as recorded. An unfinished log may lack the last passes."""
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
    """Return the objection to a log that ends before the hand is over.

    The hand is wrong if it was recorded as blocked while tiles can be drawn. Otherwise moves are
    missing.
    """
    number = len(course.events)
    if written.blocked and course.events:
        return Objection("out", "log_drawing", {"boneyard": course.boneyard})
    seat = course.turn or 0
    if written.out is not None:
        seat = written.out
    params = {"seat": seat, "count": course.counts[seat]}
    return Objection(f"moves/{number}", "log_open", params)


def _missing_pips(hands: HeldTiles) -> list[Objection]:
    """Return a request for each hand of which neither tiles nor pips are recorded."""
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
) -> HandReading:
    outcome = None
    pips = [value for value in hands.pips if value is not None]
    if not faults and ended and len(pips) == len(hands.pips):
        outcome = score_hand(rules, pips, out)
    whole = course is not None and outcome is not None and None not in hands.tiles
    return HandReading(
        objections=tuple(faults),
        lines=read_lines(written, hands, course, out, ended),
        evidence="log" if whole else "sheet",
        outcome=outcome,
        leader=written.leader,
        pips=tuple(hands.pips),
        tiles=tuple(hands.tiles),
    )
