"""A dominoes match as a visitor may see it, and the answer of the referee (the rule checker) to the
hand that is being entered.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dominoes.engine import (
    Course,
    FinalTiles,
    HandOutcome,
    HandReading,
    HandSheet,
    MatchReading,
    Objection,
    Rules,
    follow_moves,
    judge_hand,
)
from dominoes.engine import Match as MatchFold
from dominoes.game import KEY
from dominoes.pages.tabletop.forms import BLOCKED, MOVES, SCORE, HandForm
from dominoes.stage import sentences
from dominoes.tabletop.sheets import (
    line_sentence,
    objection_sentence,
    read_match,
    side_names,
    write_hand,
)
from leagues.pages.forms import parse_number
from leagues.pages.matches.sheets import AnswerLine, Fix, SheetView, not_ready_reason, put_part
from leagues.text import count_points

HANDS_KEY: Final = "hands"


@dataclass(slots=True, kw_only=True)
class MatchSheet(SheetView[HandForm]):
    """A dominoes match as shown to a visitor, with the rules of the match."""

    game: ClassVar[str] = KEY
    draft_class: ClassVar[type[HandForm]] = HandForm

    rules: Rules = field(init=False)

    def __post_init__(self) -> None:
        self.rules = Rules.from_options(self.match.rules)

    @property
    def sides(self) -> list[str]:
        return side_names(self.rules, self.names)

    def side_size(self, side: int) -> int:
        return len(self.rules.sides(self.players)[side])

    @property
    def sheet_reading(self) -> MatchReading:
        """The result of checking the submitted sheet, or else the hands entered so far."""
        if self.submitted is None:
            return self.sheet
        return read_match(self.rules, self.players, self.submitted.content)

    @property
    def hands(self) -> list[Any]:
        hands = self.content.get(HANDS_KEY)
        return list(hands) if isinstance(hands, list) else []

    @property
    def sheet(self) -> MatchReading:
        return read_match(self.rules, self.players, {HANDS_KEY: self.hands})

    def fold(self, place: int = -1) -> MatchFold:
        """Return totals, possible leaders and winner of the match after the hands entered so far.

        With `place`, only the hands before this hand are included.
        """
        fold = MatchFold(self.rules, self.players)
        hands = self.sheet.hands
        for hand in hands[: place if 0 <= place < len(hands) else None]:
            if hand.outcome is not None and fold.winner is None:
                fold.add(hand.outcome)
        return fold


@dataclass(frozen=True, slots=True, kw_only=True)
class SideTotals:
    """One side in the table of totals beside the entry form."""

    name: str
    seats: tuple[int, ...]
    before: int
    gained: int | None
    now: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RefereeAnswer:
    """Answer of the site to the hand that the user is entering: the referee's lines, the result,
    the totals, and whether it can be submitted.
    """

    lines: tuple[AnswerLine, ...]
    reading: HandReading
    outcome: HandOutcome | None
    title: str
    headline: str
    points: int
    sum: str
    rows: tuple[SideTotals, ...]
    ready: bool
    wins: bool
    waiting: str


def course_of(at: MatchSheet, draft: HandForm) -> Course | None:
    """Return the state of the hand after its moves, up to the first impossible move.

    Returns None if the form does not say who led.
    """
    leader = parse_number(draft.leader)
    if leader is None or not 0 <= leader < at.players:
        return None
    return follow_moves(at.rules, at.players, leader, draft.moves)[0]


def asked_seats(at: MatchSheet, draft: HandForm) -> list[int]:
    """Return the seats for which the form must contain tiles or pips."""
    if draft.way == SCORE:
        return []
    out = draft.out_seat
    if draft.way == MOVES:
        course = course_of(at, draft)
        out = None if course is None else course.out
        if course is None or (course.ended_by is None and draft.out != BLOCKED):
            return []
    return [seat for seat in range(at.players) if seat != out]


def answer_hand(at: MatchSheet, draft: HandForm) -> RefereeAnswer:
    asked = asked_seats(at, draft)
    written = draft.to_hand_sheet(at.players, asked)
    reading = judge_hand(at.rules, at.players, written)
    misread = draft.misread(asked)
    supposed, title = (reading.outcome, _("Result"))
    if reading.contradictions and not misread:
        supposed, title = _hypothetical_outcome(at, written, reading)
    # Other hands of the match can contradict a complete hand, or show which player led it.
    asks_for_leader = any(fault.code == "who_led" for fault in reading.objections)
    if not misread and (reading.outcome is not None or asks_for_leader):
        reading = _in_context_of_match(at, draft, written, reading)
        supposed = reading.outcome
    ready = not reading.objections and not misread
    fold = at.fold(draft.place)
    wins = supposed is not None and any(
        total + points >= at.rules.target
        for total, points in zip(fold.totals, supposed.points, strict=True)
    )
    return RefereeAnswer(
        lines=tuple(_lines(at, reading, misread)),
        reading=reading,
        outcome=supposed,
        title=title,
        headline=_headline(at, supposed),
        points=0
        if supposed is None or supposed.winner is None
        else supposed.points[supposed.winner],
        sum=sentences.points_sum(supposed) if supposed else "",
        rows=tuple(_rows(at, fold.totals, supposed)),
        ready=ready,
        wins=ready and wins,
        waiting=not_ready_reason(
            len(reading.contradictions) + len(misread), bool(reading.objections)
        ),
    )


def _in_context_of_match(
    at: MatchSheet, draft: HandForm, written: HandSheet, reading: HandReading
) -> HandReading:
    """Return the referee's result for a hand as part of its match.

    It includes objections that depend on other hands of the match, such as a wrong leader.
    """
    place = draft.place if 0 <= draft.place < len(at.hands) else len(at.hands)
    hands = put_part(at.hands, write_hand(written), draft.place)
    path = f"hands/{place}"
    match = read_match(at.rules, at.players, {HANDS_KEY: hands})
    objections = [
        replace(fault, path=fault.path.removeprefix(path).lstrip("/") or "hand")
        for fault in match.objections
        if fault.path == path or fault.path.startswith(f"{path}/")
    ]
    in_match = match.hands[place] if place < len(match.hands) else reading
    return replace(in_match, objections=tuple(objections))


def _lines(at: MatchSheet, reading: HandReading, misread: dict[int, str]) -> list[AnswerLine]:
    lines: list[tuple[str, int, AnswerLine]] = []
    objected = {fault.path for fault in reading.contradictions}
    for line in reading.lines:
        if line.path not in objected:
            state = "asked" if line.code == "undecided" else "good"
            answer = AnswerLine(state=state, text=line_sentence(line, at.names))
            lines.append((_sort_key(line.path), 0, answer))
    lines += [
        (_sort_key(fault.path), 1, _objection_line(at, fault)) for fault in reading.objections
    ]
    for seat, sentence in misread.items():
        text = f"{at.names[seat]}: {sentence}"
        lines.append((_sort_key(f"held/{seat}"), 2, AnswerLine(state="bad", text=text)))
    return [answer for _path, _rank, answer in sorted(lines, key=lambda entry: entry[:2])]


def _sort_key(path: str) -> str:
    """Return a sort key for a line of the answer: first moves, then the end, then seat by seat."""
    head, _slash, seat = path.partition("/")
    order = {"leader": "0", "moves": "1", "deal": "1", "out": "2", "held": "3"}
    return f"{order.get(head, '4')}{int(seat):04}" if seat.isdecimal() else order.get(head, "4")


def _objection_line(at: MatchSheet, fault: Objection) -> AnswerLine:
    return AnswerLine(
        state="asked" if fault.missing else "bad",
        text=objection_sentence(fault, at.names),
        ruling="" if fault.missing else fault.ruling,
        fixes=tuple(_fixes(at, fault)),
    )


def _fixes(at: MatchSheet, fault: Objection) -> list[Fix]:
    if fault.code == "shared":
        seats = [fault.params["other"], fault.params["seat"]]
        return [
            Fix(
                do=f"assign_tile:{fault.params['tile']}:{seat}",
                text=_("The tile belonged to %(name)s") % {"name": at.names[seat]},
            )
            for seat in seats
            if isinstance(seat, int)
        ]
    if fault.path.startswith("moves/") and not fault.missing:
        return [Fix(do="back", text=_("Undo the last move"))]
    return []


def _hypothetical_outcome(
    at: MatchSheet, written: HandSheet, reading: HandReading
) -> tuple[HandOutcome | None, str]:
    """Return the result of a hand if every tile ticked for two seats belonged to the
    first of them.
    """
    if any(fault.code != "shared" for fault in reading.contradictions):
        return None, _("Result")
    held = list(written.held)
    for fault in reading.contradictions:
        seat, tile = fault.params["seat"], fault.params["tile"]
        assert isinstance(seat, int)
        left = tuple(t for t in held[seat].tiles or () if not _is_same_tile(t, str(tile)))
        held[seat] = FinalTiles(tiles=left)
    again = judge_hand(at.rules, at.players, replace(written, held=tuple(held)))
    other = reading.contradictions[0].params["other"]
    name = at.names[other] if isinstance(other, int) else ""
    return again.outcome, _("Result if the tile belonged to %(name)s") % {"name": name}


def _is_same_tile(written: str, tile: str) -> bool:
    """Return True if a typed tile (`3-5`) is the same as a tile in notation (`5|3`)."""
    return sorted(written.replace("-", "|").split("|")) == sorted(tile.split("|"))


def _headline(at: MatchSheet, outcome: HandOutcome | None) -> str:
    if outcome is None:
        return ""
    if outcome.winner is None:
        return _("Tie for the lowest hand")
    partners = at.side_size(outcome.winner)
    headline = ngettext("%(name)s wins the hand", "%(name)s win the hand", partners)
    return headline % {"name": at.sides[outcome.winner]}


def _rows(at: MatchSheet, totals: tuple[int, ...], outcome: HandOutcome | None) -> list[SideTotals]:
    return [
        SideTotals(
            name=name,
            seats=seats,
            before=total,
            gained=None if outcome is None else outcome.points[side],
            now=None if outcome is None else total + outcome.points[side],
        )
        for side, (name, seats, total) in enumerate(
            zip(at.sides, at.rules.sides(at.players), totals, strict=True)
        )
    ]


def answer_score(at: MatchSheet, draft: HandForm) -> RefereeAnswer:
    lines = _score_lines(at, draft)
    bad = any(line.state != "good" for line in lines)
    return RefereeAnswer(
        lines=tuple(lines),
        reading=HandReading(),
        outcome=None,
        title="",
        headline="",
        points=0,
        sum="",
        rows=(),
        ready=not bad,
        wins=False,
        waiting=not_ready_reason(int(bad), missing=False),
    )


def _score_lines(at: MatchSheet, draft: HandForm) -> list[AnswerLine]:
    if not any(draft.totals):
        return [AnswerLine(state="asked", text=_("Enter each side’s final score."))]
    totals, why = draft.read_totals()
    if why:
        return [AnswerLine(state="bad", text=why)]
    reading = read_match(at.rules, at.players, {"totals": totals})
    if reading.objections:
        return [
            AnswerLine(state="bad", text=objection_sentence(fault, at.names), ruling=fault.ruling)
            for fault in reading.objections
        ]
    return _accepted_lines(at, reading.winner)


def _accepted_lines(at: MatchSheet, winner: int | None) -> list[AnswerLine]:
    trust = AnswerLine(
        state="good",
        text=_(
            "The totals can’t be checked without the individual hands, so they are accepted "
            "as entered."
        ),
    )
    if winner is None:
        text = _("No side has reached %(target)s.") % {"target": count_points(at.rules.target)}
        return [AnswerLine(state="good", text=text), trust]
    partners = at.side_size(winner)
    sentence = ngettext("%(name)s wins the match.", "%(name)s win the match.", partners)
    text = sentence % {"name": at.sides[winner]}
    return [AnswerLine(state="good", text=text), trust]
