"""A short notation for test cases: a blank deck, three plain matadors, and lists of cards.

`4a` is the first of the seven cards with the number 4, and `4g` is the last. The cards of the blank
deck score nothing; `9d` to `9g` read CLAVAR. A test case replaces the entries that it needs:
`0a 1s=LANCE+ bull=HERIDA` (`_` is a space). `QUIET` and `OTHER` are uneventful lidias of 34 cards
that have no card in common. Only `8a` and `9c` are in neither. In QUIET each of the five strokes
makes the number 34, and the final number is 56.
"""

from __future__ import annotations

import datetime as dt

from corridas.engine import (
    RANGES,
    CorridaRecord,
    CorridaSetup,
    Deck,
    FinalVerdict,
    LidiaRecord,
    MatadorCard,
    Range,
    Rules,
    Settled,
    fill,
    replay_corrida,
)

ENTRIES = ("number", "1s", "2s", "3s", "bull", "kill")
BLANK = ("LANCE", "QUIEBRO", "PASE", "MIRA", "ESTOCADA 0")

ONES = "0a 0b 0c 0d 0e 0f 0g 1a 1b 1c"
TWOS = "9f 9g"
THREES = "1d 1e 1f 1g 2a 2b 2c 2d 2e 2f"
STROKES = "3a 4a 3b 4b 3c 4c 3d 4d 3e 4e"
FINAL = "5a 6a"
QUIET = f"{ONES} {TWOS} {THREES} {STROKES} {FINAL}"
OTHER = (
    "2g 3f 3g 4f 4g 5b 5c 5d 5e 5f 9d 9e 5g 6b 6c 6d 6e 6f 6g 7a 7b 7c "
    "7d 7e 7f 7g 8b 8c 8d 8e 8f 8g 9a 9b"
)
# Ten cards for the first tercio that leave `0f 0g 1b 1c` unused, so that a test can draw them
# later.
SPARING = "0a 0b 0c 0d 0e 1a 7d 7e 7f 7g"
LOT = (0, 1, 2, 3, 4, 5)
PLAIN = {
    "oreja": "81-90", "dos_orejas": "91-97", "rabo": "98-100", "vuelta": "85-100",
    "bronca": "1-10", "pitos": "11-25", "silencio": "26-50",
    "division": "51-60", "aplausos": "61-72", "ovacion": "73-80",
    "aviso": "-", "indulto": "-",
}  # fmt: skip


def card_place(name: str) -> int:
    """Return the position of a card in the deck, 0 to 69."""
    return int(name[0]) * 7 + "abcdefg".index(name[1])


def cards(text: str) -> bytes:
    """Return the card numbers of a text such as `4a 4g`, as bytes."""
    return bytes(map(card_place, text.split()))


def deck_lines(*prints: str) -> list[str]:
    """Return the seventy lines of the blank deck after replacing some entries."""
    pack = [[str(card // 7), *BLANK] for card in range(70)]
    for name in ("9d", "9e", "9f", "9g"):
        pack[card_place(name)][2] = "CLAVAR"
    for text in prints:
        name, *entries = text.split()
        for entry, printed in (one.split("=") for one in entries):
            pack[card_place(name)][ENTRIES.index(entry)] = printed.replace("_", " ")
    return [" | ".join(card) for card in pack]


def deck(*prints: str) -> Deck:
    """Return the blank deck after replacing some entries."""
    return Deck.parse("\n".join(deck_lines(*prints)))


def matador(
    name: str = "A", rating: int = 90, taken: str = "", key: str = "", **printed: str
) -> MatadorCard:
    """Return a matador's card on which a higher number is a better verdict, with some ranges
    replaced.
    """
    ranges = {entry: Range.parse({**PLAIN, **printed}[entry]) for entry in RANGES}
    alternativa = dt.date.fromisoformat(taken) if taken else None
    return MatadorCard(name=name, key=key, rating=rating, alternativa=alternativa, **ranges)


def three(*printed: dict[str, str]) -> tuple[MatadorCard, ...]:
    """Return the matadors A, B and C, who appear in that order, with changes to their ranges."""
    changes = [*printed, {}, {}, {}]
    return tuple(matador(name, 90 - n, **changes[n]) for n, name in enumerate("ABC"))


def setup(
    *prints: str,
    matadors: tuple[MatadorCard, ...] | None = None,
    plaza: int = 1,
    **options: str,
) -> CorridaSetup:
    """Return a corrida setup with a deck, three matadors, a plaza rating and rule options."""
    return CorridaSetup(
        rules=Rules.from_options(options),
        deck=deck(*prints),
        plaza_rating=plaza,
        matadors=matadors or three(),
    )


def corrida(given: CorridaSetup, *texts: str) -> CorridaRecord:
    """Replay a corrida from the cards of its lidias, written in this notation."""
    return replay_corrida(given, LOT, [cards(text) for text in texts])


def lidia(given: CorridaSetup, text: str) -> LidiaRecord:
    """Return the first lidia of a corrida whose other five lidias are uneventful."""
    return corrida(given, text, *[OTHER] * 5).lidias[0]


def figures(record: LidiaRecord) -> dict[str, object]:
    """Return all figures of a lidia by name, both of its score sheet and of its result."""
    sheet = fill(record.events, record.result.starter)
    settled = [event for event in record.events if isinstance(event, Settled)]
    drawn = [event.drawn for event in record.events if isinstance(event, FinalVerdict)]
    return {
        "marks": [tercio.marks for tercio in sheet.tercios],
        "matador": [tercio.matador for tercio in sheet.tercios],
        "bull": [tercio.bull for tercio in sheet.tercios],
        "strokes": sheet.modifiers,
        "indulto": sheet.indulto.number if sheet.indulto else None,
        "final": settled[0].final if settled else None,
        "drawn": drawn[0] if drawn else None,
        "cards": len(record.draws),
        **record.result._asdict(),
    }


def check(record: LidiaRecord, **expected: object) -> None:
    """Check that a lidia has the expected figures."""
    found = figures(record)
    assert {name: found[name] for name in expected} == expected
