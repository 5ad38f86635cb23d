"""Cards for runners, aimed. With the bulls as they are, no die minds what another does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from eltoro.bots.aim import Aim, Throw, best_of, by_space, joined, thrown
from eltoro.bots.dice import turns_of
from eltoro.bots.outlook import Outlook
from eltoro.engine import FACES, Card, Whose

SEATS: Final = "abcdef"


def some(outlook: Outlook, card: Card) -> Iterable[Aim]:
    """So many runners as the card says."""
    return best_of(_singles(outlook, card), card.amount)


def at_a_space(outlook: Outlook, card: Card) -> Iterable[Aim]:
    """All runners of a space."""
    return by_space(outlook, _singles(outlook, card))


def all_own(outlook: Outlook, card: Card) -> Iterable[Aim]:
    """All own runners; nothing is to be chosen."""
    return (joined(_singles(outlook, card))._replace(targets=()),)


def swap(outlook: Outlook, card: Card) -> Iterator[Aim]:
    """An own runner and another's exchange their faces."""
    own = outlook.seat
    for number, place in _standing(outlook, own):
        for seat in range(len(outlook.dice)):
            if seat != own:
                for other, there in _standing(outlook, seat):
                    if place % FACES != there % FACES:
                        yield _swapped(outlook, (own, number, place), (seat, other, there))


def _swapped(outlook: Outlook, first: tuple[int, int, int], second: tuple[int, int, int]) -> Aim:
    shift = second[2] % FACES - first[2] % FACES
    gain, throws = 0.0, []
    for (seat, number, place), to in ((first, shift), (second, -shift)):
        value = outlook.now[seat]
        gain += outlook.weights[seat] * (value[place + to] - value[place])
        throws.append(Throw(seat, number, (place + to,)))
    return Aim(gain, (f"{_name(*first[:2])}~{_name(*second[:2])}",), tuple(throws))


def _singles(outlook: Outlook, card: Card) -> Iterator[Aim]:
    """All that the card can do to one runner."""
    turns = turns_of(card)
    for seat in _seats(outlook, card):
        value, weight = outlook.now[seat], outlook.weights[seat]
        for number, place in _standing(outlook, seat):
            for turn in turns[place % FACES]:
                places = thrown(place, turn)
                mean = sum([value[one] for one in places]) / len(places)
                name = _name(seat, number) + turn.suffix
                yield Aim(weight * (mean - value[place]), (name,), (Throw(seat, number, places),))


def _standing(outlook: Outlook, seat: int) -> list[tuple[int, int]]:
    """The runners of a seat that are on the board: number and place."""
    return [(number, place) for number, place in enumerate(outlook.dice[seat]) if place >= 0]


def _seats(outlook: Outlook, card: Card) -> list[int]:
    """Whose runners a card may touch."""
    if card.whose is Whose.OWN:
        return [outlook.seat]
    seats = range(len(outlook.dice))
    return [seat for seat in seats if card.whose is Whose.ANY or seat != outlook.seat]


def _name(seat: int, number: int) -> str:
    """A runner in the notation."""
    return f"{SEATS[seat]}{number + 1}"
