"""Tracked board of a game with real cards: checks and applies entries, and can roll the dice.

It implements Rulings E-2 to E-9.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from typing import Final

from eltoro.engine.real_board.entries import (
    BoardEntry,
    EntryError,
    EntryNote,
    EntryTarget,
    RolledDie,
    ScoredDay,
    Verb,
)
from eltoro.engine.real_board.state import (
    MAX_BULLS,
    NOWHERE,
    SEAT_LETTERS,
    BoardState,
    DueEntryKind,
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

EntryAction = Callable[[BoardState, tuple[EntryTarget, ...]], None]

# Kinds of entries that players may record at any time.
ANY_TIME_VERBS: Final = frozenset({Verb.POINTS, Verb.FIRST})

# The kind of entry that the game needs next is called due. For each kind that may be due: all kinds
# of entries that players may record at that time.
VERBS_BY_DUE: Final[Mapping[DueEntryKind, frozenset[Verb]]] = {
    DueEntryKind.DICE: frozenset({Verb.DICE}),
    DueEntryKind.LAY: frozenset({Verb.LAY}),
    DueEntryKind.BULLS: frozenset({Verb.BULLS}),
    DueEntryKind.RUNNERS: frozenset({Verb.RUNNERS}),
    DueEntryKind.START: frozenset({Verb.START}),
    DueEntryKind.HERD: frozenset({Verb.BULLS}),
    DueEntryKind.CARDS: frozenset(
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
    DueEntryKind.CHARGE: frozenset({Verb.CHARGE}),
    DueEntryKind.EVENING: frozenset({Verb.EVENING}),
    DueEntryKind.OVER: frozenset(),
}


def check_entry(state: BoardState, entry: BoardEntry) -> None:
    """Raise `EntryError` for an entry that may not be made now or that places a piece where it
    cannot be.

    Stored entries are not checked again when they are replayed.
    """
    if entry.verb not in VERBS_BY_DUE[state.due] and entry.verb not in ANY_TIME_VERBS:
        raise EntryError("not_now", due=state.due.value)
    if entry.verb is Verb.MOVE:  # runners need a card to move sideways (E-2)
        for name in entry.names:
            state.die(name)
            if name[0] != "T":
                raise EntryError("aside", what=name)
    if entry.verb is Verb.TOKEN and ">" in entry.names[1]:
        seat = state.seat(entry.names[0])
        if state.tokens_left(seat):  # players with tokens left may not move one (E-5)
            raise EntryError("tokens_left", what=entry.names[0])


def enter_dice(state: BoardState, targets: tuple[EntryTarget, ...]) -> None:
    """Apply the dice rolled for yesterday's destinations.

    Raises `EntryError` if a player may not roll so many dice.
    """
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


def lay_destinations(state: BoardState, targets: tuple[EntryTarget, ...]) -> None:
    """Apply the five destinations laid out for the day.

    Raises `EntryError` if a destination occurs more often than it has cards.
    """
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


def enter_bulls(state: BoardState, targets: tuple[EntryTarget, ...]) -> None:
    """Place the bulls of the morning (Ruling E-3).

    The first bulls are placed one on each starting space. The others begin on the space of the face
    they show.
    """
    faces = [int(face) for face in targets[0].what]
    start = state.board.rows[0]
    if state.due is DueEntryKind.BULLS:
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


def enter_runners(state: BoardState, targets: tuple[EntryTarget, ...]) -> None:
    """Place all runners of every player by the faces rolled in the morning (Ruling E-3).

    A runner that shows 1 is placed later by its player.
    """
    faces = {state.seat(letter): [int(face) for face in text] for letter, text in targets}
    for seat in range(state.players):
        _check_count(state.allowed(seat), faces.get(seat, []), SEAT_LETTERS[seat])
    start = state.board.rows[0]
    for seat, rolled in faces.items():
        state.runners[seat] = [
            Die(NOWHERE if face == 1 else start[face - 2], face) for face in rolled
        ]


def place_ones(state: BoardState, targets: tuple[EntryTarget, ...]) -> None:
    """Place runners that show 1 on starting spaces."""
    waiting = set(state.ones())
    for name, key in targets:
        if name not in waiting:
            raise EntryError("no_one", what=name)
        state.space(key)
    for name, key in targets:
        state.set_die(name, Die(state.space(key), 1))


def set_faces(state: BoardState, targets: tuple[EntryTarget, ...]) -> None:
    """Set the faces of dice that were rolled by hand, or changed by a card."""
    dice = [(name, state.die(name)) for name, _face in targets]
    for (name, die), target in zip(dice, targets, strict=True):
        state.set_die(name, Die(die.space, target.face))


def lead_aside(state: BoardState, targets: tuple[EntryTarget, ...]) -> None:
    """Move runners and bulls to other spaces of the same row (Ruling E-2)."""
    moves = [(name, state.die(name), state.space(key)) for name, key in targets]
    for name, die, space in moves:
        state.set_die(name, Die(space, die.face))


def add_bull(state: BoardState, targets: tuple[EntryTarget, ...]) -> None:
    """Add a bull in the current row.

    Raises `EntryError` if all ten bulls are in use (Ruling E-6).
    """
    target = targets[0]
    space = state.space(target.what)
    if len(state.bulls) >= MAX_BULLS:
        raise EntryError("no_bull_left", count=MAX_BULLS)
    state.bulls.append(Die(space, target.face))


def place_token(state: BoardState, targets: tuple[EntryTarget, ...]) -> None:
    """Place a player's token on a path sign (Ruling E-5).

    Another player's token on the sign returns to its owner.
    """
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


def remove_token(state: BoardState, targets: tuple[EntryTarget, ...]) -> None:
    """Remove a token from a path sign. It returns to its owner."""
    sign = state.sign(targets[0].what)
    if sign not in state.tokens:
        raise EntryError("no_token", what=targets[0].what)
    del state.tokens[sign]


def add_points(state: BoardState, targets: tuple[EntryTarget, ...]) -> None:
    """Add a player's points from a card. Negative points correct a mistake."""
    seat, more = state.seat(targets[0].what), int(targets[1].what)
    if state.gained[seat] + more < 0:
        raise EntryError("points_below", what=targets[0].what)
    state.gained[seat] += more


def pass_first_token(state: BoardState, targets: tuple[EntryTarget, ...]) -> None:
    """Set the player who has the first-player token."""
    state.first = state.seat(targets[0].what)


def advance(state: BoardState, _targets: tuple[EntryTarget, ...]) -> None:
    """Move runners and bulls one row down.

    If no runner matches a bull, the step ends. Otherwise these runners must be rolled first.
    """
    move_down(state)
    state.charging = charging_runners(state)
    if not state.charging:
        end_step(state)


def enter_charge(state: BoardState, targets: tuple[EntryTarget, ...]) -> None:
    """Set the faces of runners that were rolled because they matched a bull.

    Runners that match a bull again are trampled (Ruling E-6).
    """
    given = {target.what for target in targets}
    missing = [name for name in state.charging if name not in given]
    strangers = given.difference(state.charging)
    if missing or strangers:
        raise EntryError("charge", what=" ".join([*missing, *sorted(strangers)]))
    trample(state, {target.what: target.face for target in targets})
    end_step(state)


def end_evening(state: BoardState, _targets: tuple[EntryTarget, ...]) -> None:
    """End the day. Its destinations take effect on the next day (Rulings E-7 and E-8)."""
    end_day(state)


# Functions that apply an entry, by its verb. The dice that the site rolls are already in the entry.
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


def fill_entry(state: BoardState, entry: BoardEntry, chance: Chance) -> BoardEntry:
    """Return an entry with the faces and destinations that the site adds to it.

    The site may always draw destinations. Dice are rolled either by the site or by hand, so an
    entry that does not fit raises `EntryError`.
    """
    if entry.verb is Verb.LAY and not entry.targets:
        return BoardEntry(Verb.LAY, _draw_destinations(state, chance))
    if entry.verb is Verb.ROLL:
        return BoardEntry(Verb.ROLL, tuple(_roll_again(state, entry, chance)))
    if entry.verb is Verb.ADD_BULL:
        return BoardEntry(Verb.ADD_BULL, (_roll_new_bull(state, entry.targets[0], chance),))
    return entry


def _draw_destinations(state: BoardState, chance: Chance) -> tuple[EntryTarget, ...]:
    """Draw five of the ten destination cards, from the end of the shuffled list."""
    cards = [card.key for card in state.rules.destinations for _copy in range(card.count)]
    chance.shuffle(cards)
    return tuple(EntryTarget(key) for key in cards[: -1 - len(state.board.rows[-1]) : -1])


def _roll_again(state: BoardState, entry: BoardEntry, chance: Chance) -> Iterator[EntryTarget]:
    if not state.rolls:
        raise EntryError("hands_roll")
    for name in entry.names:
        state.die(name)
    for name in entry.names:
        yield _roll_die(name, chance)


def _roll_new_bull(state: BoardState, target: EntryTarget, chance: Chance) -> EntryTarget:
    if state.rolls == bool(target.to):
        raise EntryError("site_rolls" if state.rolls else "hands_roll")
    return _roll_die(target.what, chance) if state.rolls else target


def _roll_die(name: str, chance: Chance) -> EntryTarget:
    return EntryTarget(name, str(chance.roll()))


def automatic_entry(state: BoardState, chance: Chance) -> BoardEntry | None:
    """Return the entry that the site makes by itself now, or None if a person must make
    an entry.
    """
    rolling = _ROLLS.get(state.due) if state.rolls else None
    return rolling(state, chance) if rolling else None


def _roll_dice(state: BoardState, chance: Chance) -> BoardEntry:
    counts = Counter(state.due_dice())
    return BoardEntry(
        Verb.DICE,
        tuple(EntryTarget(letter, _roll_faces(count, chance)) for letter, count in counts.items()),
    )


def _roll_bulls(state: BoardState, chance: Chance) -> BoardEntry:
    return BoardEntry(Verb.BULLS, (EntryTarget(_roll_faces(len(state.board.rows[0]), chance)),))


def _roll_late_bulls(state: BoardState, chance: Chance) -> BoardEntry:
    """Roll the sixth bull and further bulls. A 1 is rolled again (Ruling E-3)."""
    faces = ""
    while len(faces) < state.herd - len(state.bulls):
        faces += str(chance.roll()).replace("1", "")
    return BoardEntry(Verb.BULLS, (EntryTarget(faces),))


def _roll_runners(state: BoardState, chance: Chance) -> BoardEntry:
    counts = [(SEAT_LETTERS[seat], state.allowed(seat)) for seat in state.turn_order]
    return BoardEntry(
        Verb.RUNNERS,
        tuple(EntryTarget(letter, _roll_faces(count, chance)) for letter, count in counts),
    )


def _roll_charge(state: BoardState, chance: Chance) -> BoardEntry:
    return BoardEntry(Verb.CHARGE, tuple(_roll_die(name, chance) for name in state.charging))


def _roll_faces(count: int, chance: Chance) -> str:
    return "".join(str(chance.roll()) for _die in range(count))


_ROLLS: Final[Mapping[DueEntryKind, Callable[[BoardState, Chance], BoardEntry]]] = {
    DueEntryKind.DICE: _roll_dice,
    DueEntryKind.BULLS: _roll_bulls,
    DueEntryKind.RUNNERS: _roll_runners,
    DueEntryKind.HERD: _roll_late_bulls,
    DueEntryKind.CHARGE: _roll_charge,
}

# Kinds of entries that change the faces of dice on the board.
FACE_VERBS: Final = frozenset({Verb.ROLL, Verb.FACE, Verb.CHARGE})
# Kinds of entries for which no dice are rolled. They are not counted in the labels of dice, so
# adding such an entry does not change later rolls.
DICELESS_VERBS: Final = frozenset(
    {Verb.FACE, Verb.MOVE, Verb.LEAD, Verb.TOKEN, Verb.UNTOKEN, Verb.POINTS, Verb.FIRST}
)

_PHASES: Final = {
    DueEntryKind.CARDS: Phase.CARDS,
    DueEntryKind.CHARGE: Phase.BULLS,
    DueEntryKind.EVENING: Phase.EVENING,
    DueEntryKind.OVER: Phase.OVER,
}


def dice_label(day: int, number: int) -> str:
    """Return the label of the random numbers for an entry, such as `day/2/17`.

    It consists of the day and the number of the entry. Entries in `DICELESS_VERBS` are not counted.
    """
    return f"day/{day}/{number}"


class RealBoard:
    """The tracked board of a game with real cards. Objects are not changed after creation.

    `record` returns a new object that includes one more entry. `players`: 2 to 6. `rolls`: True if
    the site rolls all dice from `seed`. Otherwise people enter the dice, and the site only draws
    destinations if requested.
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
        """Return the board after these stored entries, which were checked when they were recorded.

        Raises `EntryError` for an entry that cannot be applied.
        """
        kept = cls(rules, players, seed, rolls=rolls)
        for text in entries:
            kept = kept._board_after(BoardEntry.read(text))
        return kept

    def record(self, text: str) -> RealBoard:
        """Return the board after one more entry.

        Raises `EntryError` if the entry is not possible.
        """
        entry = BoardEntry.read(text)
        check_entry(self.state, entry)
        return self._board_after(entry)

    def _board_after(self, entry: BoardEntry) -> RealBoard:
        after = copy(self)
        after.state = _copy_state(self.state)
        after.entries = (*self.entries, str(entry))
        after.throws += entry.verb not in DICELESS_VERBS
        note = after._enter(entry)
        after.state.notes = (*self.state.notes, note)
        return after

    def _enter(self, entry: BoardEntry) -> EntryNote:
        """Apply an entry, and then all entries that the site makes by itself."""
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
        """The rules of the game on this board."""
        return self.state.rules

    @property
    def players(self) -> int:
        """The number of players."""
        return self.state.players

    @property
    def ones(self) -> tuple[str, ...]:
        """The runners that show 1 and must be placed."""
        return tuple(self.state.ones())

    @property
    def charging(self) -> tuple[str, ...]:
        """The runners that match a bull and must be rolled, in the order of their dice."""
        return self.state.charging

    @property
    def due(self) -> DueEntryKind:
        """The kind of entry that must be made next."""
        return self.state.due

    @property
    def faces(self) -> dict[str, int]:
        """The face of every runner and bull on the board, by its name."""
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
        """The results of the days that have been scored."""
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
        """The board on the next morning, or None if the day is not over.

        It shows the day's effects.
        """
        return self.record(Verb.EVENING.value) if self.due is DueEntryKind.EVENING else None

    def town(self) -> Town:
        """Return the board as a `Town`, without cards.

        Hands and decks are real cards, so the site does not know them.
        """
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


def _apply_entry(state: BoardState, entry: BoardEntry) -> list[RolledDie]:
    """Apply a complete entry and return the dice on the board whose face it changed."""
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
