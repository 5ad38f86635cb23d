"""The acta of a corrida from its rows: what is stored is told, nothing is made good."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.utils.translation import gettext as _

import actas
from corridas.acta.writing import CORRIDA, GAME, LIDIA, Afternoon, Told, content
from corridas.engine import (
    Crowd,
    Ending,
    EngineError,
    Event,
    LidiaResult,
    Trophy,
    draw_sorteo,
    replay_corrida,
)
from corridas.models import Corrida, Lidia, Puesto, TableCorrida
from corridas.simulation import setup_of, stake_of
from fairness import Seed
from leagues.playing import acta_of_sheet

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
    return actas.enveloped(
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
