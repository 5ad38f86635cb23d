"""A real board: checks and applies entries, and rolls dice for the table (Rulings E-2 to E-9)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from typing import Final

from eltoro.engine.real_board.entries import (
    Entry,
    EntryError,
    EntryNote,
    RolledDie,
    ScoredDay,
    Target,
    Verb,
)
from eltoro.engine.real_board.state import (
    MAX_BULLS,
    NOWHERE,
    SEAT_LETTERS,
    BoardState,
    Due,
    begin_day,
    charging_runners,
    end_day,
    end_step,
    move_down,
    trample,
)
from eltoro.engine.rules import Rules
from eltoro.engine.town import Die, Phase, Town
from fairness import Chance, Seed

EntryAction = Callable[[BoardState, tuple[Target, ...]], None]

# Entries possible at any moment.
ANY_TIME_VERBS: Final = frozenset({Verb.POINTS, Verb.FIRST})

# Entries possible by what is due.
VERBS_BY_DUE: Final[Mapping[Due, frozenset[Verb]]] = {
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


def check_entry(state: BoardState, entry: Entry) -> None:
    """Raise `EntryError` for an entry that is out of turn or an impossible placement.

    Not used for stored entries, which stay as they are.
    """
    if entry.verb not in VERBS_BY_DUE[state.due] and entry.verb not in ANY_TIME_VERBS:
        raise EntryError("not_now", due=state.due.value)
    if entry.verb is Verb.MOVE:  # cards lead bulls aside; runners go down (E-2)
        for name in entry.names:
            state.die(name)
            if name[0] != "T":
                raise EntryError("aside", what=name)
    if entry.verb is Verb.TOKEN and ">" in entry.names[1]:
        seat = state.seat(entry.names[0])
        if state.tokens_left(seat):  # only who has none left moves one (E-5)
            raise EntryError("tokens_left", what=entry.names[0])


def enter_dice(state: BoardState, targets: tuple[Target, ...]) -> None:
    """Apply the dice granted by yesterday's destinations."""
    due = Counter(state.due_dice())
    rolled = {state.seat(letter): [int(face) for face in faces] for letter, faces in targets}
    for seat, faces in rolled.items():
        letter = SEAT_LETTERS[seat]
        if not due[letter]:
            raise EntryError("no_die_due", what=letter)
        if len(faces) > due[letter]:
            _check_count(due[letter], faces, letter)
    for seat, faces in rolled.items():
        state.dice[seat] += tuple(faces)


def lay_destinations(state: BoardState, targets: tuple[Target, ...]) -> None:
    """Lay out the five destinations, each at most as often as it has cards."""
    laid = tuple(_destination(state, target.what) for target in targets)
    for index in laid:
        card = state.rules.destinations[index]
        if laid.count(index) > card.count:
            raise EntryError("too_often", what=card.key, count=card.count)
    state.destinations = laid


def _destination(state: BoardState, key: str) -> int:
    for index, card in enumerate(state.rules.destinations):
        if card.key == key:
            return index
    raise EntryError("no_destination", what=key)


def enter_bulls(state: BoardState, targets: tuple[Target, ...]) -> None:
    """Place the bulls of the morning: one per starting space, the others where they roll (E-3)."""
    faces = [int(face) for face in targets[0].what]
    start = state.board.rows[0]
    if state.due is Due.BULLS:
        _check_count(len(start), faces)
        state.bulls = [Die(space, face) for space, face in zip(start, faces, strict=True)]
        return
    _check_count(state.herd - len(state.bulls), faces)
    if 1 in faces:
        raise EntryError("bull_one")
    state.bulls += [Die(start[face - 2], face) for face in faces]


def _check_count(wanted: int, faces: list[int], what: str = "") -> None:
    if len(faces) != wanted and what:
        raise EntryError("count_of", wanted=wanted, given=len(faces), what=what)
    if len(faces) != wanted:
        raise EntryError("count", wanted=wanted, given=len(faces))


def enter_runners(state: BoardState, targets: tuple[Target, ...]) -> None:
    """Set all runners of every player. A 1 waits for its place (Ruling E-3)."""
    faces = {state.seat(letter): [int(face) for face in text] for letter, text in targets}
    for seat in range(state.players):
        _check_count(state.allowed(seat), faces.get(seat, []), SEAT_LETTERS[seat])
    start = state.board.rows[0]
    for seat, rolled in faces.items():
        state.runners[seat] = [
            Die(NOWHERE if face == 1 else start[face - 2], face) for face in rolled
        ]


def place_ones(state: BoardState, targets: tuple[Target, ...]) -> None:
    """Place 1s."""
    waiting = set(state.ones())
    for name, key in targets:
        if name not in waiting:
            raise EntryError("no_one", what=name)
        state.space(key)
    for name, key in targets:
        state.put(name, Die(state.space(key), 1))


def set_faces(state: BoardState, targets: tuple[Target, ...]) -> None:
    """Set faces that were rolled by hand, or turned or set by a card."""
    dice = [(name, state.die(name)) for name, _face in targets]
    for (name, die), target in zip(dice, targets, strict=True):
        state.put(name, Die(die.space, target.face))


def lead_aside(state: BoardState, targets: tuple[Target, ...]) -> None:
    """Move runners and bulls aside within the row (Ruling E-2)."""
    moves = [(name, state.die(name), state.space(key)) for name, key in targets]
    for name, die, space in moves:
        state.put(name, Die(space, die.face))


def add_bull(state: BoardState, targets: tuple[Target, ...]) -> None:
    """Add a bull to the row, if the box has one (Ruling E-6)."""
    target = targets[0]
    space = state.space(target.what)
    if len(state.bulls) >= MAX_BULLS:
        raise EntryError("no_bull_left", count=MAX_BULLS)
    state.bulls.append(Die(space, target.face))


def place_token(state: BoardState, targets: tuple[Target, ...]) -> None:
    """Place a token on a sign. Another player's goes back to its owner (Ruling E-5)."""
    seat, (taken, _joint, laid) = state.seat(targets[0].what), targets[1].what.rpartition(">")
    sign = state.sign(laid)
    if state.tokens.get(sign) == seat:
        raise EntryError("own_token", what=laid)
    if taken and state.tokens.get(state.sign(taken)) != seat:
        raise EntryError("not_own_token", what=taken)
    if not taken and not state.tokens_left(seat):
        raise EntryError("no_token_left", what=SEAT_LETTERS[seat])
    if taken:
        del state.tokens[state.sign(taken)]
    state.tokens[sign] = seat


def remove_token(state: BoardState, targets: tuple[Target, ...]) -> None:
    """Remove a token from a sign."""
    sign = state.sign(targets[0].what)
    if sign not in state.tokens:
        raise EntryError("no_token", what=targets[0].what)
    del state.tokens[sign]


def add_points(state: BoardState, targets: tuple[Target, ...]) -> None:
    """Add points of a card. Negative ones correct a mistake."""
    seat, more = state.seat(targets[0].what), int(targets[1].what)
    if state.gained[seat] + more < 0:
        raise EntryError("points_below", what=targets[0].what)
    state.gained[seat] += more


def pass_first_token(state: BoardState, targets: tuple[Target, ...]) -> None:
    """Set who has the first-player token."""
    state.first = state.seat(targets[0].what)


def advance(state: BoardState, _targets: tuple[Target, ...]) -> None:
    """Move runners and bulls a row down. Runners that match a bull must roll."""
    move_down(state)
    state.charging = charging_runners(state)
    if not state.charging:
        end_step(state)


def enter_charge(state: BoardState, targets: tuple[Target, ...]) -> None:
    """Set the faces of charged runners. Those that still match a bull are trampled (E-6)."""
    given = {target.what for target in targets}
    missing = [name for name in state.charging if name not in given]
    strangers = given.difference(state.charging)
    if missing or strangers:
        raise EntryError("charge", what=" ".join([*missing, *sorted(strangers)]))
    trample(state, {target.what: target.face for target in targets})
    end_step(state)


def end_evening(state: BoardState, _targets: tuple[Target, ...]) -> None:
    """End the day. Its destinations take effect tomorrow (Rulings E-7, E-8)."""
    end_day(state)


# By verb. Dice that the site rolls are already filled in.
ENTRY_ACTIONS: Final[Mapping[Verb, EntryAction]] = {
    Verb.LAY: lay_destinations,
    Verb.DICE: enter_dice,
    Verb.BULLS: enter_bulls,
    Verb.RUNNERS: enter_runners,
    Verb.START: place_ones,
    Verb.ROLL: set_faces,
    Verb.FACE: set_faces,
    Verb.MOVE: lead_aside,
    Verb.LEAD: lead_aside,
    Verb.ADD_BULL: add_bull,
    Verb.TOKEN: place_token,
    Verb.UNTOKEN: remove_token,
    Verb.POINTS: add_points,
    Verb.FIRST: pass_first_token,
    Verb.ADVANCE: advance,
    Verb.CHARGE: enter_charge,
    Verb.EVENING: end_evening,
}


def fill_entry(state: BoardState, entry: Entry, chance: Chance) -> Entry:
    """Return the entry with all faces and cards that the site adds.

    The site may always draw destinations. Dice are rolled either by the site or by hand.
    Raises `EntryError`.
    """
    if entry.verb is Verb.LAY and not entry.targets:
        return Entry(Verb.LAY, _draw_destinations(state, chance))
    if entry.verb is Verb.ROLL:
        return Entry(Verb.ROLL, tuple(_roll_again(state, entry, chance)))
    if entry.verb is Verb.ADD_BULL:
        return Entry(Verb.ADD_BULL, (_roll_new_bull(state, entry.targets[0], chance),))
    return entry


def _draw_destinations(state: BoardState, chance: Chance) -> tuple[Target, ...]:
    """Draw five of the ten destination cards, from the end of the shuffled list."""
    cards = [card.key for card in state.rules.destinations for _copy in range(card.count)]
    chance.shuffle(cards)
    return tuple(Target(key) for key in cards[: -1 - len(state.board.rows[-1]) : -1])


def _roll_again(state: BoardState, entry: Entry, chance: Chance) -> Iterator[Target]:
    if not state.rolls:
        raise EntryError("hands_roll")
    for name in entry.names:
        state.die(name)
    for name in entry.names:
        yield _roll_die(name, chance)


def _roll_new_bull(state: BoardState, target: Target, chance: Chance) -> Target:
    if state.rolls == bool(target.to):
        raise EntryError("site_rolls" if state.rolls else "hands_roll")
    return _roll_die(target.what, chance) if state.rolls else target


def _roll_die(name: str, chance: Chance) -> Target:
    return Target(name, str(chance.roll()))


def automatic_entry(state: BoardState, chance: Chance) -> Entry | None:
    """Return what the site enters by itself now, or None if a person must."""
    rolling = _ROLLS.get(state.due) if state.rolls else None
    return rolling(state, chance) if rolling else None


def _roll_dice(state: BoardState, chance: Chance) -> Entry:
    counts = Counter(state.due_dice())
    return Entry(
        Verb.DICE,
        tuple(Target(letter, _roll_faces(count, chance)) for letter, count in counts.items()),
    )


def _roll_bulls(state: BoardState, chance: Chance) -> Entry:
    return Entry(Verb.BULLS, (Target(_roll_faces(len(state.board.rows[0]), chance)),))


def _roll_late_bulls(state: BoardState, chance: Chance) -> Entry:
    """Roll the sixth and further bulls. A 1 is rolled again (Ruling E-3)."""
    faces = ""
    while len(faces) < state.herd - len(state.bulls):
        faces += str(chance.roll()).replace("1", "")
    return Entry(Verb.BULLS, (Target(faces),))


def _roll_runners(state: BoardState, chance: Chance) -> Entry:
    counts = [(SEAT_LETTERS[seat], state.allowed(seat)) for seat in state.turn_order]
    return Entry(
        Verb.RUNNERS, tuple(Target(letter, _roll_faces(count, chance)) for letter, count in counts)
    )


def _roll_charge(state: BoardState, chance: Chance) -> Entry:
    return Entry(Verb.CHARGE, tuple(_roll_die(name, chance) for name in state.charging))


def _roll_faces(count: int, chance: Chance) -> str:
    return "".join(str(chance.roll()) for _die in range(count))


_ROLLS: Final[Mapping[Due, Callable[[BoardState, Chance], Entry]]] = {
    Due.DICE: _roll_dice,
    Due.BULLS: _roll_bulls,
    Due.RUNNERS: _roll_runners,
    Due.HERD: _roll_late_bulls,
    Due.CHARGE: _roll_charge,
}

# Entries that change the faces of dice on the board.
FACE_VERBS: Final = frozenset({Verb.ROLL, Verb.FACE, Verb.CHARGE})
# Entries that never roll dice. Inserting one does not change later rolls.
DICELESS_VERBS: Final = frozenset(
    {Verb.FACE, Verb.MOVE, Verb.LEAD, Verb.TOKEN, Verb.UNTOKEN, Verb.POINTS, Verb.FIRST}
)

_PHASES: Final = {
    Due.CARDS: Phase.CARDS,
    Due.CHARGE: Phase.BULLS,
    Due.EVENING: Phase.EVENING,
    Due.OVER: Phase.OVER,
}


def dice_label(day: int, number: int) -> str:
    """Return the label of an entry's dice: its day and number without `DICELESS_VERBS`,
    `day/2/17`.
    """
    return f"day/{day}/{number}"


class RealBoard:
    """A tracked board. `record` returns the next state and does not change this one.

    `players`: 2 to 6. `rolls`: the site rolls all dice from `seed`. Otherwise people enter
    them, and the site draws only destinations on request.
    """

    def __init__(self, rules: Rules, players: int, seed: Seed, *, rolls: bool) -> None:
        rules.runners(players)
        self.state = BoardState(rules=rules, players=players, seed=seed, rolls=rolls)
        self.state.effects = ((),) * players
        self.entries: tuple[str, ...] = ()
        self.throws = 0
        begin_day(self.state)

    @classmethod
    def replay(
        cls, rules: Rules, players: int, seed: Seed, *, rolls: bool, entries: Sequence[str]
    ) -> RealBoard:
        """Return the board after entries that were checked when they were recorded.

        Raises `EntryError` for an impossible one.
        """
        kept = cls(rules, players, seed, rolls=rolls)
        for text in entries:
            kept = kept._after(Entry.read(text))
        return kept

    def record(self, text: str) -> RealBoard:
        """Return the board after one more entry. Raises `EntryError`."""
        entry = Entry.read(text)
        check_entry(self.state, entry)
        return self._after(entry)

    def _after(self, entry: Entry) -> RealBoard:
        after = copy(self)
        after.state = _copy_state(self.state)
        after.entries = (*self.entries, str(entry))
        after.throws += entry.verb not in DICELESS_VERBS
        note = after._enter(entry)
        after.state.notes = (*self.state.notes, note)
        return after

    def _enter(self, entry: Entry) -> EntryNote:
        """Apply an entry and the site's automatic ones."""
        state = self.state
        day, step = state.day, state.step
        chance = state.seed.chance(dice_label(day, self.throws))
        done = [fill_entry(state, entry, chance)]
        rolled = _apply_entry(state, done[0])
        while (more := automatic_entry(state, chance)) is not None:
            done.append(more)
            rolled += _apply_entry(state, more)
        return EntryNote(entries=tuple(done), day=day, step=step, rolled=tuple(rolled))

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self.state.rules

    @property
    def players(self) -> int:
        """The number of players."""
        return self.state.players

    @property
    def ones(self) -> tuple[str, ...]:
        """The runners with a 1 that must be placed."""
        return tuple(self.state.ones())

    @property
    def charging(self) -> tuple[str, ...]:
        """The runners that must roll, in the order of their dice."""
        return self.state.charging

    @property
    def due(self) -> Due:
        """The kind of entry that must be made next."""
        return self.state.due

    @property
    def faces(self) -> dict[str, int]:
        """The face of every runner and bull on the board, by name."""
        dice_of: dict[str, Sequence[Die | None]] = {"T": self.state.bulls}
        dice_of |= {SEAT_LETTERS[seat]: own for seat, own in enumerate(self.state.runners)}
        return {
            f"{letter}{number}": die.face
            for letter, dice in dice_of.items()
            for number, die in enumerate(dice, start=1)
            if die is not None
        }

    @property
    def days(self) -> tuple[ScoredDay, ...]:
        """The days scored so far."""
        today = self.state.today()
        return self.state.past if today is None else (*self.state.past, today)

    @property
    def totals(self) -> tuple[int, ...]:
        """The points by seat, including those of the current day."""
        return tuple(map(sum, zip(*self._points_by_day(), strict=True)))

    def _points_by_day(self) -> tuple[tuple[int, ...], ...]:
        return (*(day.points for day in self.state.past), self.state.day_points())

    @property
    def tomorrow(self) -> RealBoard | None:
        """The board on the next morning, to show the day's effects, or None."""
        return self.record(Verb.EVENING.value) if self.due is Due.EVENING else None

    def town(self) -> Town:
        """The board as a town. Hands and piles are real cards and unknown."""
        state = self.state
        charging = bool(state.charging)
        return Town(
            day=state.day,
            step=state.step - charging,
            phase=_PHASES.get(state.due, Phase.MORNING),
            first=state.first,
            runners=tuple(map(tuple, state.runners)),
            bulls=tuple(state.bulls),
            tokens=dict(state.tokens),
            tokens_left=tuple(state.tokens_left(seat) for seat in range(state.players)),
            destinations=state.destinations,
            totals=self.totals,
            day_points=self._points_by_day(),
            effects=state.effects,
            hand_sizes=(0,) * state.players,
            deck_left=0,
            discards=(),
        )


def _copy_state(state: BoardState) -> BoardState:
    """Return an independent copy of a state."""
    copied = copy(state)
    copied.runners = [list(own) for own in state.runners]
    copied.bulls, copied.tokens = list(state.bulls), dict(state.tokens)
    copied.gained, copied.dice = list(state.gained), list(state.dice)
    return copied


def _apply_entry(state: BoardState, entry: Entry) -> list[RolledDie]:
    """Apply a filled entry and return the dice on the board with another face."""
    again = entry.targets if entry.verb in FACE_VERBS else ()
    dice_before = [(target, state.die(target.what)) for target in again]
    ENTRY_ACTIONS[entry.verb](state, entry.targets)
    return [
        RolledDie(
            what=target.what,
            before=before.face,
            after=target.face,
            space=before.space,
            trampled=state.is_out(target.what),
        )
        for target, before in dice_before
    ]
