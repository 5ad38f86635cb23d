"""A short notation for cards: `4a` is the first of the seven cards with digit 4, `4g` the last.

The cards of a blank deck score nothing; the four 9s `9d` to `9g` read CLAVAR. A test replaces only
the entries that it is about. `QUIET` is an uneventful lidia of 34 cards: 10 + 2 + 10, five strokes
with five warning cards (each number is 34), and 56 as the final number.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from tests.corridas.oracle.paper import CardText, MatadorText, with_defaults
from tests.corridas.oracle.sheet import Sheet, work_out_corrida, work_out_lidia
from tests.corridas.oracle.walk import Case

ONES = "0a 0b 0c 0d 0e 0f 0g 1a 1b 1c"
TWOS = "9f 9g"
THREES = "1d 1e 1f 1g 2a 2b 2c 2d 2e 2f"
STROKES = "3a 4a 3b 4b 3c 4c 3d 4d 3e 4e"
FINAL = "5a 6a"
QUIET = f"{ONES} {TWOS} {THREES} {STROKES} {FINAL}"
# A second uneventful lidia of 34 cards, none of which is in QUIET. 8a and 9c are in neither.
OTHER = (
    "2g 3f 3g 4f 4g 5b 5c 5d 5e 5f 9d 9e 5g 6b 6c 6d 6e 6f 6g 7a 7b 7c "
    "7d 7e 7f 7g 8b 8c 8d 8e 8f 8g 9a 9b"
)


def cards(text: str) -> list[int]:
    """Return the card numbers, 0 to 69, of a text such as `4a 4g`."""
    return [int(name[0]) * 7 + "abcdefg".index(name[1]) for name in text.split()]


def deck(**printed_over: Mapping[str, str]) -> list[CardText]:
    """Return the blank deck after replacing entries: `deck(_4a={"first": "VERONICA+"})`."""
    pack = [blank(digit, copy) for digit in range(10) for copy in "abcdefg"]
    for name, entries in printed_over.items():
        for entry, text in entries.items():
            cast(dict[str, Any], pack[cards(name[1:])[0]])[entry] = text
    return pack


def blank(digit: int, copy: str) -> CardText:
    """Return a card that scores nothing."""
    second = "CLAVAR" if digit == 9 and copy in "defg" else "QUIEBRO"
    return CardText(
        number=digit, first="LANCE", second=second, third="PASE", bull="MIRA", kill="ESTOCADA 0"
    )


def matador(name: str = "Lagartijo", rating: int = 80, **changes: Any) -> MatadorText:
    """Return a matador's card on which a higher number is a better verdict.

    Bronca is up to 10, oreja from 81, rabo from 98.
    """
    plain = MatadorText(
        name=name, rating=rating, alternativa="1865-10-15",
        oreja="81-90", dos_orejas="91-97", rabo="98-100", vuelta="85-100",
        bronca="1-10", pitos="11-25", silencio="26-50", division="51-60", aplausos="61-72",
        ovacion="73-80", aviso="-", indulto="-",
    )  # fmt: skip
    return cast(MatadorText, {**plain, **changes})


def three(*changes: dict[str, Any]) -> list[MatadorText]:
    """Return the matadors A, B, C in order of appearance, with changes to each of their cards."""
    printed = [*changes, {}, {}, {}]
    return [matador(name, 90 - n, **printed[n]) for n, name in enumerate("ABC")]


def lidia(
    text: str,
    pack: list[CardText] | None = None,
    *,
    order: list[MatadorText] | None = None,
    able: tuple[int, ...] = (0, 1, 2),
    plaza: int = 1,
    **options: str,
) -> Sheet:
    """Return the score sheet of one lidia, begun by the first matador who is able."""
    pack, order = pack or deck(), order or three()
    case = Case(0, with_defaults(options), pack, order, list(able), able[0], [])
    return work_out_lidia(case, cards(text), plaza)


def corrida(
    texts: list[str],
    pack: list[CardText] | None = None,
    *,
    matadors: list[MatadorText] | None = None,
    sorteo: tuple[int, ...] = (0, 1, 2, 3, 4, 5),
    **options: str,
) -> Sheet:
    """Return the score sheets of a corrida in a plaza of the first category."""
    return work_out_corrida(
        deck=pack or deck(), matadors=matadors or three(), plaza_rating=1, options=options,
        sorteo=sorteo, draws=[cards(text) for text in texts],
    )  # fmt: skip
