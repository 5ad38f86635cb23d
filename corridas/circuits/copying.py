"""A copy of a circuit as it stands, in which its owner can try anything."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator
from typing import Any, Final

from django.db import connection, models, transaction
from django.db.models import (
    Case,
    F,
    Max,
    Min,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
)
from django.utils.translation import gettext as _

from accounts.models import User
from corridas.circuit_queries import free_slug
from corridas.circuits.operations import MAX_NAME_LENGTH, check_circuits
from corridas.models import (
    Award,
    Bull,
    Cartel,
    Circuit,
    Corrida,
    Escalafon,
    Feria,
    Ganaderia,
    Injury,
    Lidia,
    Matador,
    MatadorCard,
    Palmares,
    Plaza,
    Puesto,
    Record,
    RecordBook,
    Run,
    Season,
    Winter,
)
from corridas.search_index import index_circuit
from corridas.simulation.rows import stake_of
from corridas.simulation.schedule import promise_again, promise_winter_again
from fairness import Seed, commitment

Fresh = Callable[[], Seed]

# What a circuit consists of, parents before children, and how each row is found from the circuit
PARTS: Final[tuple[tuple[type[models.Model], str, Q], ...]] = (
    (Plaza, "circuit", Q()),
    (Ganaderia, "circuit", Q()),
    (Matador, "circuit", Q()),
    (MatadorCard, "matador__circuit", Q()),
    (Season, "circuit", Q()),
    (Feria, "season__circuit", Q()),
    (Run, "season__circuit", Q(ended_at__isnull=False)),
    (Corrida, "season__circuit", Q()),
    (Cartel, "corrida__season__circuit", Q()),
    (Bull, "ganaderia__circuit", Q()),
    (Puesto, "cartel__corrida__season__circuit", Q()),
    (Lidia, "corrida__season__circuit", Q(corrida__state__in=Corrida.OVER)),
    (Injury, "matador__circuit", Q()),
    (Escalafon, "season__circuit", Q()),
    (Winter, "season__circuit", Q()),
    (Award, "season__circuit", Q()),
    (RecordBook, "circuit", Q()),
    (Palmares, "book__circuit", Q()),
    (Record, "book__circuit", Q()),
)


@transaction.atomic
def copy_circuit(*, circuit: Circuit, by: User, at: dt.datetime, fresh: Fresh) -> Circuit:
    """Copy a circuit into a private one of the user, with everything that has been posted.

    What has not been played to its end is announced again with chance of its own: neither a seed
    nor a card of the original can be learned from the copy. Notices, files, fixtures at tables and
    its log of changes stay behind. Raise `OperationError` for one circuit too many.
    """
    check_circuits(by)
    source = Circuit.objects.select_for_update().get(pk=circuit.pk)
    copy = _new_circuit(source, by, at)
    offsets = {model: _offset(_rows(model, path, only, source)) for model, path, only in PARTS}
    for model, path, only in PARTS:
        _copy_rows(model, _rows(model, path, only, source), offsets, copy)
    _copy_last_corridas(copy, offsets)
    _reseal(copy, fresh)
    _point_news_to_the_copy(copy, offsets[Bull])
    index_circuit(copy.pk)
    return copy


def _new_circuit(source: Circuit, by: User, at: dt.datetime) -> Circuit:
    name = (_("Copy of %s") % source.name)[:MAX_NAME_LENGTH]
    return Circuit.objects.create(
        slug=free_slug(name),
        name=name,
        owner=by,
        public=False,
        rules=source.rules,
        deck=source.deck,
        pace_ms=source.pace_ms,
        roster=source.roster,
        roster_seed=source.roster_seed,
        calendar=source.calendar,
        zone=source.zone,
        tables_count=source.tables_count,
        # Commitments of what is copied contain the name of the original.
        promised_as=source.promised_name,
        founded_at=at,
    )


def _rows(model: type[models.Model], path: str, only: Q, circuit: Circuit) -> QuerySet[Any]:
    return model._default_manager.filter(only, **{path: circuit}).order_by()


def _offset(rows: QuerySet[Any]) -> int:
    """Return what is added to the keys of these rows, so that the copies' keys are free."""
    model = rows.model
    lowest = rows.aggregate(key=Min("pk"))["key"]
    if lowest is None or not isinstance(model._meta.pk, models.AutoField):
        return 0
    highest = model._default_manager.aggregate(key=Max("pk"))["key"]
    offset = int(highest) + 1 - int(lowest)
    last = rows.aggregate(key=Max("pk"))["key"] + offset
    if connection.vendor == "postgresql":
        # Keys that others are given meanwhile come after those of the copy.
        sequence = f"pg_get_serial_sequence('{model._meta.db_table}', '{model._meta.pk.column}')"
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT setval({sequence}, %s)", [last])
    return offset


def _copy_rows(
    model: type[models.Model],
    rows: QuerySet[Any],
    offsets: dict[type[models.Model], int],
    copy: Circuit,
) -> None:
    """Insert copies of the rows with one statement, whatever their number."""
    columns = dict(_columns(model, offsets, copy))
    copied = rows.annotate(**{f"copied_{name}": value for name, value in columns.items()})
    fields = model._meta.concrete_fields
    select = copied.values_list(*(f"copied_{field.attname}" for field in fields))
    sql, parameters = select.query.sql_with_params()
    names = ", ".join(connection.ops.quote_name(str(field.column)) for field in fields)
    table = connection.ops.quote_name(model._meta.db_table)
    with connection.cursor() as cursor:
        cursor.execute(f"INSERT INTO {table} ({names}) {sql}", parameters)


def _columns(
    model: type[models.Model], offsets: dict[type[models.Model], int], copy: Circuit
) -> Iterator[tuple[str, Any]]:
    """Yield the value of each column in the copy."""
    for field in model._meta.concrete_fields:
        related = field.related_model
        if related is Circuit:
            yield field.attname, Value(copy.pk)
        elif model is Run and related is Corrida:
            yield field.attname, Value(None, output_field=field)
        elif related is User:
            yield field.attname, Value(copy.owner_id)
        elif related is Run:
            key = F(field.attname) + offsets[Run]
            yield field.attname, Case(When(run__ended_at__isnull=False, then=key))
        elif isinstance(related, type) and related in offsets:
            yield field.attname, F(field.attname) + _key_offset(related, offsets)
        elif field.primary_key:
            yield field.attname, F(field.attname) + offsets[model]
        else:
            yield field.attname, F(field.attname)


def _copy_last_corridas(copy: Circuit, offsets: dict[type[models.Model], int]) -> None:
    """Let the copied runs name their last corrida, which is copied after them.

    As long as a row names another that is missing, SQLite looks for such rows with every row that
    it inserts: with fifty seasons that took three quarters of the time.
    """
    original = Run.objects.filter(pk=OuterRef("pk") - offsets[Run])
    last = original.values_list(F("last") + offsets[Corrida])
    Run.objects.filter(season__circuit=copy).update(last=Subquery(last))


def _key_offset(model: type[models.Model], offsets: dict[type[models.Model], int]) -> int:
    """Return the offset of a model's keys; a cartel has the key of its corrida."""
    parent = model._meta.pk.related_model
    return _key_offset(parent, offsets) if isinstance(parent, type) else offsets[model]


def _reseal(copy: Circuit, fresh: Fresh) -> None:
    """Give new chance to all that is still to come, and announce again what was being played.

    The seed of a season under way tells contracts and recoveries in advance, so that of the
    original stays secret. The injuries that it has decided are copied.
    """
    pending = Corrida.objects.filter(season__circuit=copy).exclude(state__in=Corrida.OVER)
    pending.update(
        state=Corrida.State.ANNOUNCED,
        origin=Corrida.Origin.HERE,
        queued_at=None,
        on_air_at=None,
        ends_at=None,
        attempts=0,
        error="",
    )
    for season in copy.seasons.filter(winter__done_at=None).select_related("circuit"):
        if pending.filter(season=season).exists():
            promise_again(season, fresh())
        promise_winter_again(season, fresh())
    for corrida in pending.filter(cartel__isnull=False).select_related(
        "season__circuit", "plaza", "cartel__deck"
    ):
        seed = fresh().value
        sealed = commitment(seed, stake_of(corrida))
        Cartel.objects.filter(pk=corrida.pk).update(seed=seed, commitment=sealed)


def _point_news_to_the_copy(copy: Circuit, offset: int) -> None:
    """The news of a winter name spared bulls by key."""
    winters = list(Winter.objects.filter(season__circuit=copy))
    for winter in winters:
        winter.news = [
            item | {"bull": item["bull"] + offset} if "bull" in item else item
            for item in winter.news
        ]
    Winter.objects.bulk_update(winters, ["news"], batch_size=50)
