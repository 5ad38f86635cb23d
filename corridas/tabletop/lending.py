"""Assigns corridas of a season to real tables, and stores or removes their results."""

from __future__ import annotations

import datetime as dt
import logging
from collections.abc import Collection, Iterable, Sequence
from functools import reduce

from django.db import transaction
from django.db.models import F, Q

from corridas import circuit_queries as circuits
from corridas import sql
from corridas.engine import ENGINE_VERSION
from corridas.engine import MatadorCard as EngineCard
from corridas.models import (
    Bull,
    Cartel,
    Circuit,
    Corrida,
    Ganaderia,
    Injury,
    Lidia,
    Matador,
    Puesto,
    Run,
    Season,
    TableCorrida,
)
from corridas.search_index import CORRIDA, index_bull_names, index_corridas, index_new_bulls
from corridas.simulation import record_book
from corridas.simulation.breakdowns import LASTING, sentence_of
from corridas.simulation.draw import SeedFactory, ceremonies
from corridas.simulation.emit import emit_withdrawn
from corridas.simulation.insertion import LidiaRow, insert_lidias
from corridas.simulation.new_circuit import stock
from corridas.simulation.post import post, rebuild
from corridas.simulation.rows import latest_cards, places_of, played_corridas
from corridas.simulation.run import prepare
from corridas.tabletop.sheets import LidiaReading, SheetReading
from corridas.world.form import outcome, push
from corridas.world.market import CurrentCard
from search.index import remove

log = logging.getLogger(__name__)

# Time for which a result that players entered before the deadline may wait for confirmation by a
# second player.
TO_CONFIRM = dt.timedelta(days=7)


def give(corrida: Corrida, table: TableCorrida) -> bool:
    """Assign an announced corrida to players at a real table. Return False if it is no longer
    announced.

    Its cartel (announced matadors and bulls) and its seed stay unchanged, because their commitment
    is published.
    """
    claimed = Corrida.objects.filter(
        pk=corrida.pk, state=Corrida.State.ANNOUNCED, cartel__isnull=False
    ).update(state=Corrida.State.AT_TABLE)
    if claimed:
        table.corrida, table.given = corrida, True
        table.save(update_fields=["corrida", "given"])
    return bool(claimed)


def take_back(table: TableCorrida) -> bool:
    """Return a corrida from a real table to its season, so that the site plays it.

    Return False if the corrida has a result or is not at a table.
    """
    key = table.corrida_id
    if key is None or table.filed_at is not None:
        return False
    back = Corrida.objects.filter(pk=key, state=Corrida.State.AT_TABLE)
    if not back.update(state=Corrida.State.ANNOUNCED):
        return False
    TableCorrida.objects.filter(pk=table.pk).update(corrida=None)
    table.corrida = None
    return True


def overdue(*, at: dt.datetime, fresh: SeedFactory) -> list[int]:
    """Take corridas whose players missed the deadline back into their season, and queue them
    for simulation.

    A result entered before the deadline may wait a week for its confirmation. Return the keys of
    the queued corridas, for the workers. Each is simulated from the seed that was fixed before it
    was assigned to the table.
    """
    missed = TableCorrida.objects.filter(
        given=True, filed_at=None, corrida__isnull=False, deadline__lte=at
    )
    late = [table for table in missed.select_related("match") if not _may_wait(table, at)]
    return [key for table in late if (key := _tried(table, at, fresh)) is not None]


def _tried(table: TableCorrida, at: dt.datetime, fresh: SeedFactory) -> int | None:
    try:
        return _take_back_and_queue(table, at, fresh)
    except LASTING as error:
        log.exception("The corrida of table %s cannot be queued", table.pk)
        _take_back_as_failed(table.pk, sentence_of(error))
        return None
    except Exception:
        log.exception("The corrida of table %s cannot be taken back", table.pk)
        return None


@transaction.atomic
def _take_back_as_failed(key: int, sentence: str) -> None:
    """Take a corrida that cannot be queued back into its season and mark it as failed.

    The director then sees the reason. Otherwise the periodic task would try again for ever.
    """
    table = TableCorrida.objects.get(pk=key)
    corrida = table.corrida_id
    if corrida is not None and take_back(table):
        waiting = Corrida.objects.filter(pk=corrida, state=Corrida.State.ANNOUNCED)
        waiting.update(state=Corrida.State.FAILED, error=sentence)


def _may_wait(table: TableCorrida, at: dt.datetime) -> bool:
    match, deadline = table.match, table.deadline
    assert deadline is not None
    came = match.handed_in_at
    in_time = match.state in match.UNSETTLED and came is not None and came <= deadline
    return in_time and at < deadline + TO_CONFIRM


@transaction.atomic
def _take_back_and_queue(table: TableCorrida, at: dt.datetime, fresh: SeedFactory) -> int | None:
    key = table.corrida_id
    if key is None:
        return None
    sql.lock_circuit_of(key)  # the carteles of the circuit depend on what it has announced so far
    if not take_back(table):
        return None
    corrida = Corrida.objects.select_related("season__circuit__deck").get(pk=key)
    circuit = corrida.season.circuit
    if not _may_play(circuit, corrida.season):
        return None
    prepare(corrida.season, corrida.date, fresh, at=at)
    queued = Corrida.objects.filter(pk=key, cartel__isnull=False).free_for_the_sand()
    changed = Corrida.objects.filter(pk__in=list(queued.values_list("pk", flat=True))).update(
        state=Corrida.State.QUEUED, queued_at=at, pace_ms=circuit.pace_ms
    )
    return corrida.pk if changed else None


def _may_play(circuit: Circuit, season: Season) -> bool:
    running = Run.objects.filter(season=season, state__in=Run.ACTIVE).exists()
    awake = circuit.frozen_at is None and circuit.archived_at is None
    return awake and not running and circuits.sand_left(circuit) > 0


# The coat of a bull if the scoresheet does not contain it. Most bulls are black.
COAT = "negro"


class NotFiledError(ValueError):
    """The result of a real table cannot be stored, because its sheet does not fit the circuit.

    `what` is `matador`, `bull` or `season`, and `name` says which one.
    """

    def __init__(self, what: str, name: str = "") -> None:
        self.what, self.name = what, name
        super().__init__(f"{what}: {name}")


def file(table: TableCorrida, reading: SheetReading, *, at: dt.datetime) -> Corrida:
    """Store the confirmed result of a corrida at a real table in its circuit.

    The caller must begin the transaction. Raise `NotFiledError` if matadors or bulls do not belong
    to the circuit, or not to the corrida that was assigned to the table.
    """
    assert reading.setup is not None
    corrida = _claimed(table, at) if table.given else _made(table, reading, at)
    places = places_of([corrida.pk])[corrida.pk]
    for place, card in zip(places, reading.setup.order, strict=True):
        if not same_card(card, place.card):
            raise NotFiledError("matador", card.name)
    order = [place.matador_id for place in places]
    bulls = _by_turn(corrida, reading)
    insert_lidias([_lidia_row(corrida, lidia, order, bulls) for lidia in reading.lidias])
    if reading.suspended:
        Corrida.objects.filter(pk=corrida.pk).update(state=Corrida.State.SUSPENDED)
    post(corrida.season, played_corridas(Corrida.objects.filter(pk=corrida.pk)), at=at)
    table.corrida, table.evidence, table.filed_at = corrida, reading.evidence.value, at
    table.save(update_fields=["corrida", "evidence", "filed_at"])
    return corrida


def _claimed(table: TableCorrida, at: dt.datetime) -> Corrida:
    key = table.corrida_id or 0
    claimed = Corrida.objects.filter(pk=key, state=Corrida.State.AT_TABLE).update(
        state=Corrida.State.POSTED, posted_at=at, origin=Corrida.Origin.TABLE
    )
    if not claimed:
        raise NotFiledError("fixture")
    return Corrida.objects.select_related("season__circuit").get(pk=key)


def _made(table: TableCorrida, reading: SheetReading, at: dt.datetime) -> Corrida:
    circuit, plaza = table.circuit, table.plaza
    assert circuit is not None
    season = Season.objects.select_related("circuit__deck").filter(
        circuit=circuit, year=table.date.year
    )
    home = season.filter(Q(winter=None) | Q(winter__done_at=None)).first()
    if home is None or plaza is None:
        raise NotFiledError("season", str(table.date.year))
    corrida = Corrida.objects.create(
        season=home,
        plaza=plaza,
        date=table.date,
        state=Corrida.State.POSTED,
        posted_at=at,
        origin=Corrida.Origin.TABLE,
    )
    assert reading.setup is not None
    printed = _printed(home, table.date, reading.setup.order)
    herd = _most_famous_herd(corrida)
    cartel = Cartel.objects.create(
        corrida=corrida,
        ganaderia=herd,
        deck_id=circuit.deck_id,
        seed=b"",
        commitment=b"",
        engine_version=ENGINE_VERSION,
        set_by_hand=True,
    )
    Puesto.objects.bulk_create(
        Puesto(
            cartel=cartel,
            order=order,
            matador_id=printing.matador_id,
            card_id=printing.pk,
            date=corrida.date,
        )
        for order, printing in enumerate(printed)
    )
    Bull.objects.bulk_create(_new_bulls(cartel, herd, reading))
    index_corridas(Q(pk=corrida.pk))
    index_new_bulls(circuit.pk, [corrida.pk])
    return corrida


def _printed(season: Season, date: dt.date, cards: Sequence[EngineCard]) -> list[CurrentCard]:
    later = {held.matador for held in ceremonies(season) if date < held.date}
    latest = latest_cards(season.circuit_id)
    found = find_printed(cards, [latest[key] for key in latest if key not in later])
    for card, printed in zip(cards, found, strict=True):
        if printed is None:
            raise NotFiledError("matador", card.name)
    return [printed for printed in found if printed is not None]


def find_printed(
    cards: Iterable[EngineCard], latest: Collection[CurrentCard]
) -> list[CurrentCard | None]:
    """Return, for each card of a sheet, the equal card among the newest ones of a circuit.

    The value is None for a card that equals none of them.
    """
    return [
        next((printed for printed in latest if same_card(card, printed.card)), None)
        for card in cards
    ]


def same_card(copied: EngineCard, printed: EngineCard) -> bool:
    """Return whether a card on a sheet is the same as a card of a circuit.

    Only cards of matadors with the same name have a key. Cards without a key are compared by
    everything else that is printed on them.
    """
    same_man = copied.key in ("", printed.key)
    return same_man and _face(copied) == _face(printed)


def _face(card: EngineCard) -> tuple[object, ...]:
    rating, alternativa, name, _key = card.appearance
    return (rating, alternativa, name, *card.ranges().values())


def _most_famous_herd(corrida: Corrida) -> Ganaderia:
    herds = Ganaderia.objects.filter(circuit=corrida.season.circuit_id, archived_at=None)
    near = herds.filter(continent=corrida.plaza.continent).first()
    herd = near or herds.first()
    if herd is None:
        raise NotFiledError("herd")
    return herd


def _new_bulls(cartel: Cartel, herd: Ganaderia, reading: SheetReading) -> list[Bull]:
    corrida = cartel.corrida
    span = stock().weights[corrida.plaza.category]
    weight = (span.low + span.high) // 2
    numbers = [bull.number for bull in reading.bulls]
    rows = Bull.objects.filter(ganaderia=herd, number__in=numbers)
    taken = set(rows.values_list("year", "number"))
    bulls = []
    for place, bull in enumerate(reading.bulls):
        year = corrida.date.year
        while (year, bull.number) in taken:  # a herd gives each number only once a year
            year -= 1
        taken.add((year, bull.number))
        bulls.append(
            Bull(
                ganaderia=herd,
                year=year,
                number=bull.number,
                name=bull.name[:30],
                coat=COAT,
                weight=weight,
                state=Bull.State.CAMPO,
                cartel=cartel,
                place=place,
            )
        )
    return bulls


def _by_turn(corrida: Corrida, reading: SheetReading) -> list[int]:
    rows = Bull.objects.filter(cartel=corrida.pk).order_by("place")
    waiting = list(rows.values_list("name", "number", "pk"))
    keys = []
    for bull in reading.bulls:
        match = next(
            (bull_row for bull_row in waiting if bull_row[:2] == (bull.name[:30], bull.number)),
            None,
        )
        if match is None:
            raise NotFiledError("bull", bull.name)
        waiting.remove(match)
        keys.append(match[2])
    return keys


def _lidia_row(
    corrida: Corrida, lidia: LidiaReading, men: Sequence[int], bulls: Sequence[int]
) -> LidiaRow:
    assert lidia.result is not None
    bull = bulls[lidia.turn]
    return LidiaRow.of(corrida.pk, lidia.turn, lidia.draws, lidia.result, men=men, bull=bull)


def unfile(table: TableCorrida, *, at: dt.datetime) -> None:
    """Remove the result of a corrida at a real table, and recalculate what depends on it.

    A corrida of the season then waits for its table again. Every other corrida is deleted with its
    bulls. The caller must begin the transaction.
    """
    corrida = table.corrida
    assert corrida is not None
    season = Season.objects.select_for_update().get(pk=corrida.season_id)
    lidias = Lidia.objects.filter(corrida=corrida)
    finishers = set(lidias.exclude(finisher=None).values_list("finisher", flat=True))
    bulls = Bull.objects.filter(cartel=corrida.pk)
    lidias.delete()
    Injury.objects.filter(corrida=corrida).delete()
    table.evidence, table.filed_at = "", None
    emit_withdrawn(corrida, at=at)
    if table.given:
        table.save(update_fields=["evidence", "filed_at"])
        bulls.update(state=Bull.State.CAMPO)
        Puesto.objects.filter(cartel=corrida.pk).update(injured_in=None)
        Corrida.objects.filter(pk=corrida.pk).update(
            state=Corrida.State.AT_TABLE, posted_at=None, origin=Corrida.Origin.HERE
        )
    else:
        table.corrida = None
        table.save(update_fields=["corrida", "evidence", "filed_at"])
        names = set(bulls.values_list("name", flat=True))
        bulls.delete()
        index_bull_names(season.circuit_id, names)
        remove(CORRIDA, [corrida.pk])
        corrida.delete()
    _derive_anew(season, finishers)


def _derive_anew(season: Season, finishers: set[int]) -> None:
    for matador in Matador.objects.filter(pk__in=finishers):
        matador.form = _form(matador)
        matador.save(update_fields=["form"])
    rebuild(season, write_rows=True)
    record_book.rebuild_record_book(season.circuit_id)
    Season.objects.filter(pk=season.pk).update(posted_version=F("posted_version") + 1)


def _form(matador: Matador) -> str:
    rows = Lidia.objects.posted().filter(finisher=matador)
    ordered = rows.order_by("corrida__posted_at", "corrida__date", "corrida", "turn")
    letters = (outcome(*columns) for columns in ordered.values_list("ending", "trophy", "crowd"))
    return reduce(push, letters, "")
