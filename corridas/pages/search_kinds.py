"""Renders search results about circuits, and restricts them to those a visitor may see."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final, NamedTuple

from django.contrib.humanize.templatetags.humanize import intcomma
from django.db.models import Count, Q
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, npgettext

from accounts.wording import active_language
from core.names.text import words_of
from corridas import glossary
from corridas import search_index as index
from corridas.addresses import address
from corridas.circuit_queries import SHIPPED, may_be_seen
from corridas.escalafon.queries import records as books
from corridas.models import (
    Bull,
    Circuit,
    Corrida,
    Feria,
    Ganaderia,
    Matador,
    Palmares,
    Plaza,
    Record,
    RecordBook,
    Season,
)
from corridas.pages.spoilers.views import protected_user
from corridas.spoilers.hiding import ALL, revealed
from corridas.spoilers.queries import hidden
from corridas.stage.charts import suits
from corridas.world.names import display_name
from corridas.world.roster.entries import GlossaryEntry
from search.kinds import SearchHit, SearchKind, register_kind
from search.text import matches

# API clients send this header to see results in spite of spoiler protection, as in
# `corridas.api.spoilers`.
HEADER: Final = "Veiled"
GLOSSARY: Final = "glossary"
# Maps the scopes of record books to their names in URLs.
BOOKS: Final = {"plaza": "plaza", "feria": "feria", "herd": "ganaderia"}


def register_kinds() -> None:
    for kind in (
        SearchKind(
            key=index.MATADOR,
            title=gettext_lazy("Matadors"),
            icon="montera",
            visible=_in_visible_circuit,
            hits=_matadors,
            rows=lambda models: index.matador_rows(models("corridas", "Matador").objects.all()),
        ),
        SearchKind(
            key=index.PLAZA,
            title=gettext_lazy("Plazas"),
            icon="corrida",
            visible=_in_visible_circuit,
            hits=_plazas,
            rows=lambda models: index.plaza_rows(models("corridas", "Plaza").objects.all()),
        ),
        SearchKind(
            key=index.HERD,
            title=gettext_lazy("Herds"),
            icon="bulls",
            visible=_in_visible_circuit,
            hits=_herds,
            rows=lambda models: index.herd_rows(models("corridas", "Ganaderia").objects.all()),
        ),
        SearchKind(
            key=index.BULL,
            title=gettext_lazy("Bulls"),
            icon="bull",
            visible=_in_visible_circuit,
            hits=_bulls,
            rows=lambda models: index.bull_rows(models("corridas", "Bull").objects.all()),
        ),
        SearchKind(
            key=index.CORRIDA,
            title=gettext_lazy("Corridas"),
            icon="cards",
            visible=_in_visible_circuit,
            hits=_corridas,
            rows=lambda models: index.corrida_rows(models("corridas", "Corrida").objects.all()),
        ),
        SearchKind(
            key=index.FERIA,
            title=gettext_lazy("Ferias"),
            icon="feria",
            visible=_in_visible_circuit,
            hits=_ferias,
            rows=lambda models: index.feria_rows(models("corridas", "Feria").objects.all()),
        ),
        SearchKind(
            key=index.SEASON,
            title=gettext_lazy("Seasons"),
            icon="cup",
            visible=_in_visible_circuit,
            hits=_seasons,
            rows=lambda models: index.season_rows(models("corridas", "Season").objects.all()),
        ),
        SearchKind(
            key=index.RECORD,
            title=gettext_lazy("Records"),
            icon="star",
            visible=_visible_records,
            hits=_records,
            rows=lambda models: index.record_rows(
                models("corridas", "Record").objects.all(), models
            ),
        ),
        SearchKind(key=GLOSSARY, title=gettext_lazy("Glossary"), icon="book", lookup=_terms),
    ):
        register_kind(kind)


# Filters for the search results that the visitor may see


def _in_visible_circuit(request: HttpRequest) -> Q:
    circuits = Circuit.objects.filter(may_be_seen(request.user))
    return Q(scope__in=circuits.values("pk"))


def _visible_records(request: HttpRequest) -> Q:
    """Return a filter for records that the visitor may see in search results.

    Circuit records from seasons with corridas that the visitor has not watched are left out.
    """
    unwatched = _unwatched(request)
    visible = _in_visible_circuit(request)
    if not unwatched.seasons:
        return visible
    spoilers = Record.objects.filter(book__scope="circuit", season__in=unwatched.seasons)
    return visible & ~Q(key__in=spoilers.values("pk"))


class Unwatched(NamedTuple):
    """The keys of seasons and circuits with corridas that the visitor has not watched."""

    seasons: frozenset[int] = frozenset()
    circuits: frozenset[int] = frozenset()


_UNWATCHED: Final = "_search_unwatched"


def _unwatched(request: HttpRequest) -> Unwatched:
    """Return the seasons and circuits with unwatched corridas, read once per request.

    Visitors without spoiler protection cost no query.
    """
    known: Unwatched | None = getattr(request, _UNWATCHED, None)
    if known is None:
        known = _read_unwatched(request)
        setattr(request, _UNWATCHED, known)
    return known


def _read_unwatched(request: HttpRequest) -> Unwatched:
    person, at = protected_user(request), timezone.now()
    lifted = revealed(request.session, at=at)
    wants_results = request.headers.get(HEADER, "").strip().lower() == "show"
    if person is None or ALL in lifted or wants_results:
        return Unwatched()
    rows = hidden(person, at).exclude(season__circuit__slug__in=lifted).order_by()
    found = list(rows.values_list("season_id", "season__circuit_id").distinct())
    return Unwatched(
        frozenset(season for season, _circuit in found),
        frozenset(circuit for _season, circuit in found),
    )


# Functions that load search results for display


def _joined(*parts: object) -> str:
    return " · ".join(str(part) for part in parts if part)


def _corridas_unit(count: int) -> str:
    return npgettext("after a figure", "corrida", "corridas", count)


def _circuit_name(circuit: Circuit) -> str:
    """Return the name of a circuit, or an empty string for the shipped circuit."""
    return "" if circuit.slug == SHIPPED else circuit.name


def _matadors(request: HttpRequest, keys: Sequence[int]) -> Mapping[int, SearchHit]:
    """Return search results for matadors by primary key.

    The number of corridas and a retirement are only shown if no corrida of the circuit is hidden by
    spoiler protection.
    """
    rows = Matador.objects.filter(pk__in=keys).select_related("circuit")
    revealed = [row for row in rows if row.circuit_id not in _unwatched(request).circuits]
    books = RecordBook.objects.filter(
        circuit__in={row.circuit_id for row in revealed}, scope="circuit"
    )
    careers = Palmares.objects.filter(book__in=books, matador__in=revealed)
    corridas = dict(careers.values_list("matador_id", "corridas")) if revealed else {}
    worn, shown = suits(keys), {row.pk for row in revealed}
    return {row.pk: _matador(row, corridas.get(row.pk), worn, row.pk in shown) for row in rows}


def _matador(
    row: Matador, corridas: int | None, worn: Mapping[int, int], is_revealed: bool
) -> SearchHit:
    standing, since = "", ""
    if is_revealed and row.alternativa:
        since = _("alternativa in %s") % row.alternativa.year
    if is_revealed and row.state == Matador.State.RETIRED:
        standing = (
            _("retired after the %(year)s season") % {"year": row.retired_in}
            if row.retired_in
            else _("retired")
        )
    elif is_revealed and row.state == Matador.State.NOVILLERO:
        standing = _("novillero")
    called = f"{row.name} “{row.apodo}”" if row.apodo and row.apodo != row.name else row.name
    return SearchHit(
        title=display_name(called, "", row.distinction),
        url=address(row.circuit.slug, "matador", slug=row.slug),
        detail=_joined(standing or _("matador"), row.birthplace, since, _circuit_name(row.circuit)),
        figure="" if corridas is None else intcomma(corridas),
        unit="" if corridas is None else _corridas_unit(corridas),
        suit=worn[row.pk],
    )


def _plazas(request: HttpRequest, keys: Sequence[int]) -> Mapping[int, SearchHit]:
    categories = {1: _("1st category"), 2: _("2nd category"), 3: _("3rd category")}
    rows = Plaza.objects.filter(pk__in=keys).select_related("circuit")
    return {
        row.pk: SearchHit(
            title=f"{row.city}, {row.name}",
            url=address(row.circuit.slug, "plaza", slug=row.slug),
            detail=_joined(
                categories[row.category],
                row.seats and _("%s seats") % intcomma(row.seats),
                _circuit_name(row.circuit),
            ),
        )
        for row in rows
    }


def _herds(request: HttpRequest, keys: Sequence[int]) -> Mapping[int, SearchHit]:
    rows = Ganaderia.objects.filter(pk__in=keys).select_related("circuit")
    return {
        row.pk: SearchHit(
            title=row.name,
            url=address(row.circuit.slug, "herd", slug=row.slug),
            detail=_joined(
                _("herd"), row.encaste, row.get_continent_display(), _circuit_name(row.circuit)
            ),
        )
        for row in rows
    }


def _bulls(request: HttpRequest, keys: Sequence[int]) -> Mapping[int, SearchHit]:
    """Return search results for bulls by primary key.

    The index has each name once, with the latest bull of that name.
    """
    rows = Bull.objects.filter(pk__in=keys)
    rows = rows.select_related("ganaderia__circuit", "cartel__corrida__plaza")
    return {row.pk: _bull(row) for row in rows}


def _bull(row: Bull) -> SearchHit:
    corrida = row.cartel.corrida if row.cartel else None
    where = ""
    if corrida:
        where = f"{corrida.plaza.city}, {date_format(corrida.date)}"
    circuit = row.ganaderia.circuit
    figures = _("no. %(number)s, %(weight)s kg") % {"number": row.number, "weight": row.weight}
    return SearchHit(
        title=row.name,
        url=address(circuit.slug, "bull", pk=row.pk),
        detail=_joined(figures, row.ganaderia.name, where, _circuit_name(circuit)),
    )


def _corridas(request: HttpRequest, keys: Sequence[int]) -> Mapping[int, SearchHit]:
    rows = Corrida.objects.filter(pk__in=keys)
    rows = rows.select_related("plaza", "feria", "season__circuit")
    return {
        row.pk: SearchHit(
            title=f"{row.plaza.city}, {date_format(row.date)}",
            url=address(row.season.circuit.slug, "corrida", pk=row.pk),
            detail=_joined(row.plaza.name, row.feria or "", _circuit_name(row.season.circuit)),
        )
        for row in rows
    }


def _ferias(request: HttpRequest, keys: Sequence[int]) -> Mapping[int, SearchHit]:
    """Return search results for ferias by primary key.

    The index has each feria once, with the latest year in which it was held.
    """
    rows = Feria.objects.filter(pk__in=keys).select_related("plaza", "season__circuit")
    return {row.pk: _feria(row) for row in rows.annotate(count=Count("corridas"))}


def _feria(row: Any) -> SearchHit:
    circuit = row.season.circuit
    return SearchHit(
        title=row.name,
        url=address(circuit.slug, "feria", year=row.season.year, slug=row.slug),
        detail=_joined(row.plaza.city, row.season.year, _circuit_name(circuit)),
        figure=intcomma(row.count),
        unit=_corridas_unit(row.count),
    )


def _seasons(request: HttpRequest, keys: Sequence[int]) -> Mapping[int, SearchHit]:
    rows = Season.objects.filter(pk__in=keys).select_related("circuit")
    return {row.pk: _season(row) for row in rows.annotate(count=Count("corridas"))}


def _season(row: Any) -> SearchHit:
    return SearchHit(
        title=_("Season %s") % row.year,
        url=address(row.circuit.slug, "season", year=row.year),
        detail=row.circuit.name,
        figure=intcomma(row.count),
        unit=_corridas_unit(row.count),
    )


def _records(request: HttpRequest, keys: Sequence[int]) -> Mapping[int, SearchHit]:
    """Return search results for records of a circuit, plaza, feria or herd, by primary key."""
    rows = books.lines(Q(pk__in=keys)).select_related(
        "book__circuit", "matador", "ganaderia", "bull", "corrida__plaza", "season"
    )
    entries = list(books.entries(rows))
    names = _places([entry.row.book for entry in entries])
    return {entry.row.pk: _record(entry, names) for entry in entries}


_Place = tuple[str, str, str]


def _place(book: RecordBook) -> _Place:
    return (book.circuit.slug, book.scope, book.of)


def _places(held_in: Sequence[RecordBook]) -> Mapping[_Place, str]:
    """Return the names of the plazas, ferias and herds that these record books are about.

    The keys are circuit, scope and slug.
    """
    slugs: dict[tuple[str, str], set[str]] = defaultdict(set)
    for circuit, scope, of in map(_place, held_in):
        if of:
            slugs[circuit, scope].add(of)
    return {
        (circuit, scope, place.slug): place.name
        for (circuit, scope), held in slugs.items()
        for place in books.record_places(circuit, scope, held)
    }


def _record(entry: books.RecordEntry, names: Mapping[_Place, str]) -> SearchHit:
    row, book = entry.row, entry.row.book
    if book.scope != RecordBook.Scope.CIRCUIT:
        return SearchHit(
            title=_("Records: %s") % names.get(_place(book), book.of),
            url=address(book.circuit.slug, "records_of", scope=BOOKS[book.scope], slug=book.of),
            detail=_joined(book.get_scope_display(), _circuit_name(book.circuit)),
        )
    holder = row.matador.billing if row.matador else row.ganaderia
    when = row.season.year if row.season else ""
    if row.corrida:
        when = f"{row.corrida.plaza.city}, {date_format(row.corrida.date)}"
    return SearchHit(
        title=entry.label,
        url=address(book.circuit.slug, "records"),
        detail=_joined(holder or "", when, _circuit_name(book.circuit)),
        figure=intcomma(entry.value),
    )


# Terms of the glossary are not in the search index, because the glossary file is complete and
# small.


def _terms(request: HttpRequest, words: Sequence[str]) -> Sequence[SearchHit]:
    """Return glossary terms that contain the words searched for.

    Matches in the term come before matches in the explanation.
    """
    language = active_language()
    found = [
        (not matches(term, words), order, entry)
        for order, (entry, term, meaning) in enumerate(_read_terms(language))
        if matches((*term, *meaning), words)
    ]
    return [
        SearchHit(
            title=entry.term,
            url=f"{reverse('glossary')}#{slugify(entry.term)}",
            detail=entry.meaning(language),
        )
        for _by_meaning, _order, entry in sorted(found, key=lambda row: row[:2])
    ]


@cache
def _read_terms(language: str) -> tuple[tuple[GlossaryEntry, list[str], list[str]], ...]:
    return tuple(
        (entry, words_of(entry.term), words_of(entry.meaning(language)))
        for entry in glossary.entries(language)
    )
