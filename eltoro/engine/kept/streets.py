"""What happens between the cards of two steps: all go down, the bulls charge, the day ends."""

from __future__ import annotations

from collections.abc import Mapping

from eltoro.engine.board import EVEN, ODD
from eltoro.engine.destinations import Bonus
from eltoro.engine.kept.state import State
from eltoro.engine.town import Die


def down(state: State) -> None:
    """Everybody goes one row down: runners by token or parity, bulls by parity (E-4, E-5)."""
    for name, die in list(state.standing()):
        state.put(name, Die(_way(state, die, state.seat(name[0])), die.face))
    state.bulls = [Die(_way(state, bull, None), bull.face) for bull in state.bulls]
    state.step += 1


def _way(state: State, die: Die, seat: int | None) -> int:
    ways = state.board.spaces[die.space].ways
    if len(ways) == 1:
        return ways[0]
    own = [
        parity
        for parity in (EVEN, ODD)
        if seat is not None and state.tokens.get((die.space, parity)) == seat
    ]
    return ways[own[0]] if len(own) == 1 else ways[die.face % 2]


def matched(state: State) -> tuple[str, ...]:
    """The runners that stand with a bull of their face, in the order of their dice (E-6)."""
    dangers = {(bull.space, bull.face) for bull in state.bulls}
    return tuple(name for name, die in state.standing() if (die.space, die.face) in dangers)


def trample(state: State, faces: Mapping[str, int]) -> None:
    """The charged runners show what they rolled; who still matches a bull is out (E-6)."""
    dangers = {(bull.space, bull.face) for bull in state.bulls}
    for name in state.charging:
        again = Die(state.die(name).space, faces[name])
        state.put(name, None if (again.space, again.face) in dangers else again)
    state.charging = ()


def end_step(state: State) -> None:
    """The token passes to the left; at the destinations the day is scored (E-4, E-7)."""
    state.first = (state.first + 1) % state.players
    if state.step == state.board.steps:
        state.arrived = tuple(_arrived(state, seat) for seat in range(state.players))


def _arrived(state: State, seat: int) -> tuple[int, ...]:
    places = [die.space for die in state.runners[seat] if die is not None]
    return tuple(places.count(space) for space in state.row)


def end_day(state: State) -> None:
    """The day is put away; its destinations work from the next morning on (E-7)."""
    today = state.today()
    assert today is not None, "a day ends once it is scored"
    state.past = (*state.past, today)
    state.effects = tuple(
        tuple(index for index, count in zip(today.destinations, arrived, strict=True) if count)
        for arrived in today.arrived
    )
    state.first = next(
        (seat for seat in state.turn_order if state.times(seat, Bonus.FIRST)), state.first
    )
    state.day += 1
    wake(state)


def wake(state: State) -> None:
    """Nothing has been laid or rolled yet: a new day."""
    state.step, state.destinations, state.arrived = 0, (), None
    state.bulls, state.runners = [], [[] for _seat in range(state.players)]
    state.gained, state.dice = [0] * state.players, [()] * state.players
    state.charging = ()
