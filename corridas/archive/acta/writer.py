"""What an acta of Indulto says, from what was played: pure, the same from rows and from a seed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from django.utils.translation import gettext as _

import actas
from corridas.engine import (
    DECK_SIZE,
    MATADORS,
    AvisoRead,
    BullRead,
    CorridaSetup,
    Crowd,
    Deck,
    Digit,
    Ending,
    EngineError,
    Event,
    IndultoChecked,
    InjuryRead,
    LidiaResult,
    Move,
    Scored,
    Side,
    Stroke,
    Trophy,
    by_card,
    draw_sorteo,
    replay_corrida,
    write_lidia,
)
from corridas.models import Corrida, Lidia, Puesto, TableCorrida
from corridas.season.simulation import setup_of, stake_of
from fairness import Seed
from leagues.tables.actas import acta_of_sheet

SUSPENDED: Final = Corrida.State.SUSPENDED


def of_corrida(corrida: Corrida) -> dict[str, actas.JSON]:
    """The acta of a corrida that is over. Raises `actas.NotYet` before.

    That of a corrida fought at a real table is the acta of the sheet it was handed in on, without
    the names of who played: it is for all who may see the circuit. One that came with the file of
    a season has none here, for its sheet stayed where it was handed in.
    """
    _refuse_early(corrida)
    if corrida.origin == Corrida.Origin.TABLE:
        return acta_of_sheet(_draft_of(corrida).match, named=False)
    return _written(corrida, None)


def _draft_of(corrida: Corrida) -> TableCorrida:
    try:
        return corrida.at_table
    except TableCorrida.DoesNotExist as missing:
        raise actas.NotYet(
            _(
                "This corrida at a real table was imported with the file of its season. Its "
                "sheet, and therefore its record, stayed on the site it came from."
            )
        ) from missing


def of_lidia(corrida: Corrida, turn: int) -> dict[str, actas.JSON]:
    """The acta of one lidia (turn 1-6) of a corrida that is over.

    Raises `actas.NotYet`: before the seed is open, for a bull that never came out, and of a
    corrida at a real table, whose lidias have none but that of the whole sheet.
    """
    _refuse_early(corrida)
    if corrida.origin == Corrida.Origin.TABLE:
        raise actas.NotYet(
            _("A corrida at a real table has a single record, which is that of its sheet.")
        )
    if not corrida.lidias.filter(turn=turn).exists():
        raise actas.NotYet(_("No bull came out in this turn."))
    return _written(corrida, turn - 1)


def _refuse_early(corrida: Corrida) -> None:
    if not corrida.is_over:
        raise actas.NotYet(
            _(
                "The record will be available when the corrida is over and its seed has been "
                "revealed."
            )
        )


def _written(corrida: Corrida, turn: int | None) -> dict[str, actas.JSON]:
    try:
        afternoon, sorteo, lidias = told(corrida)
    except EngineError as damaged:  # rules, deck or a card; cards drawn are told as they stand
        sentence = _("The data with which this corrida was played can no longer be read.")
        raise actas.NotYet(sentence) from damaged
    of = dict(afternoon.of) if turn is None else {**afternoon.of, "turn": turn + 1}
    return actas.make_document(
        game=GAME,
        kind=CORRIDA if turn is None else LIDIA,
        engine=corrida.cartel.engine_version,
        of=of,
        content=content(afternoon, sorteo, lidias, corrida.state == SUSPENDED, turn),
    )


def told(corrida: Corrida) -> tuple[Afternoon, list[int], list[Told]]:
    """What it was played from, its lot and its lidias, as the rows have them."""
    cartel = corrida.cartel
    afternoon = Afternoon(
        of={
            "circuit": corrida.season.circuit.slug,
            "season": corrida.season.year,
            "corrida": corrida.pk,
        },
        stake=stake_of(corrida),
        seed=bytes(cartel.seed),
        commitment=bytes(cartel.commitment),
        lines=cartel.deck.cards.split("\n"),
        setup=setup_of(corrida),
    )
    rows = list(corrida.lidias.select_related("bull").order_by("turn"))
    places = Puesto.objects.filter(cartel=corrida.pk).order_by("order")
    order = list(places.values_list("matador_id", flat=True))
    lot = list(draw_sorteo(Seed(afternoon.seed)))
    events = _events(afternoon, lot, rows)
    lidias = [_told(row, order, events[at]) for at, row in enumerate(rows)]
    # The bulls that came out stand in rows; those left in the corrals came after them in the lot.
    return afternoon, [*(one.bull for one in lidias), *lot[len(lidias) :]], lidias


def _events(
    afternoon: Afternoon, lot: Sequence[int], rows: Sequence[Lidia]
) -> list[tuple[Event, ...]]:
    """What the stored cards tell; nothing where they are such as no corrida can draw."""
    draws = [bytes(row.draws) for row in rows]
    try:
        record = replay_corrida(afternoon.setup, lot, draws)
    except (EngineError, IndexError):
        return [()] * len(rows)
    return [lidia.events for lidia in record.lidias]


def _told(row: Lidia, order: Sequence[int], events: Sequence[Event]) -> Told:
    place = row.bull.place
    result = LidiaResult(
        ending=Ending(row.ending),
        starter=order.index(row.starter_id),
        finisher=None if row.finisher_id is None else order.index(row.finisher_id),
        injured=tuple(place for place in range(len(order)) if row.injured >> place & 1),
        matador_points=row.matador_points,
        bull_points=row.bull_points,
        kill_points=row.kill_points,
        avisos=row.avisos,
        score=row.score,
        number=row.number,
        trophy=None if row.trophy is None else Trophy(row.trophy),
        vuelta=row.vuelta,
        crowd=None if row.crowd is None else Crowd(row.crowd),
    )
    return Told(row.turn - 1, -1 if place is None else place, bytes(row.draws), events, result)


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
