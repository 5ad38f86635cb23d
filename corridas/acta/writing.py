"""What an acta of Indulto says, from what was played: pure, the same from rows and from a seed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from corridas.engine import (
    DECK_SIZE,
    MATADORS,
    AvisoRead,
    BullRead,
    CorridaSetup,
    Deck,
    Digit,
    Event,
    IndultoChecked,
    InjuryRead,
    LidiaResult,
    Move,
    Scored,
    Side,
    Stroke,
    by_card,
    write_lidia,
)

GAME: Final = "indulto"
CORRIDA: Final = "corrida"
LIDIA: Final = "lidia"

JSON = Any


@dataclass(frozen=True, kw_only=True)
class Afternoon:
    """What a corrida was played from; `lines` are the seventy of the deck as its digest has them.

    `stake` is whole (Ruling F-2), `of` what on the site it is.
    """

    of: Mapping[str, JSON]
    stake: Mapping[str, JSON]
    seed: bytes
    commitment: bytes
    lines: Sequence[str]
    setup: CorridaSetup


class Told(NamedTuple):
    """A lidia as it stands in the record: turn and bull from 0, cards, events, result.

    No events where the cards are such as no lidia can draw.
    """

    turn: int
    bull: int
    draws: bytes
    events: Sequence[Event]
    result: LidiaResult


def content(
    afternoon: Afternoon,
    sorteo: Sequence[int],
    lidias: Sequence[Told],
    suspended: bool,
    turn: int | None = None,
) -> dict[str, JSON]:
    """All of the acta but its envelope; with `turn` (0-5) of that lidia alone."""
    told = [_lidia(afternoon, lidias, at) for at in range(len(lidias))]
    return {
        "rules": afternoon.setup.rules.options(),
        "stake": dict(afternoon.stake),
        "commitment": afternoon.commitment.hex(),
        "seed": afternoon.seed.hex(),
        "deck": list(afternoon.lines),
        "sorteo": list(sorteo),
        "suspended": suspended,
        "lidias": told if turn is None else told[turn : turn + 1],
    }


def _lidia(afternoon: Afternoon, lidias: Sequence[Told], at: int) -> dict[str, JSON]:
    lidia, before = lidias[at], lidias[:at]
    alone = afternoon.setup.rules.shuffle == "each_bull"
    drawn = 0 if alone else sum(len(earlier.draws) for earlier in before)
    out = {place for earlier in before for place in earlier.result.injured}
    bulls = afternoon.stake["bulls"]
    return {
        "turn": lidia.turn + 1,
        "bull": lidia.bull,
        "name": bulls[lidia.bull],
        "label": f"lidia/{lidia.turn + 1}" if alone else "deck",
        "drawn_before": drawn,
        "shuffled_at": _shuffles(drawn, len(lidia.draws)),
        "able": [place for place in range(MATADORS) if place not in out],
        "draws": list(lidia.draws),
        "reads": reads(afternoon.setup.deck, lidia.events),
        "line": write_lidia(lidia.events),
        "result": _result(lidia.result),
    }


def _shuffles(before: int, count: int) -> list[int]:
    """Which of the draws, from 0, came off a deck just shuffled (Ruling I-3)."""
    return [at for at in range(count) if (before + at) % DECK_SIZE == 0]


def _result(result: LidiaResult) -> dict[str, JSON]:
    """A result in words and places; who was injured in ascending order."""
    return {
        "ending": result.ending.value,
        "starter": result.starter,
        "finisher": result.finisher,
        "injured": sorted(result.injured),
        "matador_points": result.matador_points,
        "bull_points": result.bull_points,
        "kill_points": result.kill_points,
        "avisos": result.avisos,
        "score": result.score,
        "number": result.number,
        "trophy": None if result.trophy is None else result.trophy.name.lower(),
        "vuelta": result.vuelta,
        "crowd": None if result.crowd is None else result.crowd.name.lower(),
    }


def reads(deck: Deck, events: Sequence[Event]) -> list[str]:
    """What was read of each card drawn, in order: `1s VERÓNICA+`, `score +4`, `kill MEDIA -6`."""
    found: list[list[str]] = []
    for at, event in by_card(events):
        if at == len(found):
            found.append([])
        found[at] += _read(deck, event)
    return ["; ".join(words) for words in found]


def _read(deck: Deck, event: Event) -> Iterator[str]:
    match event:
        case Move(tercio=tercio, reading=reading):
            yield f"{tercio}s {reading}"
        case Scored(by=by, points=points, card=card):
            sign = "-" if points < 0 else "+"
            yield f"{'score' if by is Side.MATADOR else 'bull scores'} {sign}{deck.numbers[card]}"
        case BullRead(reading=reading):
            yield f"BULL {reading}"
        case InjuryRead(card=card, hurt=hurt):
            yield f"injury {deck.numbers[card]}" + (", out" if hurt else "")
        case _:
            yield from _read_at_the_end(deck, event)


def _read_at_the_end(deck: Deck, event: Event) -> Iterator[str]:
    match event:
        case Digit(purpose=purpose, tens=tens, card=card):
            yield f"{purpose.value} {'tens' if tens else 'units'} {deck.numbers[card]}"
        case IndultoChecked(number=number, spared=spared):
            yield f"{number}: {'spared' if spared else 'not spared'}"
        case Stroke(card=card):
            yield f"kill {deck.cards[card].kill}"
        case AvisoRead(number=number, warned=warned, avisos=avisos):
            yield f"clock {number}" + (f", aviso {avisos}" if warned else "")
