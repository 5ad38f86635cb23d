"""The player's hand: cards with their possible targets, runners to place, cards to discard.

A picker is a list of targets in the form. Cards with the same possible targets share a picker.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _

from eltoro.engine import Card, DecisionKind, Die, Effect, Offer, View, offers
from eltoro.stage.frames import dice_by_id
from eltoro.stage.map_context import SEAT_LETTERS, runner_id
from eltoro.stage.sentences import card_kind, card_name, card_sentence, space_name
from leagues.members.marks import mark_of_seat

CYCLIC_FACES: Final = {0: 6, 7: 1}
# Number used instead of a seat for bulls, which belong to no player.
BULL_SEAT: Final = -1

RUNNER_LISTS: Final = frozenset({Effect.ROLL, Effect.FLIP, Effect.ODD, Effect.EVEN, Effect.SET})
BULL_LISTS: Final = frozenset({Effect.BULL_ROLL, Effect.BULL_FLIP})
SPACE_LISTS: Final = frozenset({Effect.ROLL_SPACE, Effect.BULL_ROLL_SPACE, Effect.BULL_ADD})
SIGN_LISTS: Final = frozenset({Effect.SIGN, Effect.UNSIGN})


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetChoice:
    """A possible target of a card.

    `target`: its notation. `seat`, `face`: the die, if the target is a die (`seat` is -1 for a
    bull). `word`: text of any other target. `to`: the new face or space. `on`: id of the piece to
    tap on the map. `who`: the owner's name. `where`: the space, unless the group already names it.
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
        return self.face > 0

    @property
    def shape(self) -> str:
        """The CSS class of the die's shape and colour: the number of the player's mark,
        or `bull`.
        """
        return "bull" if self.seat == BULL_SEAT else str(mark_of_seat(self.seat or 0) + 1)

    @property
    def label(self) -> str:
        text = _("%(who)s %(face)s") % {"who": self.who, "face": self.face}
        if self.where:
            text = f"{text}, {self.where}"
        return _("%(die)s, to %(to)s") % {"die": text, "to": self.to} if self.to else text


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetGroup:
    """Targets on the same space, or on one side of a swap."""

    name: str
    choices: tuple[TargetChoice, ...]
    field: str = ""


@dataclass(frozen=True, slots=True)
class Targets:
    """All possible targets of a card, in groups.

    In a group with a `field`, the player chooses a single target (radio buttons). In other groups,
    the player may tick several targets. `faces`: True if a face must be chosen too. `own_signs`:
    the player's placed tokens, one of which must be moved.
    """

    groups: tuple[TargetGroup, ...] = ()
    faces: bool = False
    own_signs: tuple[TargetChoice, ...] = ()

    @property
    def choices(self) -> list[TargetChoice]:
        return [choice for group in self.groups for choice in group.choices]

    def __bool__(self) -> bool:
        return bool(self.groups)


def target_choices(view: View, offer: Offer, names: Sequence[str], *, goes_round: bool) -> Targets:
    return _TargetBuilder(view, offer, names, goes_round=goes_round).targets()


# A change of a die: its id, seat (or `BULL_SEAT`), die, target in notation, and result.
Turned = tuple[str, int, Die, str, str]


class _TargetBuilder:
    def __init__(self, view: View, offer: Offer, names: Sequence[str], *, goes_round: bool) -> None:
        self.view, self.offer, self.names, self.goes_round = view, offer, names, goes_round
        self.town = dice_by_id(view.town)
        self.board = view.rules.board

    def targets(self) -> Targets:
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
        return self._other_targets(effect)

    def _other_targets(self, effect: Effect) -> Targets:
        if effect in {Effect.TURN, Effect.BULL_TURN}:
            return Targets(self._by_space(self._possible_turns()))
        if effect is Effect.SWAP:
            return Targets(self._pairs())
        if effect is Effect.BULL_LEAD:
            return Targets(self._by_space(self._led()))
        return Targets()

    def _plain(self, names: Iterable[str]) -> Iterable[Turned]:
        for name in names:
            yield name, _seat_of(name), self.town[name], name, ""

    def _possible_turns(self) -> Iterable[Turned]:
        """Yield each die turned one face down and one face up, as far as the card allows."""
        for name, signs in self.offer.turns.items():
            die = self.town[name]
            for sign in sorted(signs, reverse=True):
                face = die.face + (1 if sign == "+" else -1)
                yield name, _seat_of(name), die, f"{name}{sign}", str(CYCLIC_FACES.get(face, face))

    def _led(self) -> Iterable[Turned]:
        for name, spaces in self.offer.neighbours.items():
            for key in spaces:
                to = self._name(self.board.find_space(key))
                yield name, BULL_SEAT, self.town[name], f"{name}>{key}", to

    def _by_space(self, turned: Iterable[Turned]) -> tuple[TargetGroup, ...]:
        groups: dict[int, list[TargetChoice]] = {}
        for name, seat, die, target, to in turned:
            choice = TargetChoice(
                target=target, on=name, seat=seat, face=die.face, to=to, who=self._player_name(seat)
            )
            groups.setdefault(die.space, []).append(choice)
        return tuple(
            TargetGroup(name=self._name(space), choices=tuple(groups[space]))
            for space in sorted(groups)
        )

    def _spaces(self) -> tuple[TargetGroup, ...]:
        choices = [
            TargetChoice(target=f"@{key}", on=key, word=self._name(self.board.find_space(key)))
            for key in self.offer.spaces
        ]
        return (TargetGroup(name="", choices=tuple(choices)),) if choices else ()

    def _signs(self) -> tuple[TargetGroup, ...]:
        groups: dict[int, list[TargetChoice]] = {}
        for sign in self.offer.signs:
            groups.setdefault(self.board.by_sign[sign][0], []).append(self._sign(sign))
        return tuple(
            TargetGroup(name=self._name(space), choices=tuple(groups[space]))
            for space in sorted(groups)
        )

    def _sign(self, written: str, *, named: bool = False) -> TargetChoice:
        space, parity = self.board.by_sign[written]
        word = _("odd") if parity else _("even")
        owner = self.view.town.tokens.get((space, parity))
        return TargetChoice(
            target=written,
            on=written,
            seat=owner,
            who="" if owner is None else self._player_name(owner),
            word=f"{self._name(space)}, {word}" if named else word,
            to=self._name(self.board.spaces[space].ways[parity]),
        )

    def _pairs(self) -> tuple[TargetGroup, ...]:
        return (
            TargetGroup(
                name=_("One of your runners"),
                choices=tuple(map(self._single_choice, self.offer.runners)),
                field="own",
            ),
            TargetGroup(
                name=_("Another player’s runner"),
                choices=tuple(map(self._single_choice, self.offer.others)),
                field="other",
            ),
        )

    def _single_choice(self, name: str) -> TargetChoice:
        seat, die = _seat_of(name), self.town[name]
        where = self._name(die.space)
        return TargetChoice(
            target=name, on=name, seat=seat, face=die.face, who=self._player_name(seat), where=where
        )

    def _player_name(self, seat: int) -> str:
        return _("Bull") if seat == BULL_SEAT else self.names[seat]

    def _name(self, space: int) -> str:
        return space_name(self.view.rules, space, self.view.town.destinations)


def _seat_of(name: str) -> int:
    return SEAT_LETTERS.find(name[0])


def read_targets(fields: Mapping[str, str], picker: str) -> list[str]:
    """Return the targets that the player has ticked in a picker (a list of targets), in notation
    and in the order of the form.
    """
    own = {n.partition(".")[2]: v for n, v in fields.items() if n.partition(".")[0] == picker}
    if own.get("own") or own.get("other"):
        return [f"{own.get('own', '')}~{own.get('other', '')}"]
    ticked = [name for name, value in own.items() if value == "on"]
    if own.get("face"):
        return [f"{name}={own['face']}" for name in ticked]
    if own.get("from") and ticked:
        return [f"{own['from']}>{ticked[0]}", *ticked[1:]]
    return ticked


# Values of the form's buttons (field `do`).
PLAY, START, DISCARD = "play", "start", "discard"

# Effects of cards that have no targets.
UNTARGETED: Final = frozenset({Effect.ROLL_ALL, Effect.DRAW, Effect.POINTS, Effect.BRAVE})

PLACE_PREFIX: Final = "start-"
DROP_PREFIX: Final = "drop-"


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldCard:
    """A kind of card in the hand, with the number of such cards.

    `picker`: index of its list of targets. `idle`: True if the card needs targets but no target is
    possible. `effect`, `bull`, `name`, `sentence` and `count` are used by `eltoro/_card.html`.
    """

    key: str
    name: str
    sentence: str
    effect: str
    bull: bool
    kind: str
    times: int
    up_to: int
    picker: int
    place: int = 0
    idle: bool = False
    checked: bool = False
    count: int = 0

    @property
    def value(self) -> str:
        return f"{self.key}/{self.picker}"

    @property
    def field(self) -> str:
        return f"{DROP_PREFIX}{self.place}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Picker:
    """A list of targets in the form, with the targets chosen before."""

    number: int
    targets: Targets
    chosen: frozenset[str] = frozenset()
    face: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unplaced:
    """A runner that shows 1 and must be placed.

    `places`: key and name of each starting space, and whether it was chosen before.
    """

    runner: str
    field: str
    number: int
    places: tuple[tuple[str, str, bool], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Hand:
    """A seat's cards in hand, and the decision that the seat must make."""

    ask: str
    hint: str
    cards: tuple[HeldCard, ...]
    pickers: tuple[Picker, ...] = ()
    unplaced: tuple[Unplaced, ...] = ()

    @property
    def taps(self) -> frozenset[str]:
        aims = {choice.on for picker in self.pickers for choice in picker.targets.choices}
        return frozenset(
            aims.union(key for choice in self.unplaced for key, _name, _on in choice.places)
        )

    @property
    def count(self) -> int:
        return sum(held.times for held in self.cards)


def build_hand(view: View, chosen: Mapping[str, str], names: Sequence[str]) -> Hand:
    """Build the hand of the view's seat. `chosen` are the fields of a form that was rejected."""
    ask = view.ask if view.turn == view.seat else None
    if ask is DecisionKind.CARD:
        return _playing_hand(view, chosen, names)
    if ask is DecisionKind.DISCARD:
        return Hand(
            ask=DISCARD,
            hint=_(
                "Discard the cards you don’t want. Your hand will be topped up before the next "
                "morning."
            ),
            cards=_single_cards(view, chosen),
        )
    if ask is DecisionKind.START:
        return Hand(
            ask=START,
            hint=_("A runner that shows 1 starts wherever you like."),
            cards=_counted_cards(view),
            unplaced=_unplaced_runners(view, chosen),
        )
    return Hand(ask="", hint="", cards=_counted_cards(view))


def _kinds(view: View) -> list[int]:
    """Return each kind of card in the hand once, in the order of the hand."""
    return list(dict.fromkeys(view.hand))


def _counted_cards(view: View) -> tuple[HeldCard, ...]:
    return tuple(held_card(view.rules.cards[card], view.hand.count(card)) for card in _kinds(view))


def held_card(
    card: Card,
    times: int = 1,
    *,
    up_to: int = 0,
    picker: int = 0,
    place: int = 0,
    idle: bool = False,
    checked: bool = False,
) -> HeldCard:
    return HeldCard(
        key=card.key,
        name=card_name(card),
        sentence=card_sentence(card),
        effect=str(card.effect),
        bull=card.bull,
        kind=card_kind(card),
        times=times,
        up_to=up_to,
        picker=picker,
        place=place,
        idle=idle,
        checked=checked,
    )


def _single_cards(view: View, chosen: Mapping[str, str]) -> tuple[HeldCard, ...]:
    return tuple(
        held_card(view.rules.cards[card], place=place, checked=f"{DROP_PREFIX}{place}" in chosen)
        for place, card in enumerate(view.hand)
    )


def _playing_hand(view: View, chosen: Mapping[str, str], names: Sequence[str]) -> Hand:
    """Return the hand for playing a card, with the possible targets of each card.

    Cards with equal targets share a list.
    """
    before = chosen.get("card", "").partition("/")[0]
    lists: dict[Targets, int] = {}
    cards = []
    for index in _kinds(view):
        card = view.rules.cards[index]
        offer = offers(view, index)
        aims = target_choices(view, offer, names, goes_round=card.goes_round)
        number = lists.setdefault(aims, len(lists))
        cards.append(
            held_card(
                card,
                view.hand.count(index),
                up_to=offer.up_to if aims else 0,
                picker=number,
                idle=card.effect not in UNTARGETED and not aims,
                checked=card.key == before,
            )
        )
    pickers = tuple(_picker(number, aims, chosen) for aims, number in lists.items())
    return Hand(ask=PLAY, hint="", cards=tuple(cards), pickers=pickers)


def _picker(number: int, aims: Targets, chosen: Mapping[str, str]) -> Picker:
    own = {n.partition(".")[2]: v for n, v in chosen.items() if n.startswith(f"{number}.")}
    ticked = {name if value == "on" else value for name, value in own.items()}
    return Picker(number=number, targets=aims, chosen=frozenset(ticked), face=own.get("face", ""))


def _unplaced_runners(view: View, chosen: Mapping[str, str]) -> tuple[Unplaced, ...]:
    assert view.seat is not None
    runners = enumerate(view.town.runners[view.seat])
    numbers = [number for number, die in runners if die is not None and die.space < 0]
    return tuple(_unplaced_runner(view, runner_id(view.seat, number), chosen) for number in numbers)


def _unplaced_runner(view: View, runner: str, chosen: Mapping[str, str]) -> Unplaced:
    field = f"{PLACE_PREFIX}{runner}"
    board = view.rules.board
    places = tuple(
        (board.spaces[n].key, space_name(view.rules, n), chosen.get(field) == board.spaces[n].key)
        for n in board.rows[0]
    )
    return Unplaced(runner=runner, field=field, number=int(runner[1:]), places=places)


def read_form(fields: Mapping[str, str]) -> str:
    """Return the move that the player entered in the form, in notation. The move may be illegal."""
    if fields.get("move"):
        return fields["move"]
    do = fields.get("do", PLAY)
    if do == START:
        placed = [
            f"{n.removeprefix(PLACE_PREFIX)}>{v}"
            for n, v in fields.items()
            if n.startswith(PLACE_PREFIX)
        ]
        return " ".join([START, *placed])
    if do == DISCARD:
        return " ".join([DISCARD, *(v for n, v in fields.items() if n.startswith(DROP_PREFIX))])
    return _read_card(fields)


def _read_card(fields: Mapping[str, str]) -> str:
    key, _slash, picker = fields.get("card", "").partition("/")
    if not key:
        return ""
    return " ".join([PLAY, key, *read_targets(fields, picker)])


def card_names_by_seat(view: View, hands: Sequence[Sequence[int]]) -> list[tuple[int, list[str]]]:
    cards = view.rules.cards
    return [(seat, [card_name(cards[card]) for card in held]) for seat, held in enumerate(hands)]
