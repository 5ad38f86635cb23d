"""Finds the possible leaders of the hands of a match, if leaders are not recorded (Ruling D-3).

The leader of a hand can depend on the winner of the hand before, and the winner can depend on the
leader. So the referee follows all possible courses of the match from hand to hand. A hand is
rejected only if it fits none of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from dominoes.engine.match import leaders_after
from dominoes.engine.referee.reading import HandReading, HandSheet, Objection
from dominoes.engine.referee.sheets import HandJudge, ask_for_leader, common_reading
from dominoes.engine.rules import Rules
from dominoes.engine.scoring import HandOutcome

# Maximum number of different scores to follow. If there are more, the referee asks for the leader
# of the hand.
MAX_STATES: Final = 200


class MatchState(NamedTuple):
    """A possible score of a match after some hands.

    `totals`: points by side. `leaders`: the seats that may lead the next hand. `unknown`: number of
    hands without a known result. `over`: True if a side has reached the target.
    """

    totals: tuple[int, ...]
    leaders: tuple[int, ...]
    unknown: int = 0
    over: bool = False


class HandStep(NamedTuple):
    """A possible result of one hand (`reading`), and the score of the match before it."""

    before: MatchState
    reading: HandReading


class PossibleMatches:
    """All courses of a match that agree with its recorded hands."""

    def __init__(self, rules: Rules, players: int) -> None:
        self.rules = rules
        self.players = players
        start = MatchState((0,) * len(rules.sides(players)), leaders_after(rules, players, None))
        self.states: list[MatchState] = [start]
        # For each hand: the ways in which each score after the hand can have been reached, and
        # objections that do not depend on the score.
        self._steps: list[dict[MatchState, list[HandStep]]] = []
        self._faults: list[list[Objection]] = []

    def add(self, written: HandSheet) -> None:
        """Add a hand to every possible course of the match."""
        judge = HandJudge(self.rules, self.players, written)
        live = [state for state in self.states if not state.over]
        steps: list[tuple[MatchState, HandReading]] = [
            (state, reading) for state in live for reading in judge.fitting(state.leaders)
        ]
        self._faults.append([])
        if not steps:
            steps = self._record_objections(judge, live)
        self._advance(steps)
        if len(self.states) > MAX_STATES:
            asked = ask_for_leader([reading for _state, reading in steps])
            self._steps.pop()
            self._advance([(state, asked) for state in live])

    def _record_objections(
        self, judge: HandJudge, live: Sequence[MatchState]
    ) -> list[tuple[MatchState, HandReading]]:
        """Record objections to a hand that contradicts every possible course of the match.

        Return the states from which the match continues.
        """
        reading = judge.judge_any_leader()
        faults = self._faults[-1]
        if not live:
            faults.append(Objection("", "after_target", {"target": self.rules.target}))
        if judge.malformed:
            return [(state, reading) for state in live or self.states]
        before, led = live or self.states, judge.written.leader
        winner = before[0].leaders[0]
        if led is not None:
            if all(led not in state.leaders for state in before):
                faults.append(_wrong_leader("leader_winner", led, winner))
        elif live and not reading.contradictions:
            if judge.written.moves:
                led = next(
                    seat for seat in range(self.players) if not judge.led_by(seat).contradictions
                )
                faults.append(_wrong_leader("moves_of_another", led, winner))
            else:
                # Whichever player led the hand, the recorded tiles contradict this player.
                reading = judge.led_by(winner)
        return [(state, reading) for state in before]

    def _advance(self, steps: Sequence[tuple[MatchState, HandReading]]) -> None:
        after: dict[MatchState, list[HandStep]] = {}
        for state, reading in steps:
            after.setdefault(self._state_after(state, reading.outcome), []).append(
                HandStep(state, reading)
            )
        self._steps.append(after)
        self.states = list(after)

    def _state_after(self, state: MatchState, outcome: HandOutcome | None) -> MatchState:
        leaders = leaders_after(self.rules, self.players, outcome)
        if outcome is None or state.over:
            return state._replace(leaders=leaders, unknown=state.unknown + 1)
        totals = tuple(map(sum, zip(state.totals, outcome.points, strict=True)))
        return MatchState(totals, leaders, state.unknown, max(totals) >= self.rules.target)

    def result(self, totals: Sequence[int] | None) -> tuple[list[HandReading], list[Objection]]:
        """Return the result of each hand and all objections.

        Only courses that agree with the whole match are considered. `totals`: the final totals by
        seat, if recorded.
        """
        kept, faults = self.states, []
        if totals is not None:
            kept = [state for state in self.states if self._has_totals(state, totals)]
            if not kept:
                kept, faults = self.states, [Objection("totals", "totals_differ")]
        readings: list[HandReading] = []
        for steps in reversed(self._steps):
            taken = [step for state in kept for step in steps[state]]
            readings.append(common_reading([step.reading for step in taken]))
            kept = list(dict.fromkeys(step.before for step in taken))
        readings.reverse()
        by_hand = zip(readings, self._faults, strict=True)
        found = [
            _objection_in_hand(number, fault)
            for number, (reading, more) in enumerate(by_hand)
            for fault in (*reading.objections, *more)
        ]
        return readings, found + faults

    def _has_totals(self, state: MatchState, totals: Sequence[int]) -> bool:
        """Return True if the hands without a known result can explain the difference between the
        known points and these totals.
        """
        if len(totals) != self.players:
            return False
        missing = [
            totals[seats[0]] - total if len({totals[seat] for seat in seats}) == 1 else -1
            for seats, total in zip(self.rules.sides(self.players), state.totals, strict=True)
        ]
        # Only one side scores in a hand, so each unknown hand explains the points of one side.
        return min(missing) >= 0 and sum(more > 0 for more in missing) <= state.unknown


def _objection_in_hand(number: int, fault: Objection) -> Objection:
    path = f"hands/{number}/{fault.path}" if fault.path else f"hands/{number}"
    return replace(fault, path=path)


def _wrong_leader(code: str, seat: int, winner: int) -> Objection:
    return Objection("leader", code, {"seat": seat, "winner": winner})
