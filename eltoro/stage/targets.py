"""What a card may be aimed at, as choices of a form: each one is a target in notation.

A picker is one list of such choices. Cards that may be aimed at the same things share one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _

from eltoro.engine import Die, Effect, Offer, View
from eltoro.stage.frames import dice
from eltoro.stage.marks import SEATS
from eltoro.words import space_name
from leagues.members.marks import mark_of_seat

GO_ROUND: Final = {0: 6, 7: 1}
BULL: Final = -1
"""The owner of a bull."""

RUNNER_LISTS: Final = frozenset({Effect.ROLL, Effect.FLIP, Effect.ODD, Effect.EVEN, Effect.SET})
BULL_LISTS: Final = frozenset({Effect.BULL_ROLL, Effect.BULL_FLIP})
SPACE_LISTS: Final = frozenset({Effect.ROLL_SPACE, Effect.BULL_ROLL_SPACE, Effect.BULL_ADD})
SIGN_LISTS: Final = frozenset({Effect.SIGN, Effect.UNSIGN})


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One thing to aim at: `target` in notation, and what it is: a die of `seat` (BULL: a bull's)
    with `face`, or a word.

    `to`: the face or place it gets. `on`: the id of what is tapped on the map. `who`: the
    owner; `where`: the space, where that is not said above.
    """

    target: str
    on: str
    seat: int | None = None
    face: int = 0
    to: str = ""
    word: str = ""
    who: str = ""
    where: str = ""

    @property
    def is_die(self) -> bool:
        """Whether it is drawn as a die."""
        return self.face > 0

    @property
    def shape(self) -> str:
        """The class of its shape and colour: a player's mark, from 1, or `bull`."""
        return "bull" if self.seat == BULL else str(mark_of_seat(self.seat or 0) + 1)

    @property
    def letter(self) -> str:
        """The first letter of its owner."""
        return self.who[:1].upper()

    @property
    def said(self) -> str:
        """A die in words, for who hears the page."""
        told = _("%(who)s %(face)s") % {"who": self.who, "face": self.face}
        if self.where:
            told = f"{told}, {self.where}"
        return _("%(die)s, to %(to)s") % {"die": told, "to": self.to} if self.to else told


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Choices that stand together: at one space, or of one side of an exchange."""

    name: str
    choices: tuple[Choice, ...]
    field: str = ""


@dataclass(frozen=True, slots=True)
class Targets:
    """All that a card may be aimed at. `field`: choices are one radio list each group, else ticks.

    `faces`: one face is chosen beside; `own_signs`: tokens that lie, one of which must be moved.
    """

    groups: tuple[Group, ...] = ()
    faces: bool = False
    own_signs: tuple[Choice, ...] = ()

    @property
    def choices(self) -> list[Choice]:
        """All of them."""
        return [one for group in self.groups for one in group.choices]

    def __bool__(self) -> bool:
        """Whether there is anything to aim at."""
        return bool(self.groups)


def targets(view: View, offer: Offer, names: Sequence[str], *, goes_round: bool) -> Targets:
    """The choices of a card with this offer, as the form lists them; `names` by seat."""
    return _Aim(view, offer, names, goes_round=goes_round).targets()


Turned = tuple[str, int, Die, str, str]
"""A die with what is written of it: id, seat (or BULL), die, target, what it gets."""


class _Aim:
    def __init__(self, view: View, offer: Offer, names: Sequence[str], *, goes_round: bool) -> None:
        self.view, self.offer, self.names, self.goes_round = view, offer, names, goes_round
        self.town = dice(view.town)
        self.board = view.rules.board

    def targets(self) -> Targets:
        """By effect: dice, dice turned, spaces, signs, pairs."""
        effect = self.offer.effect
        if effect in RUNNER_LISTS:
            return Targets(
                self._by_space(self._plain(self.offer.runners)), faces=effect is Effect.SET
            )
        if effect in BULL_LISTS:
            return Targets(self._by_space(self._plain(self.offer.bulls)))
        if effect in SPACE_LISTS:
            return Targets(self._spaces())
        if effect in SIGN_LISTS:
            own = tuple(self._sign(sign, named=True) for sign in self.offer.own_signs)
            return Targets(self._signs(), own_signs=own)
        return self._others(effect)

    def _others(self, effect: Effect) -> Targets:
        if effect in {Effect.TURN, Effect.BULL_TURN}:
            return Targets(self._by_space(self._turned()))
        if effect is Effect.SWAP:
            return Targets(self._pairs())
        if effect is Effect.BULL_LEAD:
            return Targets(self._by_space(self._led()))
        return Targets()

    def _plain(self, names: Iterable[str]) -> Iterable[Turned]:
        for name in names:
            yield name, _seat(name), self.town[name], name, ""

    def _turned(self) -> Iterable[Turned]:
        """Each die one down and one up, where that may be."""
        for name, signs in self.offer.turns.items():
            die = self.town[name]
            for sign in sorted(signs, reverse=True):
                face = die.face + (1 if sign == "+" else -1)
                yield name, _seat(name), die, f"{name}{sign}", str(GO_ROUND.get(face, face))

    def _led(self) -> Iterable[Turned]:
        for name, spaces in self.offer.neighbours.items():
            for key in spaces:
                to = self._name(self.board.find(key))
                yield name, BULL, self.town[name], f"{name}>{key}", to

    def _by_space(self, found: Iterable[Turned]) -> tuple[Group, ...]:
        """Dice as choices, space by space as the board lists them."""
        groups: dict[int, list[Choice]] = {}
        for name, seat, die, target, to in found:
            choice = Choice(
                target=target, on=name, seat=seat, face=die.face, to=to, who=self._who(seat)
            )
            groups.setdefault(die.space, []).append(choice)
        return tuple(
            Group(name=self._name(space), choices=tuple(groups[space])) for space in sorted(groups)
        )

    def _spaces(self) -> tuple[Group, ...]:
        choices = [
            Choice(target=f"@{key}", on=key, word=self._name(self.board.find(key)))
            for key in self.offer.spaces
        ]
        return (Group(name="", choices=tuple(choices)),) if choices else ()

    def _signs(self) -> tuple[Group, ...]:
        """Signs fork by fork, each with the owner of the token that lies there."""
        groups: dict[int, list[Choice]] = {}
        for sign in self.offer.signs:
            groups.setdefault(self.board.by_sign[sign][0], []).append(self._sign(sign))
        return tuple(
            Group(name=self._name(space), choices=tuple(groups[space])) for space in sorted(groups)
        )

    def _sign(self, written: str, *, named: bool = False) -> Choice:
        space, parity = self.board.by_sign[written]
        word, owner = _parity(parity), self.view.town.tokens.get((space, parity))
        return Choice(
            target=written,
            on=written,
            seat=owner,
            who="" if owner is None else self._who(owner),
            word=f"{self._name(space)}, {word}" if named else word,
            to=self._name(self.board.spaces[space].ways[parity]),
        )

    def _pairs(self) -> tuple[Group, ...]:
        return (
            Group(
                name=_("One of your runners"),
                choices=tuple(map(self._alone, self.offer.runners)),
                field="own",
            ),
            Group(
                name=_("A runner of another player"),
                choices=tuple(map(self._alone, self.offer.others)),
                field="other",
            ),
        )

    def _alone(self, name: str) -> Choice:
        seat, die = _seat(name), self.town[name]
        where = self._name(die.space)
        return Choice(
            target=name, on=name, seat=seat, face=die.face, who=self._who(seat), where=where
        )

    def _who(self, seat: int) -> str:
        return _("Bull") if seat == BULL else self.names[seat]

    def _name(self, space: int) -> str:
        return space_name(self.view.rules, space, self.view.town.destinations)


def _seat(name: str) -> int:
    """Whose die it is, by its id."""
    return SEATS.find(name[0])


def _parity(parity: int) -> str:
    return _("odd") if parity else _("even")


def read_targets(fields: Mapping[str, str], picker: str) -> list[str]:
    """The targets in notation that the ticks of a picker say, in the order of the form."""
    own = {n.partition(".")[2]: v for n, v in fields.items() if n.partition(".")[0] == picker}
    if own.get("own") or own.get("other"):
        return [f"{own.get('own', '')}~{own.get('other', '')}"]
    ticked = [name for name, value in own.items() if value == "on"]
    if own.get("face"):
        return [f"{name}={own['face']}" for name in ticked]
    if own.get("from") and ticked:
        return [f"{own['from']}>{ticked[0]}", *ticked[1:]]
    return ticked
