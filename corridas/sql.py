"""Raw SQL for statements that run too often to be built by the ORM.

They decide whether a cached page is still valid, or run for each chunk of a season. `corridas.bulk`
inserts and updates many rows.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Collection, Sequence
from typing import Any, Final

from django.db import connection
from django.db.models.expressions import RawSQL

from corridas.engine import RANGES
from corridas.models import (
    Award,
    Bull,
    Corrida,
    Feria,
    Ganaderia,
    Matador,
    Plaza,
    Record,
    RecordBook,
    Season,
)
from corridas.world.records import KEYS

# The state of spared bulls is part of the SQL and not a parameter, because otherwise SQLite does
# not use its partial index of spared bulls.
SPARED: Final = RawSQL(f"'{Bull.State.SEMENTAL.value}'", ())

# Condition that a season has no corrida left that can be played. The placeholder is the season's
# alias.
_ENDED: Final = """NOT EXISTS (
    SELECT 1 FROM corridas_corrida waiting WHERE waiting.season_id = {}.id
    AND waiting.state IN ('announced', 'queued', 'on_air', 'at_table')
)"""
# Searches from the latest season back to the first whose winter is over, because older ones have
# ended.
_CURRENT_SEASON: Final = f"""
    WITH RECURSIVE back AS (
        SELECT season.id, season.year, season.posted_version, season.circuit_id
        FROM corridas_season season WHERE season.id = (
            SELECT one.id FROM corridas_season one
            JOIN corridas_circuit circuit ON circuit.id = one.circuit_id
            WHERE circuit.slug = %s ORDER BY one.year DESC LIMIT 1
        )
        UNION ALL
        SELECT season.id, season.year, season.posted_version, season.circuit_id
        FROM back JOIN corridas_season season ON season.circuit_id = back.circuit_id
        AND season.year = (
            SELECT MAX(one.year) FROM corridas_season one
            WHERE one.circuit_id = back.circuit_id AND one.year < back.year
        )
        LEFT JOIN corridas_winter winter ON winter.season_id = season.id
        WHERE winter.done_at IS NULL
    )
    SELECT id, year, posted_version, {_ENDED.format("seasons")} AS ended FROM (
        SELECT back.*, EXISTS (
            SELECT 1 FROM corridas_corrida corrida WHERE corrida.season_id = back.id
            AND corrida.state IN ('announced', 'queued', 'on_air')
        ) AS going_on FROM back
    ) AS seasons
    ORDER BY going_on DESC, CASE WHEN going_on THEN year ELSE -year END LIMIT 1
"""
_RANKED_SEASON: Final = f"""
    SELECT now.id, now.year, now.posted_version, now.ended,
        last.id, last.year, last.posted_version, {_ENDED.format("last")}
    FROM ({_CURRENT_SEASON}) AS now JOIN corridas_season season ON season.id = now.id
    LEFT JOIN corridas_season last
    ON last.circuit_id = season.circuit_id AND last.year = now.year - 1
"""
_SEASON_OF_YEAR: Final = f"""
    SELECT season.id, season.year, season.posted_version, {_ENDED.format("season")}
    FROM corridas_season season JOIN corridas_circuit circuit ON circuit.id = season.circuit_id
    WHERE circuit.slug = %s AND season.year = %s
"""


def current_season(circuit: str) -> tuple[object, ...] | None:
    """Return key, year, posted version and whether it has ended of a circuit's current season."""
    return _first_row(_CURRENT_SEASON, [circuit])


def current_season_id(circuit: str) -> RawSQL:
    return RawSQL(f"SELECT id FROM ({_CURRENT_SEASON}) AS found", [circuit])


def ranked_season(circuit: str) -> tuple[object, ...] | None:
    """Return the columns of `current_season`, followed by those of the season before it."""
    return _first_row(_RANKED_SEASON, [circuit])


def season_of_year(circuit: str, year: int) -> tuple[object, ...] | None:
    return _first_row(_SEASON_OF_YEAR, [circuit, year])


_CAREER: Final = """
    SELECT matador.id, (
        SELECT SUM(season.posted_version) FROM corridas_season season
        WHERE season.circuit_id = circuit.id
    )
    FROM corridas_circuit circuit JOIN corridas_matador matador ON matador.circuit_id = circuit.id
    WHERE circuit.slug = %s AND matador.slug = %s
"""


def career_mark(circuit: str, matador: str) -> tuple[Any, ...] | None:
    """Return a matador's key and the sum of the posted versions of his circuit's seasons."""
    return _first_row(_CAREER, [circuit, matador])


_EDITION: Final = """
    SELECT circuit.id, COUNT(season.id), SUM(season.posted_version), MAX(season.year)
    FROM corridas_circuit circuit JOIN corridas_season season ON season.circuit_id = circuit.id
    WHERE circuit.slug = %s GROUP BY circuit.id
"""


def record_book_edition(circuit: str) -> tuple[Any, ...] | None:
    """Return the circuit's key, number of seasons, sum of posted versions, and latest year."""
    return _first_row(_EDITION, [circuit])


_ON_AIR_MARK: Final = """
    SELECT corrida.state, corrida.on_air_at, corrida.pace_ms, cartel.commitment,
        circuit.slug, circuit.public, circuit.archived_at, circuit.owner_id, circuit.offered_to_id
    FROM corridas_corrida corrida
    JOIN corridas_cartel cartel ON cartel.corrida_id = corrida.id
    JOIN corridas_season season ON season.id = corrida.season_id
    JOIN corridas_circuit circuit ON circuit.id = season.circuit_id
    WHERE corrida.id = %s
"""


def on_air_mark(corrida: int) -> tuple[object, ...] | None:
    """Return the values that decide what a corrida's broadcast shows, and who may see it."""
    row = _first_row(_ON_AIR_MARK, [corrida])
    return row and (*row[:3], bytes(row[3]), *row[4:])


_BOOK: Final = f'"{RecordBook._meta.db_table}"'
_RECORD: Final = f'"{Record._meta.db_table}"'
_RECORDS: Final = (
    f'SELECT "key", "value", matador_id, {_RECORD}.season_id, "before" FROM {_RECORD}'
    f" JOIN {_BOOK} AS book ON book.id = book_id"
    ' WHERE book.circuit_id = %s AND book."scope" = %s AND book."of" = \'\''
)
_RECORD_VALUES: Final = f'SELECT book_id, "key", "value" FROM {_RECORD} WHERE book_id IN (%s)'
_BOOKS: Final = f'SELECT "scope", "of", id FROM {_BOOK} WHERE circuit_id = %s'
_AWARDED_FERIAS: Final = (
    f'SELECT DISTINCT feria_id FROM "{Award._meta.db_table}" WHERE season_id = %s'
)
_AWARDS: Final = (
    'SELECT prize.feria_id, feria.slug, feria.name, prize."key",'
    " coalesce(matador.name || CASE matador.distinction WHEN '' THEN ''"
    " ELSE ' (' || matador.distinction || ')' END, herd.name)"
    f' FROM "{Award._meta.db_table}" AS prize'
    f' LEFT JOIN "{Feria._meta.db_table}" AS feria ON feria.id = prize.feria_id'
    f' LEFT JOIN "{Matador._meta.db_table}" AS matador ON matador.id = prize.matador_id'
    f' LEFT JOIN "{Ganaderia._meta.db_table}" AS herd ON herd.id = prize.ganaderia_id'
    ' WHERE prize.season_id = %s ORDER BY prize.feria_id IS NULL, prize.feria_id, prize."key"'
)


def records(circuit: int, scope: str) -> list[tuple[Any, ...]]:
    """Return key, value, matador, season and previous value of each record in a record book."""
    rows = all_rows(_RECORDS, [circuit, scope])
    return [(KEYS[number], *columns) for number, *columns in rows]


def record_values(books: Collection[int]) -> dict[tuple[int, int], int]:
    """Return the values of the records in these record books, by book and number of the kind."""
    return {(book, number): value for book, number, value in _rows_of(_RECORD_VALUES, books)}


def book_keys(circuit: int) -> list[tuple[Any, ...]]:
    """Return scope, slug and primary key of each record book of a circuit."""
    return all_rows(_BOOKS, [circuit])


def awarded_ferias(season: int) -> list[int | None]:
    """Return the ferias of a season whose awards were given.

    None stands for the season's awards.
    """
    return [feria for (feria,) in all_rows(_AWARDED_FERIAS, [season])]


def awards(season: int) -> list[tuple[Any, ...]]:
    """Return feria (key, slug, name), kind of award and winner's name of each award of a season."""
    return all_rows(_AWARDS, [season])


_CORRIDA: Final = f'"{Corrida._meta.db_table}"'
_OVER: Final = "('" + "', '".join(Corrida.OVER) + "')"
_IS_CLOSED: Final = (
    f'SELECT 1 FROM "{Award._meta.db_table}" WHERE season_id = %s AND feria_id IS NULL LIMIT 1'
)
_IS_FOLLOWED: Final = (
    f'SELECT 1 FROM "{Season._meta.db_table}" AS season'
    f" JOIN {_CORRIDA} AS corrida ON corrida.season_id = season.id AND corrida.state IN {_OVER}"
    " WHERE season.circuit_id = %s AND season.year > %s LIMIT 1"
)
_IS_PENDING: Final = f"SELECT 1 FROM {_CORRIDA} WHERE season_id = %s AND state IN (%s) LIMIT 1"
_MATADOR_SLUGS: Final = f'SELECT id, slug FROM "{Matador._meta.db_table}" WHERE circuit_id = %s'
_FERIAS: Final = (
    f"SELECT DISTINCT feria_id FROM {_CORRIDA} WHERE id IN (%s) AND feria_id IS NOT NULL"
)
_CORRIDAS_OF_FERIAS: Final = f"SELECT feria_id, id, state FROM {_CORRIDA} WHERE feria_id IN (%s)"
_DELETE_AWARDS: Final = (
    f'DELETE FROM "{Award._meta.db_table}" WHERE feria_id IN (%s) RETURNING feria_id, version'
)
_DELETE_SEASON_AWARDS: Final = (
    f'DELETE FROM "{Award._meta.db_table}" WHERE season_id = %s AND feria_id IS NULL'
    " RETURNING feria_id, version"
)


def claim_order(record: str) -> str:
    """Return an SQL expression that sorts records like `world.records.Claim.order`."""
    day = f"SELECT CAST(date AS VARCHAR) FROM {_CORRIDA} WHERE id = {record}.corrida_id"
    keys = [f"COALESCE({record}.{key}, 0)" for key in ("corrida_id", "turn", "matador_id")]
    return f"(COALESCE(({day}), ''), {', '.join(keys)})"


def is_closed(season: int) -> bool:
    """Return whether the season's own awards have been given."""
    return _first_row(_IS_CLOSED, [season]) is not None


def is_followed(circuit: int, year: int) -> bool:
    """Return whether a corrida of a later season has been posted."""
    return _first_row(_IS_FOLLOWED, [circuit, year]) is not None


def is_pending(season: int, states: Collection[str]) -> bool:
    """Return whether a season has a corrida in one of these states."""
    return bool(_rows_of(_IS_PENDING, states, season))


def matador_slugs(circuit: int) -> list[tuple[Any, ...]]:
    """Return key and slug of each matador of a circuit."""
    return all_rows(_MATADOR_SLUGS, [circuit])


def ferias_of(corridas: Collection[int]) -> list[int]:
    """Return the ferias to which these corridas belong."""
    return [feria for (feria,) in _rows_of(_FERIAS, corridas)]


def corridas_of_ferias(ferias: Collection[int]) -> list[tuple[Any, ...]]:
    """Return feria, key and state of each corrida of these ferias."""
    return _rows_of(_CORRIDAS_OF_FERIAS, ferias)


def delete_awards(ferias: Collection[int]) -> dict[int | None, int]:
    """Delete the awards of these ferias. Return the versions of their rules, by feria."""
    return dict(_rows_of(_DELETE_AWARDS, ferias))


def delete_season_awards(season: int) -> dict[int | None, int]:
    """Delete the awards of a season, without those of its ferias.

    Returns the version of their rules, with None as the feria.
    """
    return dict(all_rows(_DELETE_SEASON_AWARDS, [season]))


_NAMES_OF_PLACES: Final = f"""
    SELECT 'plaza', slug, city || ' ' || name FROM "{Plaza._meta.db_table}" WHERE circuit_id = %s
    UNION ALL
    SELECT 'herd', slug, name FROM "{Ganaderia._meta.db_table}" WHERE circuit_id = %s
    UNION ALL
    SELECT 'feria', feria.slug, feria.name || ' ' || plaza.city
    FROM "{Feria._meta.db_table}" AS feria
    JOIN "{Plaza._meta.db_table}" AS plaza ON plaza.id = feria.plaza_id WHERE feria.season_id = %s
"""
_LATEST_BULLS: Final = (
    f'SELECT name, MAX(id) FROM "{Bull._meta.db_table}" WHERE cartel_id IN (%s) GROUP BY name'
)


def latest_bulls(carteles: Collection[int]) -> list[tuple[Any, ...]]:
    """Return each name of a bull in these corridas, and the highest key of a bull with that
    name.
    """
    return _rows_of(_LATEST_BULLS, carteles)


def names_of_places(circuit: int, season: int) -> list[tuple[Any, ...]]:
    """Return scope, slug and name of every place in a circuit that may have a record book.

    Ferias are those of one season.
    """
    return all_rows(_NAMES_OF_PLACES, [circuit, circuit, season])


# Statements that run for each chunk of a season, and for each injury in it.
_POSTED_VERSION: Final = "SELECT posted_version FROM corridas_season WHERE id = %s"
_LOCK_CIRCUIT: Final = "SELECT id FROM corridas_circuit WHERE id ="
_CIRCUIT_OF_SEASON: Final = "SELECT circuit_id FROM corridas_season WHERE id = %s"
_CIRCUIT_OF_CORRIDA: Final = """
    SELECT season.circuit_id FROM corridas_corrida corrida
    JOIN corridas_season season ON season.id = corrida.season_id WHERE corrida.id = %s
"""
_CONTRACTED: Final = """
    SELECT corrida.id, corrida.date, corrida.feria_id,
        plaza.slug, plaza.name, plaza.category, plaza.continent, reserved.trio
    FROM corridas_corrida corrida JOIN corridas_plaza plaza ON plaza.id = corrida.plaza_id
    LEFT JOIN corridas_cartel cartel ON cartel.corrida_id = corrida.id
    LEFT JOIN corridas_reservation reserved ON reserved.corrida_id = corrida.id
    WHERE corrida.season_id = %s AND corrida.state = 'announced'
    AND (reserved.stage IS NULL OR reserved.stage = 'over')
"""
_BY_DATE: Final = " ORDER BY corrida.date, corrida.id"
_TO_CONTRACT: Final = (
    f"{_CONTRACTED} AND corrida.date <= %s AND cartel.corrida_id IS NULL{_BY_DATE}"
)
_WAITING: Final = f"{_CONTRACTED} AND corrida.id IN (%s){_BY_DATE}"
_PENDING: Final = """
    SELECT corrida.id, corrida.date FROM corridas_corrida corrida
    LEFT JOIN corridas_cartel cartel ON cartel.corrida_id = corrida.id
    WHERE corrida.season_id = %s AND corrida.state = 'announced' AND corrida.date <= %s
    AND (%s IS NULL OR corrida.feria_id = %s) AND corrida.id NOT IN (%s)
"""
_FIRST_PENDING: Final = f"{_PENDING}{_BY_DATE} LIMIT 1"
_PLAYABLE: Final = f"{_PENDING} AND cartel.corrida_id IS NOT NULL{_BY_DATE} LIMIT %s"
_POSTER: Final = """
    SELECT corrida.id, corrida.date, puesto.matador_id
    FROM corridas_feria feria JOIN corridas_corrida corrida ON corrida.feria_id = feria.id
    LEFT JOIN corridas_puesto puesto ON puesto.cartel_id = corrida.id
    WHERE feria.season_id = %s AND feria.slug = %s
    ORDER BY corrida.date, corrida.id, puesto."order"
"""
_STOP_REQUESTED: Final = "SELECT stop_requested FROM corridas_run WHERE id = %s"
_ANNOUNCED: Final = f"""
    SELECT corrida.id, corrida.date, plaza.slug, plaza.category, COALESCE(feria.slug, ''),
        herd.slug, herd.id, cartel.seed, deck.digest
    FROM corridas_corrida corrida JOIN corridas_plaza plaza ON plaza.id = corrida.plaza_id
    JOIN corridas_cartel cartel ON cartel.corrida_id = corrida.id
    JOIN corridas_ganaderia herd ON herd.id = cartel.ganaderia_id
    JOIN corridas_deck deck ON deck.id = cartel.deck_id
    LEFT JOIN corridas_feria feria ON feria.id = corrida.feria_id
    WHERE corrida.id IN (%s){_BY_DATE}
"""
_PLACES: Final = """
    SELECT cartel_id, matador_id, card_id, instead_of_id FROM corridas_puesto
    WHERE cartel_id IN (%s) ORDER BY cartel_id, "order"
"""
_CARDS: Final = f"""
    SELECT card.id, matador.slug, matador.name, CAST(matador.alternativa AS TEXT), card.rating,
        card.{", card.".join(RANGES)}
    FROM corridas_matadorcard card JOIN corridas_matador matador ON matador.id = card.matador_id
    WHERE card.id IN (%s)
"""
_BULLS: Final = """
    SELECT cartel_id, id FROM corridas_bull WHERE cartel_id IN (%s) ORDER BY cartel_id, place
"""
_BRANDS: Final = """
    SELECT cartel_id, name, number FROM corridas_bull
    WHERE cartel_id IN (%s) ORDER BY cartel_id, place
"""
_SEEDS: Final = """
    SELECT cartel.corrida_id, cartel.seed, deck.digest
    FROM corridas_cartel cartel JOIN corridas_deck deck ON deck.id = cartel.deck_id
    WHERE cartel.corrida_id IN (%s)
"""
_SET_BULL_STATES: Final = "UPDATE corridas_bull SET state = %s WHERE id IN (%s)"
_DELETE_PLACES: Final = "DELETE FROM corridas_puesto WHERE cartel_id IN (%s)"


def lock_season(season: int) -> int | None:
    """Lock a season and its circuit until the end of the transaction. Return its posted version.

    The circuit is locked first. All code that writes matadors or results does so in this order.
    """
    _lock_circuit(_CIRCUIT_OF_SEASON, season)
    locking = " FOR UPDATE" if connection.features.has_select_for_update else ""
    row = _first_row(_POSTED_VERSION + locking, [season])
    return row[0] if row else None


def lock_circuit_of(corrida: int) -> None:
    """Lock the circuit of a corrida until the end of the transaction.

    The seasons of a circuit share matadors, herds and the record book, so results in one season
    depend on rows of the others.
    """
    _lock_circuit(_CIRCUIT_OF_CORRIDA, corrida)


def _lock_circuit(which: str, key: int) -> None:
    if connection.features.has_select_for_update:  # SQLite has one writer anyway
        _first_row(f"{_LOCK_CIRCUIT} ({which}) FOR NO KEY UPDATE", [key])


def stop_requested(run: int) -> bool:
    row = _first_row(_STOP_REQUESTED, [run])
    return row is not None and bool(row[0])


def first_pending(
    season: int, until: dt.date, feria: int | None, played: Collection[int] = ()
) -> dt.date | None:
    """Return the date of the first announced corrida of a season or feria.

    Corridas in `played` are left out, because they are in the state `announced` until they are
    posted.
    """
    statement, without = _with_keys(_FIRST_PENDING, played)
    row = _first_row(statement, [season, until, feria, feria, *without])
    return row[1] if row else None


def playable(
    season: int, until: dt.date, feria: int | None, most: int, played: Collection[int]
) -> list[int]:
    """Return the first announced corridas of a season or feria that have matadors.

    Corridas in `played` are left out.
    """
    statement, without = _with_keys(_PLAYABLE, played)
    rows = all_rows(statement, [season, until, feria, feria, *without, most])
    return [key for key, _ in rows]


def to_contract(season: int, until: dt.date) -> list[tuple[object, ...]]:
    """Return announced corridas without matadors by date: key, date, feria, columns of the plaza,
    and the market's trio of a reservation as JSON text.

    The columns of the plaza are slug, name, category and continent. Corridas are left out while
    they are reserved.
    """
    return all_rows(_TO_CONTRACT, [season, until])


def poster(season: int, feria: str) -> list[tuple[Any, ...]]:
    """Return corrida, date and matador of the carteles of a feria, given by its slug, by date.

    A corrida without matadors has one row, in which the matador is None.
    """
    return all_rows(_POSTER, [season, feria])


def pending_corridas(season: int, corridas: Collection[int]) -> list[tuple[object, ...]]:
    """Return those of these corridas that are announced, with the columns of `to_contract`."""
    return _rows_of(_WAITING, corridas, season)


def announced(corridas: Collection[int]) -> list[tuple[Any, ...]]:
    """Return corridas with matadors by date, with the columns of `rows.AnnouncedCorrida`."""
    return _rows_of(_ANNOUNCED, corridas)


def places(corridas: Collection[int]) -> list[tuple[Any, ...]]:
    """Return the matadors of corridas in order: corrida, matador, card, and replaced matador."""
    return _rows_of(_PLACES, corridas)


def cards(keys: Collection[int]) -> list[tuple[Any, ...]]:
    """Return matadors' cards: key, slug, name, alternativa (as text), rating and ranges.

    The order is undefined.
    """
    return _rows_of(_CARDS, keys)


def bulls(corridas: Collection[int]) -> list[tuple[Any, ...]]:
    """Return corrida and key of the bulls of corridas, by place."""
    return _rows_of(_BULLS, corridas)


def brands(corridas: Collection[int]) -> list[tuple[Any, ...]]:
    """Return corrida, name and branding number of the bulls of corridas, by place."""
    return _rows_of(_BRANDS, corridas)


def seeds(corridas: Collection[int]) -> list[tuple[Any, ...]]:
    """Return corrida, seed and digest of the deck of each corrida. The order is undefined."""
    return _rows_of(_SEEDS, corridas)


def set_bull_states(bulls: Collection[int], state: str) -> None:
    """Set the state of these bulls."""
    execute(*_with_keys(_SET_BULL_STATES, bulls, state))


def delete_places(corridas: Collection[int]) -> None:
    """Delete the matadors of these corridas from their bills."""
    if corridas:
        execute(*_with_keys(_DELETE_PLACES, corridas))


def _rows_of(statement: str, keys: Collection[object], *values: object) -> list[tuple[Any, ...]]:
    """Execute a statement with these values and keys, and return its rows.

    Without keys nothing is executed.
    """
    return all_rows(*_with_keys(statement, keys, *values)) if keys else []


def _with_keys(
    statement: str, keys: Collection[object], *values: object
) -> tuple[str, list[object]]:
    """Return a statement adapted to the database, and its parameters.

    All keys are passed as one parameter: an array, or JSON for SQLite.
    """
    if is_postgres():
        statement = statement.replace("NOT IN (%s)", "<> ALL(%s)").replace("IN (%s)", "= ANY(%s)")
        return statement, [*values, as_array([*keys])]
    statement = statement.replace("IN (%s)", "IN (SELECT value FROM json_each(%s))")
    return statement, [*values, json.dumps([*keys])]


def _first_row(statement: str, values: Sequence[Any]) -> tuple[Any, ...] | None:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        row: tuple[object, ...] | None = cursor.fetchone()
    return row


def all_rows(statement: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        rows: list[tuple[object, ...]] = cursor.fetchall()
    return rows


def execute(statement: str, values: Sequence[Any]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)


def is_postgres() -> bool:
    return connection.vendor == "postgresql"


def as_array(column: Sequence[object]) -> object:
    """Return the values of a column as one parameter for the driver.

    Integers are passed as text, because the driver formats lists of integers slowly.
    """
    if all(value is None or type(value) is int for value in column):
        return f"{{{','.join('NULL' if value is None else str(value) for value in column)}}}"
    return list(column)
