"""Entries of the search index for everything in a circuit, and functions that update them.

Functions that return rows take querysets, which may be of historical models in a migration.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from operator import itemgetter
from typing import Any, Final

from django.db.models import Max, Model, Q
from django.utils import translation

from corridas.bulk import bulk_update
from corridas.labels import KINDS
from corridas.models import (
    Bull,
    Corrida,
    Feria,
    Ganaderia,
    Matador,
    MatadorCard,
    Plaza,
    Record,
    Season,
)
from corridas.sql import latest_bulls, names_of_places
from search import index
from search.index import IndexRow
from search.kinds import GetModel
from search.models import Entry
from search.text import MONTHS, month_names

MATADOR: Final = "matador"
PLAZA: Final = "plaza"
HERD: Final = "herd"
BULL: Final = "bull"
CORRIDA: Final = "corrida"
FERIA: Final = "feria"
SEASON: Final = "season"
RECORD: Final = "record"

# Words that find all records and all seasons, in every language.
RECORD_WORDS: Final = ("record", "records", "récord", "récords")
SEASON_WORDS: Final = ("season", "temporada")


def matador_rows(matadors: Any) -> Iterator[IndexRow]:
    """Yield one entry for each matador.

    Matadors with a high rating on their first card are found first.
    """
    rated = matadors.annotate(first=Max("cards__rating", filter=Q(cards__printing=1)))
    for pk, circuit, name, apodo, first in rated.values_list(
        "pk", "circuit_id", "name", "apodo", "first"
    ):
        yield IndexRow(MATADOR, pk, (name, apodo), circuit, first or 0)


def plaza_rows(plazas: Any) -> Iterator[IndexRow]:
    for pk, circuit, name, city, category in plazas.values_list(
        "pk", "circuit_id", "name", "city", "category"
    ):
        yield IndexRow(PLAZA, pk, (city, name), circuit, -category)


def herd_rows(herds: Any) -> Iterator[IndexRow]:
    for pk, circuit, name in herds.values_list("pk", "circuit_id", "name"):
        yield IndexRow(HERD, pk, (name,), circuit)


def bull_rows(bulls: Any) -> Iterator[IndexRow]:
    """Yield one entry for each name of a bull in a circuit.

    Names that differ only in accents or case share an entry. It links to the latest bull of that
    name.
    """
    names = bulls.order_by().values_list("ganaderia__circuit_id", "name").annotate(Max("pk"))
    yield from _bull_rows(names)


def _bull_rows(names: Iterable[tuple[int, str, int]]) -> Iterator[IndexRow]:
    """Yield entries for names of bulls, given with their circuit and the key of a bull."""
    latest: dict[tuple[int, str], int] = {}
    for circuit, name, pk in names:
        # Names that differ only in accents count as the same name.
        at = (circuit, _bull_words(name))
        latest[at] = max(pk, latest.get(at, 0))
    for (circuit, words), pk in latest.items():
        yield IndexRow(BULL, pk, (words,), circuit)


@lru_cache(maxsize=1024)
def _bull_words(name: str) -> str:
    return IndexRow(BULL, 0, (name,)).words


def corrida_rows(corridas: Any, *, in_feria: bool = True) -> Iterator[IndexRow]:
    """Yield one entry for each corrida, which is found by its place, feria and date.

    With `in_feria=False` the feria is left out, because it is about to be deleted.
    """
    names = ("pk", "season__circuit_id", "date", "plaza__city", "plaza__name", "feria__name")
    for pk, circuit, day, city, plaza, feria in corridas.order_by("pk").values_list(*names):
        texts = (
            city,
            plaza,
            (feria or "") if in_feria else "",
            str(day.day),
            *month_names(day.month),
            str(day.year),
        )
        yield IndexRow(CORRIDA, pk, texts, circuit, day.toordinal())


def feria_rows(ferias: Any) -> Iterator[IndexRow]:
    """Yield one entry for each feria (festival) of a circuit, linked to its latest year.

    It is found by name and place. Ferias in plazas of the first category come first.
    """
    columns = ("season__circuit_id", "pk", "name", "plaza__city", "plaza__name", "plaza__category")
    latest: dict[tuple[int, str], IndexRow] = {}
    rows = ferias.order_by("season__year", "pk").values_list(*columns)
    for circuit, pk, *names, category in rows:
        row = IndexRow(FERIA, pk, names, circuit, -category)
        latest[circuit, row.words] = row
    yield from latest.values()


def season_rows(seasons: Any) -> Iterator[IndexRow]:
    for pk, circuit, year in seasons.values_list("pk", "circuit_id", "year"):
        yield IndexRow(SEASON, pk, (*SEASON_WORDS, str(year)), circuit, year)


def record_rows(records: Any, get_model: GetModel) -> Iterator[IndexRow]:
    """Yield one entry for each record of a whole circuit, and one for each other record book."""
    lines = records.filter(book__scope__in=("circuit", "plaza", "feria", "herd")).order_by("-pk")
    held = list(lines.values_list("book__circuit_id", "book__scope", "book__of", "key", "pk"))
    yield from _record_rows(held, _place_names({line[:3] for line in held}, get_model))


def _record_rows(
    lines: Iterable[tuple[int, str, str, str, int]], names: Mapping[tuple[int, str, str], str]
) -> Iterator[IndexRow]:
    """Yield entries for records. Of each plaza, feria or herd only the last one is linked."""
    by_place: dict[tuple[int, str, str], int] = {}
    for circuit, scope, of, key, pk in lines:
        if scope != "circuit":
            by_place[circuit, scope, of] = pk
        elif key in KINDS:
            yield IndexRow(RECORD, pk, (*RECORD_WORDS, *record_labels(key)), circuit, 1)
    for place, pk in by_place.items():
        yield IndexRow(RECORD, pk, (*RECORD_WORDS, names.get(place, "")), place[0])


@cache
def record_labels(key: str) -> tuple[str, ...]:
    labels = []
    for language in MONTHS:
        with translation.override(language):
            labels.append(str(KINDS[key].label))
    return tuple(labels)


def _place_names(
    places: Collection[tuple[int, str, str]], get_model: GetModel
) -> dict[tuple[int, str, str], str]:
    """Return the names of places with record books, by circuit, scope and slug."""
    names: dict[tuple[int, str, str], str] = {}
    circuits = {circuit for circuit, *_ in places}
    slugs: dict[str, set[str]] = defaultdict(set)
    for _, scope, of in places:
        slugs[scope].add(of)
    if plazas := slugs["plaza"]:
        found = get_model("corridas", "Plaza").objects.filter(circuit__in=circuits, slug__in=plazas)
        for circuit, slug, city, name in found.values_list("circuit_id", "slug", "city", "name"):
            names[circuit, "plaza", slug] = f"{city} {name}"
    if herds := slugs["herd"]:
        found = get_model("corridas", "Ganaderia").objects.filter(
            circuit__in=circuits, slug__in=herds
        )
        for circuit, slug, name in found.values_list("circuit_id", "slug", "name"):
            names[circuit, "herd", slug] = name
    if ferias := slugs["feria"]:
        found = get_model("corridas", "Feria").objects.filter(
            season__circuit__in=circuits, slug__in=ferias
        )
        columns = ("season__circuit_id", "slug", "name", "plaza__city")
        for circuit, slug, name, city in found.order_by("season__year").values_list(*columns):
            names[circuit, "feria", slug] = f"{name} {city}"
    return names


# Updates of the index after changes


def _today(_app: str, name: str) -> Any:
    return _MODELS_TODAY[name]


_MODELS_TODAY: Final[dict[str, type[Model]]] = {
    model.__name__: model
    for model in (Bull, Corrida, Feria, Ganaderia, Matador, Plaza, Record, Season)
}


def index_circuit(circuit: int) -> None:
    """Index everything in a circuit, after it was created, imported or copied."""
    index.remove_scope(circuit)
    index.update_rows(circuit_rows(circuit))


def circuit_rows(circuit: int) -> Iterator[IndexRow]:
    yield from rows_beside_corridas(circuit)
    yield from corrida_rows(Corrida.objects.filter(season__circuit=circuit))


def rows_beside_corridas(circuit: int) -> Iterator[IndexRow]:
    yield from matador_rows(Matador.objects.filter(circuit=circuit))
    yield from plaza_rows(Plaza.objects.filter(circuit=circuit))
    yield from herd_rows(Ganaderia.objects.filter(circuit=circuit))
    yield from bull_rows(Bull.objects.filter(ganaderia__circuit=circuit))
    yield from feria_rows(Feria.objects.filter(season__circuit=circuit))
    yield from season_rows(Season.objects.filter(circuit=circuit))
    yield from record_rows(Record.objects.filter(book__circuit=circuit), _today)


def index_season(season: Season) -> None:
    """Index a season that was just planned, with its ferias and corridas."""
    index.add_rows(season_rows(Season.objects.filter(pk=season.pk)))
    index_ferias(season.circuit_id)
    index.add_rows(corrida_rows(Corrida.objects.filter(season=season)))


def index_imported(season: Season) -> None:
    """Index an imported season, and the matadors, plazas, herds and bulls that came with it."""
    circuit = season.circuit_id
    index.update_rows(matador_rows(Matador.objects.filter(circuit=circuit)))
    index.update_rows(plaza_rows(Plaza.objects.filter(circuit=circuit)))
    index.update_rows(herd_rows(Ganaderia.objects.filter(circuit=circuit)))
    index_season(season)
    corridas = Corrida.objects.filter(season=season).values_list("pk", flat=True)
    index_new_bulls(circuit, list(corridas))


def index_ferias(circuit: int, *, without: Collection[int] = ()) -> None:
    """Index the ferias of a circuit again, except those that are about to be deleted."""
    index.remove_scope(circuit, FERIA)
    index.add_rows(
        feria_rows(Feria.objects.filter(season__circuit=circuit).exclude(pk__in=without))
    )


def index_matadors(keys: Collection[int]) -> None:
    if keys:
        index.update_rows(matador_rows(Matador.objects.filter(pk__in=keys)))


def index_corridas(which: Q) -> None:
    index.update_rows(corrida_rows(Corrida.objects.filter(which)))


def index_new_records(season: Season, lines: Iterable[tuple[str, str, str, int]]) -> None:
    """Index new records of a season.

    A line consists of scope, slug, kind and primary key. For each place only its first record ever
    needs an entry; for the whole circuit every record does.
    """
    circuit = season.circuit_id
    found = [(circuit, *line) for line in lines if line[0] != "matador"]
    if found:
        found.sort(key=itemgetter(-1), reverse=True)
        names = {(circuit, *place): name for *place, name in names_of_places(circuit, season.pk)}
        index.add_rows(_record_rows(found, names))


def index_records(circuit: int, places: Collection[tuple[str, str]] | None = None) -> None:
    """Index the record books of these places (scope and slug) again, by default of all places.

    Their names may have changed.
    """
    records = Record.objects.filter(book__circuit=circuit)
    if places is not None:
        wanted = Q(pk__in=[])
        for scope, of in places:
            wanted |= Q(book__scope=scope, book__of=of)
        records = records.filter(wanted)
    index.update_rows(record_rows(records, _today))


def index_new_bulls(circuit: int, corridas: Collection[int]) -> None:
    """Link the names of bulls to those just announced for these corridas.

    Most names are in the index already, and only their links change.
    """
    known = dict(Entry.objects.filter(kind=BULL, scope=circuit).values_list("words", "pk"))
    moved: list[tuple[int, int]] = []
    new: list[IndexRow] = []
    for row in _bull_rows((circuit, *found) for found in latest_bulls(corridas)):
        if entry := known.get(row.texts[0]):
            moved.append((row.key, entry))
        else:
            new.append(row)
    bulk_update(Entry, ["key"], moved)
    index.add_rows(new)


def index_bull_names(
    circuit: int, names: Collection[str], *, without: Collection[int] = ()
) -> None:
    """Update the entries of these names of bulls after bulls were renamed or deleted.

    `without` are keys of bulls that are about to be deleted.
    """
    bulls = Bull.objects.filter(ganaderia__circuit=circuit, name__in=names)
    _write_bulls(circuit, list(bull_rows(bulls.exclude(pk__in=without))), names)


def _write_bulls(circuit: int, rows: Sequence[IndexRow], names: Collection[str] = ()) -> None:
    """Replace the entries of the names in these rows, and delete those of `names`."""
    gone = (_bull_words(name) for name in names)
    words = {*gone, *(row.words for row in rows)}
    Entry.objects.filter(kind=BULL, scope=circuit, words__in=words).delete()
    index.add_rows(rows)


def index_roster(edits: Iterable[tuple[Model, Any, bool]]) -> None:
    """Index rows of a roster that were saved, or are about to be deleted.

    An edit consists of the row, its columns before the change (None if it is new), and whether it
    is deleted.
    """
    bulls: dict[int, set[str]] = defaultdict(set)
    saved: dict[type[Model], list[object]] = defaultdict(list)
    gone: dict[type[Model], list[Any]] = defaultdict(list)
    for row, before, removed in edits:
        (gone if removed else saved)[type(row)].append(row)
        if isinstance(row, Bull):
            bulls[row.ganaderia.circuit_id] |= {row.name, (before or {}).get("name", row.name)}
    _index_saved(saved)
    for model, kind in _KIND_OF.items():
        index.remove(kind, _keys(gone[model]))
    if gone[Feria]:
        index.update_rows(
            corrida_rows(Corrida.objects.filter(feria__in=gone[Feria]), in_feria=False)
        )
    for circuit, names in bulls.items():
        index_bull_names(circuit, names, without=_keys(gone[Bull]))
    _index_changed_ferias(saved, gone)


def _index_changed_ferias(
    saved: dict[type[Model], list[object]], gone: dict[type[Model], list[Any]]
) -> None:
    """Index ferias again whose plaza or season changed."""
    ferias = [*saved[Feria], *gone[Feria]]
    circuits = {feria.season.circuit_id for feria in ferias}
    circuits |= {row.circuit_id for row in (*saved[Plaza], *gone[Season])}
    without = {*_keys(gone[Feria])}
    without |= set(Feria.objects.filter(season__in=gone[Season]).values_list("pk", flat=True))
    for circuit in sorted(circuits):
        index_ferias(circuit, without=without)


_KIND_OF: Final[dict[type[Model], str]] = {
    Matador: MATADOR,
    Plaza: PLAZA,
    Ganaderia: HERD,
    Season: SEASON,
}
_SCOPE_OF: Final[dict[type[Model], str]] = {Plaza: "plaza", Ganaderia: "herd", Feria: "feria"}


def _index_saved(saved: dict[type[Model], list[Any]]) -> None:
    carded = [card.matador_id for card in saved[MatadorCard]]
    index_matadors([*_keys(saved[Matador]), *carded])
    if saved[Ganaderia]:
        index.update_rows(herd_rows(Ganaderia.objects.filter(pk__in=_keys(saved[Ganaderia]))))
    if saved[Plaza]:
        index.update_rows(plaza_rows(Plaza.objects.filter(pk__in=_keys(saved[Plaza]))))
    if saved[Plaza] or saved[Feria]:
        index_corridas(Q(plaza__in=saved[Plaza]) | Q(feria__in=saved[Feria]))
    if saved[Season]:
        index.update_rows(season_rows(Season.objects.filter(pk__in=_keys(saved[Season]))))
    books: dict[int, set[tuple[str, str]]] = defaultdict(set)
    for model, scope in _SCOPE_OF.items():
        for row in saved[model]:
            circuit = row.season.circuit_id if model is Feria else row.circuit_id
            books[circuit].add((scope, row.slug))
    for circuit, places in books.items():
        index_records(circuit, places)


def _keys(rows: Iterable[Any]) -> list[int]:
    return [row.pk for row in rows]
