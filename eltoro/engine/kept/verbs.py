"""What each entry does to a kept board; every refusal comes before the first change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Final

from eltoro.engine.kept.entry import Entry, KeptError, Target, Verb
from eltoro.engine.kept.state import MOST_BULLS, NOWHERE, SEATS, Due, State
from eltoro.engine.kept.streets import down, end_day, end_step, matched, trample
from eltoro.engine.town import Die

Doing = Callable[[State, tuple[Target, ...]], None]

ALWAYS: Final = frozenset({Verb.POINTS, Verb.FIRST})
"""What can be entered at any moment."""

IN_TURN: Final[Mapping[Due, frozenset[Verb]]] = {
    Due.DICE: frozenset({Verb.DICE}),
    Due.LAY: frozenset({Verb.LAY}),
    Due.BULLS: frozenset({Verb.BULLS}),
    Due.RUNNERS: frozenset({Verb.RUNNERS}),
    Due.START: frozenset({Verb.START}),
    Due.HERD: frozenset({Verb.BULLS}),
    Due.CARDS: frozenset(
        {
            Verb.ROLL,
            Verb.FACE,
            Verb.MOVE,
            Verb.LEAD,
            Verb.ADD_BULL,
            Verb.TOKEN,
            Verb.UNTOKEN,
            Verb.ADVANCE,
        }
    ),
    Due.CHARGE: frozenset({Verb.CHARGE}),
    Due.EVENING: frozenset({Verb.EVENING}),
    Due.OVER: frozenset(),
}
"""What can be entered when."""


def check(state: State, entry: Entry) -> None:
    """Raise `KeptError` for what may not be written now: in its turn, and as pieces may move.

    Not asked of what is kept already, which stays as it was written.
    """
    if entry.verb not in IN_TURN[state.due] and entry.verb not in ALWAYS:
        raise KeptError("not_now", due=state.due.value)
    if entry.verb is Verb.MOVE:  # cards lead bulls aside; runners go down (E-2)
        for name in entry.names:
            state.die(name)
            if name[0] != "T":
                raise KeptError("aside", what=name)
    if entry.verb is Verb.TOKEN and ">" in entry.names[1]:
        seat = state.seat(entry.names[0])
        if state.tokens_left(seat):  # only who has none left moves one (E-5)
            raise KeptError("tokens_left", what=entry.names[0])


def dice(state: State, targets: tuple[Target, ...]) -> None:
    """The dice that yesterday's destinations grant."""
    due = Counter(state.due_dice())
    rolled = {state.seat(letter): [int(face) for face in faces] for letter, faces in targets}
    for seat, faces in rolled.items():
        letter = SEATS[seat]
        if not due[letter]:
            raise KeptError("no_die_due", what=letter)
        if len(faces) > due[letter]:
            _check_count(due[letter], faces, letter)
    for seat, faces in rolled.items():
        state.dice[seat] += tuple(faces)


def lay(state: State, targets: tuple[Target, ...]) -> None:
    """The five destinations; a kind no oftener than there are cards of it."""
    laid = tuple(_destination(state, target.what) for target in targets)
    for index in laid:
        card = state.rules.destinations[index]
        if laid.count(index) > card.count:
            raise KeptError("too_often", what=card.key, count=card.count)
    state.destinations = laid


def _destination(state: State, key: str) -> int:
    for index, card in enumerate(state.rules.destinations):
        if card.key == key:
            return index
    raise KeptError("no_destination", what=key)


def bulls(state: State, targets: tuple[Target, ...]) -> None:
    """The bulls of the morning: one a starting space, then the others where they roll (E-3)."""
    faces = [int(face) for face in targets[0].what]
    start = state.board.rows[0]
    if state.due is Due.BULLS:
        _check_count(len(start), faces)
        state.bulls = [Die(space, face) for space, face in zip(start, faces, strict=True)]
        return
    _check_count(state.herd - len(state.bulls), faces)
    if 1 in faces:
        raise KeptError("bull_one")
    state.bulls += [Die(start[face - 2], face) for face in faces]


def _check_count(wanted: int, faces: list[int], what: str = "") -> None:
    if len(faces) != wanted and what:
        raise KeptError("count_of", wanted=wanted, given=len(faces), what=what)
    if len(faces) != wanted:
        raise KeptError("count", wanted=wanted, given=len(faces))


def runners(state: State, targets: tuple[Target, ...]) -> None:
    """All runners of every player; a 1 waits for its place (E-3)."""
    faces = {state.seat(letter): [int(face) for face in text] for letter, text in targets}
    for seat in range(state.players):
        _check_count(state.allowed(seat), faces.get(seat, []), SEATS[seat])
    start = state.board.rows[0]
    for seat, rolled in faces.items():
        state.runners[seat] = [
            Die(NOWHERE if face == 1 else start[face - 2], face) for face in rolled
        ]


def start(state: State, targets: tuple[Target, ...]) -> None:
    """1s placed where their owners like."""
    waiting = set(state.ones())
    for name, key in targets:
        if name not in waiting:
            raise KeptError("no_one", what=name)
        state.space(key)
    for name, key in targets:
        state.put(name, Die(state.space(key), 1))


def face(state: State, targets: tuple[Target, ...]) -> None:
    """Dice that show another face now: rolled by hand, turned or set by a card."""
    found = [(name, state.die(name)) for name, _face in targets]
    for (name, die), target in zip(found, targets, strict=True):
        state.put(name, Die(die.space, target.face))


def move(state: State, targets: tuple[Target, ...]) -> None:
    """Runners and bulls led aside within the row (E-2)."""
    found = [(name, state.die(name), state.space(key)) for name, key in targets]
    for name, die, space in found:
        state.put(name, Die(space, die.face))


def add_bull(state: State, targets: tuple[Target, ...]) -> None:
    """One more bull in the row, as long as there are any in the box (E-6)."""
    target = targets[0]
    space = state.space(target.what)
    if len(state.bulls) >= MOST_BULLS:
        raise KeptError("no_bull_left", count=MOST_BULLS)
    state.bulls.append(Die(space, target.face))


def token(state: State, targets: tuple[Target, ...]) -> None:
    """A direction token on a sign; another's goes back to its owner (E-5)."""
    seat, (taken, _joint, laid) = state.seat(targets[0].what), targets[1].what.rpartition(">")
    sign = state.sign(laid)
    if state.tokens.get(sign) == seat:
        raise KeptError("own_token", what=laid)
    if taken and state.tokens.get(state.sign(taken)) != seat:
        raise KeptError("not_own_token", what=taken)
    if not taken and not state.tokens_left(seat):
        raise KeptError("no_token_left", what=SEATS[seat])
    if taken:
        del state.tokens[state.sign(taken)]
    state.tokens[sign] = seat


def untoken(state: State, targets: tuple[Target, ...]) -> None:
    """A direction token taken off a sign."""
    sign = state.sign(targets[0].what)
    if sign not in state.tokens:
        raise KeptError("no_token", what=targets[0].what)
    del state.tokens[sign]


def points(state: State, targets: tuple[Target, ...]) -> None:
    """Points that a card brings; taken back, where too many were written down."""
    seat, more = state.seat(targets[0].what), int(targets[1].what)
    if state.gained[seat] + more < 0:
        raise KeptError("points_below", what=targets[0].what)
    state.gained[seat] += more


def first(state: State, targets: tuple[Target, ...]) -> None:
    """Who has the first-player token."""
    state.first = state.seat(targets[0].what)


def advance(state: State, _targets: tuple[Target, ...]) -> None:
    """Runners a row down, bulls a row down; who stands with a bull of the same face must roll."""
    down(state)
    state.charging = matched(state)
    if not state.charging:
        end_step(state)


def charge(state: State, targets: tuple[Target, ...]) -> None:
    """What the charged runners roll; who still matches a bull is trampled (E-6)."""
    given = {target.what for target in targets}
    missing = [name for name in state.charging if name not in given]
    strangers = given.difference(state.charging)
    if missing or strangers:
        raise KeptError("charge", what=" ".join([*missing, *sorted(strangers)]))
    trample(state, {target.what: target.face for target in targets})
    end_step(state)


def evening(state: State, _targets: tuple[Target, ...]) -> None:
    """The day is put away, and what it brings tomorrow begins to work (E-7, E-8)."""
    end_day(state)


DOING: Final[Mapping[Verb, Doing]] = {
    Verb.LAY: lay,
    Verb.DICE: dice,
    Verb.BULLS: bulls,
    Verb.RUNNERS: runners,
    Verb.START: start,
    Verb.ROLL: face,
    Verb.FACE: face,
    Verb.MOVE: move,
    Verb.LEAD: move,
    Verb.ADD_BULL: add_bull,
    Verb.TOKEN: token,
    Verb.UNTOKEN: untoken,
    Verb.POINTS: points,
    Verb.FIRST: first,
    Verb.ADVANCE: advance,
    Verb.CHARGE: charge,
    Verb.EVENING: evening,
}
"""What is done for each verb; dice that the site rolls have been rolled by then."""
