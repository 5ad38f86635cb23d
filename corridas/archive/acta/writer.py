"""Creates the record of a corrida or lidia. The same rows and seed give the same document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _

import actas
from api.types import JSON
from corridas.engine import (
    DECK_SIZE,
    MATADORS,
    AvisoRead,
    BullRead,
    CorridaRecord,
    CorridaSetup,
    Crowd,
    Deck,
    Digit,
    Ending,
    EngineError,
    Event,
    IndultoChecked,
    InjuryRead,
    LidiaRecord,
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
from corridas.simulation.rows import setup_of, stake_of
from fairness import Seed
from leagues.tables.actas import acta_of_sheet

SUSPENDED: Final = Corrida.State.SUSPENDED


def of_corrida(corrida: Corrida) -> dict[str, actas.JSON]:
    """Return the record of a corrida that is over.

    Raise `actas.NotYet` before that, and for a corrida of a real table that was imported with a
    season file, because its scoresheet stayed on the other site. The record of a corrida at a real
    table is made from its scoresheet. It leaves out the names of the players, because everyone who
    may see the circuit may read it.
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
                "This corrida was played at a real table and imported with its season file. Its "
                "scoresheet, and therefore its record, is still on the original site."
            )
        ) from missing


def of_lidia(corrida: Corrida, turn: int) -> dict[str, actas.JSON]:
    """Return the record of one lidia (turn 1-6) of a corrida that is over.

    Raise `actas.NotYet` before the seed is revealed, for a bull that did not come out, and for a
    corrida at a real table, which has only one record of the whole scoresheet.
    """
    _refuse_early(corrida)
    if corrida.origin == Corrida.Origin.TABLE:
        raise actas.NotYet(
            _(
                "Each corrida played at a real table has a single record, which is made from its "
                "scoresheet."
            )
        )
    if not corrida.lidias.filter(turn=turn).exists():
        raise actas.NotYet(_("No bull entered the ring in this turn."))
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
        inputs, record = recorded(corrida)
    # The stored rules, deck or a matador's card are damaged, so the corrida cannot be replayed. The
    # cards drawn are returned as stored.
    except EngineError as damaged:
        sentence = _("The data with which this corrida was played can no longer be read.")
        raise actas.NotYet(sentence) from damaged
    of = dict(inputs.of) if turn is None else {**inputs.of, "turn": turn + 1}
    return actas.make_document(
        game=GAME,
        kind=CORRIDA if turn is None else LIDIA,
        engine=corrida.cartel.engine_version,
        of=of,
        content=content(inputs, record, turn),
    )


def recorded(corrida: Corrida) -> tuple[Inputs, CorridaRecord]:
    """Return the inputs and the record of a corrida, with results and cards as stored.

    A lidia has no events if its cards cannot be replayed.
    """
    cartel = corrida.cartel
    inputs = Inputs(
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
    lot = draw_sorteo(Seed(inputs.seed))
    lidias = [
        LidiaRecord(row.turn - 1, bytes(row.draws), events, _result(row, order))
        for row, events in zip(rows, _events(inputs, lot, rows), strict=True)
    ]
    # Only bulls that were fought have rows of lidias (fights with one bull). The bulls that were
    # not fought come after them in the order of the lot.
    out = [-1 if row.bull.place is None else row.bull.place for row in rows]
    sorteo = (*out, *lot[len(rows) :])
    return inputs, CorridaRecord(sorteo, tuple(lidias), corrida.state == SUSPENDED)


def _events(inputs: Inputs, lot: Sequence[int], rows: Sequence[Lidia]) -> list[tuple[Event, ...]]:
    draws = [bytes(row.draws) for row in rows]
    try:
        record = replay_corrida(inputs.setup, lot, draws)
    except (EngineError, IndexError):
        return [()] * len(rows)
    return [lidia.events for lidia in record.lidias]


def _result(row: Lidia, order: Sequence[int]) -> LidiaResult:
    return LidiaResult(
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


GAME: Final = "indulto"
CORRIDA: Final = "corrida"
LIDIA: Final = "lidia"


@dataclass(frozen=True, kw_only=True)
class Inputs:
    """The inputs of a corrida, from which the engine can replay it.

    `lines` are the seventy lines of the deck as text, over which its digest is calculated. `stake`
    is everything that the commitment covers (Ruling F-2). `of` identifies the corrida on this site.
    """

    of: Mapping[str, JSON]
    stake: Mapping[str, JSON]
    seed: bytes
    commitment: bytes
    lines: Sequence[str]
    setup: CorridaSetup


def content(inputs: Inputs, record: CorridaRecord, turn: int | None = None) -> dict[str, JSON]:
    """Return the contents of a record without its envelope.

    With `turn` (0-5) only that lidia is included.
    """
    lidias = [_lidia(inputs, record, at) for at in range(len(record.lidias))]
    return {
        "rules": inputs.setup.rules.options(),
        "stake": dict(inputs.stake),
        "commitment": inputs.commitment.hex(),
        "seed": inputs.seed.hex(),
        "deck": list(inputs.lines),
        "sorteo": list(record.sorteo),
        "suspended": record.suspended,
        "lidias": lidias if turn is None else lidias[turn : turn + 1],
    }


def _lidia(inputs: Inputs, record: CorridaRecord, at: int) -> dict[str, JSON]:
    lidia, before, bull = record.lidias[at], record.lidias[:at], record.sorteo[at]
    alone = inputs.setup.rules.shuffle == "each_bull"
    drawn = 0 if alone else sum(len(earlier.draws) for earlier in before)
    out = {place for earlier in before for place in earlier.result.injured}
    return {
        "turn": lidia.turn + 1,
        "bull": bull,
        "name": inputs.stake["bulls"][bull],
        "label": f"lidia/{lidia.turn + 1}" if alone else "deck",
        "drawn_before": drawn,
        # Indexes of the cards that were drawn first from a newly shuffled deck (Ruling I-3).
        "shuffled_at": [at for at in range(len(lidia.draws)) if (drawn + at) % DECK_SIZE == 0],
        "able": [place for place in range(MATADORS) if place not in out],
        "draws": list(lidia.draws),
        "reads": reads(inputs.setup.deck, lidia.events),
        "line": write_lidia(lidia.events),
        "result": _result_json(lidia.result),
    }


def _result_json(result: LidiaResult) -> dict[str, JSON]:
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
    """Return the entry that counted on each card drawn, as text such as `1s VERÓNICA+`.

    Further examples are `score +4` and `kill MEDIA -6`.
    """
    cards: list[list[str]] = []
    for at, event in by_card(events):
        if at == len(cards):
            cards.append([])
        cards[at] += _read(deck, event)
    return ["; ".join(words) for words in cards]


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
