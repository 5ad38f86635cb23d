"""For bots of El Toro: the sensible targets of every action card, and the expected gain of points
from choosing them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from eltoro.bots.outlook import Outlook
from eltoro.bots.streets import Sign
from eltoro.engine import FACES, Card, Effect, RunnerOwner


class DieChange(NamedTuple):
    """A change of a die by a card: its notation, and the equally likely new faces (0 to 5)."""

    suffix: str
    faces: tuple[int, ...]


# For each face of a die (from 0): all changes that a card can make.
Turns = tuple[tuple[DieChange, ...], ...]

ANY_FACE: Final = tuple(range(FACES))


def _step_turns(face: int, *, around: bool) -> tuple[DieChange, ...]:
    candidates = (("+", face + 1), ("-", face - 1))
    return tuple(
        DieChange(sign, (new % FACES,)) for sign, new in candidates if around or 0 <= new < FACES
    )


ROLL_TURNS: Final[Turns] = tuple((DieChange("", ANY_FACE),) for _ in ANY_FACE)
STEP_TURNS: Final[Turns] = tuple(_step_turns(face, around=False) for face in ANY_FACE)
CYCLIC_TURNS: Final[Turns] = tuple(_step_turns(face, around=True) for face in ANY_FACE)
FLIP_TURNS: Final[Turns] = tuple((DieChange("", (FACES - 1 - face,)),) for face in ANY_FACE)
SET_TURNS: Final[Turns] = tuple(
    tuple(DieChange(f"={new + 1}", (new,)) for new in ANY_FACE if new != face) for face in ANY_FACE
)
# Faces are counted from 0 in this list, so odd indexes stand for the even faces 2, 4 and 6.
ODD_TURNS: Final[Turns] = tuple(
    (DieChange("", (face - 1,)),) if face % 2 else () for face in ANY_FACE
)
EVEN_TURNS: Final[Turns] = tuple(
    () if face % 2 else (DieChange("", (face + 1,)),) for face in ANY_FACE
)

TURNS_BY_EFFECT: Final[Mapping[Effect, Turns]] = MappingProxyType(
    {
        Effect.ROLL: ROLL_TURNS,
        Effect.ROLL_SPACE: ROLL_TURNS,
        Effect.ROLL_ALL: ROLL_TURNS,
        Effect.TURN: STEP_TURNS,
        Effect.FLIP: FLIP_TURNS,
        Effect.SET: SET_TURNS,
        Effect.ODD: ODD_TURNS,
        Effect.EVEN: EVEN_TURNS,
        Effect.BULL_ROLL: ROLL_TURNS,
        Effect.BULL_ROLL_SPACE: ROLL_TURNS,
        Effect.BULL_TURN: STEP_TURNS,
        Effect.BULL_FLIP: FLIP_TURNS,
    }
)


def turns_of(card: Card) -> Turns:
    """Return, for each face of a die, the changes that a card can make.

    Raises `KeyError` for cards that do not change dice.
    """
    if card.goes_round and card.effect in {Effect.TURN, Effect.BULL_TURN}:
        return CYCLIC_TURNS
    return TURNS_BY_EFFECT[card.effect]


# Seat number of the bulls, which belong to no player.
BULL_SEAT: Final = -1
# Bots ignore targets of a card that are expected to gain fewer points than this number.
MIN_GAIN: Final = 1e-9


class DieThrow(NamedTuple):
    """A die that a card changes: its seat (or `BULL_SEAT`), its number, and its possible places.

    The places are equally likely. Numbers start at 0.
    """

    seat: int
    number: int
    places: tuple[int, ...]


class Aim(NamedTuple):
    """Targets of a card in notation, with the expected gain in points for the player of the card.

    `throws`: the dice that the card changes. `signs`: the path signs that have tokens of the player
    after the card was played, or None if the card moves no token.
    """

    gain: float
    targets: tuple[str, ...] = ()
    throws: tuple[DieThrow, ...] = ()
    signs: frozenset[Sign] | None = None


NO_AIM: Final = Aim(0.0)
Aiming = Callable[[Outlook, Card], Iterable[Aim]]


def places_after(place: int, turn: DieChange) -> tuple[int, ...]:
    first = place - place % FACES
    return tuple([first + face for face in turn.faces])


def join_aims(parts: Iterable[Aim]) -> Aim:
    parts = list(parts)
    targets = tuple(target for part in parts for target in part.targets)
    throws = tuple(throw for part in parts for throw in part.throws)
    return Aim(sum(part.gain for part in parts), targets, throws)


def best_aims(singles: Iterable[Aim], most: int) -> Iterator[Aim]:
    """Yield the best ways to choose the dice that a card changes: the best choice of up to `most`
    dice, and then the three best single dice.
    """
    ordered = sorted(singles, key=lambda aim: aim.gain, reverse=True)
    best: dict[tuple[int, int], Aim] = {}
    for aim in ordered:
        best.setdefault(aim.throws[0][:2], aim)
    chosen = [aim for aim in best.values() if aim.gain > MIN_GAIN][:most]
    if len(chosen) > 1:
        yield join_aims(chosen)
    yield from ordered[:3]


def aims_by_space(outlook: Outlook, singles: Iterable[Aim]) -> Iterator[Aim]:
    aims_by_place: dict[int, list[Aim]] = {}
    for aim in singles:
        aims_by_place.setdefault(aim.throws[0].places[0] // FACES, []).append(aim)
    for rank, parts in aims_by_place.items():
        yield join_aims(parts)._replace(targets=(f"@{outlook.key(rank)}",))


SEAT_LETTERS: Final = "abcdef"


def aim_at_runners(outlook: Outlook, card: Card) -> Iterable[Aim]:
    return best_aims(_single_runners(outlook, card), card.amount)


def aim_at_runner_spaces(outlook: Outlook, card: Card) -> Iterable[Aim]:
    return aims_by_space(outlook, _single_runners(outlook, card))


def aim_at_all_own(outlook: Outlook, card: Card) -> Iterable[Aim]:
    return (join_aims(_single_runners(outlook, card))._replace(targets=()),)


def aim_at_swaps(outlook: Outlook, card: Card) -> Iterator[Aim]:
    own = outlook.seat
    for number, place in _runners_on_board(outlook, own):
        for seat in range(len(outlook.dice)):
            if seat != own:
                for other, there in _runners_on_board(outlook, seat):
                    if place % FACES != there % FACES:
                        yield _swap_aim(outlook, (own, number, place), (seat, other, there))


def _swap_aim(outlook: Outlook, first: tuple[int, int, int], second: tuple[int, int, int]) -> Aim:
    shift = second[2] % FACES - first[2] % FACES
    gain, throws = 0.0, []
    for (seat, number, place), to in ((first, shift), (second, -shift)):
        value = outlook.now[seat]
        gain += outlook.weights[seat] * (value[place + to] - value[place])
        throws.append(DieThrow(seat, number, (place + to,)))
    return Aim(gain, (f"{_runner_name(*first[:2])}~{_runner_name(*second[:2])}",), tuple(throws))


def _single_runners(outlook: Outlook, card: Card) -> Iterator[Aim]:
    turns = turns_of(card)
    for seat in _allowed_seats(outlook, card):
        value, weight = outlook.now[seat], outlook.weights[seat]
        for number, place in _runners_on_board(outlook, seat):
            for turn in turns[place % FACES]:
                places = places_after(place, turn)
                mean = sum([value[at] for at in places]) / len(places)
                name = _runner_name(seat, number) + turn.suffix
                yield Aim(
                    weight * (mean - value[place]), (name,), (DieThrow(seat, number, places),)
                )


def _runners_on_board(outlook: Outlook, seat: int) -> list[tuple[int, int]]:
    return [(number, place) for number, place in enumerate(outlook.dice[seat]) if place >= 0]


def _allowed_seats(outlook: Outlook, card: Card) -> list[int]:
    if card.whose is RunnerOwner.OWN:
        return [outlook.seat]
    seats = range(len(outlook.dice))
    return [seat for seat in seats if card.whose is RunnerOwner.ANY or seat != outlook.seat]


def _runner_name(seat: int, number: int) -> str:
    return f"{SEAT_LETTERS[seat]}{number + 1}"


# A card that adds bulls never adds an eleventh bull (Ruling E-1).
BULLS_IN_BOX: Final = 10


def aim_at_bulls(outlook: Outlook, card: Card) -> Iterable[Aim]:
    return best_aims(_single_bulls(outlook, card), card.amount)


def aim_at_bull_spaces(outlook: Outlook, card: Card) -> Iterable[Aim]:
    return aims_by_space(outlook, _single_bulls(outlook, card))


def aim_at_neighbours(outlook: Outlook, card: Card) -> Iterable[Aim]:
    singles = []
    for number, place in enumerate(outlook.bulls):
        rank, face = divmod(place, FACES)
        for there in (rank - 1, rank + 1):
            if there in outlook.ranks:
                target = f"T{number + 1}>{outlook.key(there)}"
                singles.append(_bull_aim(outlook, target, number, (FACES * there + face,)))
    return best_aims(singles, card.amount)


def aim_at_new_bulls(outlook: Outlook, card: Card) -> Iterator[Aim]:
    number = len(outlook.bulls)
    if number < BULLS_IN_BOX:
        for rank in outlook.ranks:
            places = tuple(range(FACES * rank, FACES * rank + FACES))
            yield _bull_aim(outlook, f"@{outlook.key(rank)}", number, places)


def _single_bulls(outlook: Outlook, card: Card) -> Iterator[Aim]:
    turns = turns_of(card)
    for number, place in enumerate(outlook.bulls):
        for turn in turns[place % FACES]:
            yield _bull_aim(
                outlook, f"T{number + 1}{turn.suffix}", number, places_after(place, turn)
            )


def _bull_aim(outlook: Outlook, target: str, number: int, places: tuple[int, ...]) -> Aim:
    throw = DieThrow(BULL_SEAT, number, places)
    return Aim(_bull_change(outlook, throw), (target,), (throw,))


def _bull_change(outlook: Outlook, throw: DieThrow, *, only: int | None = None) -> float:
    """Return the mean gain in points, from the player's view, if a card changes a bull. It includes
    the effects on all seats, or only the effect on the seat `only`.
    """
    before, after = outlook.bulls[: throw.number], outlook.bulls[throw.number + 1 :]
    changes = [outlook.with_bulls((*before, at, *after), only=only) for at in throw.places]
    return sum(changes) / len(changes)


def own_bull_change(outlook: Outlook, throw: DieThrow) -> float:
    return _bull_change(outlook, throw, only=outlook.seat)


PARITIES: Final = ("even", "odd")


def aim_at_signs(outlook: Outlook, card: Card) -> Iterator[Aim]:
    """Yield the placements of a token on path signs that runners can still reach.

    Another player's token on the sign is replaced.
    """
    seat = outlook.seat
    kept, prefix = outlook.signs[seat], ""
    if not outlook.view.town.tokens_left[seat]:
        given = max(sorted(kept), key=lambda sign: outlook.with_signs(seat, kept - {sign}))
        kept, prefix = kept - {given}, f"{_sign_name(outlook, given)}>"
    for sign in outlook.streets.board.signs:
        if sign not in outlook.signs[seat] and outlook.is_ahead(sign[0]):
            signs = kept | {sign}
            gain = outlook.with_signs(seat, signs) + _replaced_token_gain(outlook, sign)
            yield Aim(gain, (prefix + _sign_name(outlook, sign),), signs=signs)


def _replaced_token_gain(outlook: Outlook, sign: Sign) -> float:
    owner = outlook.view.town.tokens.get(sign)
    if owner is None:
        return 0.0
    return outlook.with_signs(owner, outlook.signs[owner] - {sign})


def aim_at_tokens(outlook: Outlook, card: Card) -> Iterator[Aim]:
    for sign, owner in sorted(outlook.view.town.tokens.items()):
        signs = outlook.signs[owner] - {sign}
        own = signs if owner == outlook.seat else None
        yield Aim(outlook.with_signs(owner, signs), (_sign_name(outlook, sign),), signs=own)


def _sign_name(outlook: Outlook, sign: Sign) -> str:
    return f"{outlook.streets.board.spaces[sign[0]].key}/{PARITIES[sign[1]]}"


# For bots: value in points of each additional card in hand.
CARD_WORTH: Final = 0.5


def aims_of(outlook: Outlook, card: Card) -> list[Aim]:
    """Return the sensible choices of targets for a card, best first.

    They include playing the card without targets if the rules allow it.
    """
    aims = list(AIMS_BY_EFFECT[card.effect](outlook, card))
    if card.effect not in UNTARGETED:
        aims.append(NO_AIM)
    return sorted(aims, key=lambda aim: -aim.gain)


def own_gain(outlook: Outlook, aim: Aim) -> float:
    seat, gain = outlook.seat, 0.0
    value = outlook.now[seat]
    if aim.signs is not None:
        gain += outlook.with_signs(seat, aim.signs)
    for throw in aim.throws:
        if throw.seat == BULL_SEAT:
            gain += own_bull_change(outlook, throw)
        elif throw.seat == seat:
            mean = sum([value[place] for place in throw.places]) / len(throw.places)
            gain += mean - value[outlook.dice[seat][throw.number]]
    return gain


def _draw_aims(outlook: Outlook, card: Card) -> Iterable[Aim]:
    return (Aim(CARD_WORTH * card.amount),)


def _points_aims(outlook: Outlook, card: Card) -> Iterable[Aim]:
    return (Aim(float(card.amount)),)


def _brave_aims(outlook: Outlook, card: Card) -> Iterable[Aim]:
    """Yield the only use of a card that gives its player one point for each own runner that shares
    a space with a bull, up to the limit of the card.
    """
    ranks = {bull // FACES for bull in outlook.bulls}
    own = outlook.dice[outlook.seat]
    return (Aim(float(min(card.amount, sum(place // FACES in ranks for place in own)))),)


# Effects of cards that have no targets.
UNTARGETED: Final = frozenset({Effect.ROLL_ALL, Effect.DRAW, Effect.POINTS, Effect.BRAVE})

AIMS_BY_EFFECT: Final[Mapping[Effect, Aiming]] = MappingProxyType(
    {
        Effect.ROLL: aim_at_runners,
        Effect.ROLL_SPACE: aim_at_runner_spaces,
        Effect.ROLL_ALL: aim_at_all_own,
        Effect.TURN: aim_at_runners,
        Effect.FLIP: aim_at_runners,
        Effect.ODD: aim_at_runners,
        Effect.EVEN: aim_at_runners,
        Effect.SET: aim_at_runners,
        Effect.SWAP: aim_at_swaps,
        Effect.BULL_ROLL: aim_at_bulls,
        Effect.BULL_ROLL_SPACE: aim_at_bull_spaces,
        Effect.BULL_TURN: aim_at_bulls,
        Effect.BULL_FLIP: aim_at_bulls,
        Effect.BULL_LEAD: aim_at_neighbours,
        Effect.BULL_ADD: aim_at_new_bulls,
        Effect.SIGN: aim_at_signs,
        Effect.UNSIGN: aim_at_tokens,
        Effect.DRAW: _draw_aims,
        Effect.POINTS: _points_aims,
        Effect.BRAVE: _brave_aims,
    }
)
