"""The lists of a circuit: what can be shown, filtered and sorted in each of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from django.db.models import Exists, OuterRef
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from corridas.glossary import COUNTRIES, plain
from corridas.lists.listing import Choice, Column, Filter, Listing
from corridas.lists.queries import seasons
from corridas.models import Bull, Ganaderia, Lidia, Matador, Plaza, Puesto
from corridas.models.matadors import STYLES
from corridas.results import NAMES

ALL: Final = "all"
HURT: Final = "hurt"


def _years(circuit: str) -> Iterable[Choice]:
    return [Choice(str(row.year), str(row.year), row.pk) for row in seasons(circuit)]


def _years_and_all(circuit: str) -> Iterable[Choice]:
    return [*_years(circuit), Choice(ALL, _("All seasons"))]


def _named(names: Iterable[str]) -> list[Choice]:
    return [Choice(name, COUNTRIES.get(name, name)) for name in sorted(names, key=plain) if name]


def _countries(circuit: str) -> Iterable[Choice]:
    people = Matador.objects.filter(circuit__slug=circuit).order_by()
    return _named(people.values_list("country", flat=True).distinct())


def _styles(circuit: str) -> Iterable[Choice]:
    people = Matador.objects.filter(circuit__slug=circuit).order_by()
    words = people.exclude(style="").values_list("style", flat=True).distinct()
    named = [Choice(word, STYLES.get(word, word)) for word in words]
    return sorted(named, key=lambda choice: plain(str(choice.label)))


def _herd_countries(circuit: str) -> Iterable[Choice]:
    herds = Ganaderia.objects.filter(circuit__slug=circuit).order_by()
    return _named(herds.values_list("country", flat=True).distinct())


def _encastes(circuit: str) -> Iterable[Choice]:
    herds = Ganaderia.objects.filter(circuit__slug=circuit).order_by()
    return _named(herds.values_list("encaste", flat=True).distinct())


def _plaza_countries(circuit: str) -> Iterable[Choice]:
    plazas = Plaza.objects.filter(circuit__slug=circuit).order_by()
    return _named(plazas.values_list("country", flat=True).distinct())


def _plazas(circuit: str) -> Iterable[Choice]:
    rows = Plaza.objects.filter(circuit__slug=circuit).values_list("pk", "slug", "city", "name")
    cities = [city for _pk, _slug, city, _name in rows]
    named = [
        Choice(slug, f"{city} ({name})" if cities.count(city) > 1 else city, pk)
        for pk, slug, city, name in rows
    ]
    return sorted(named, key=lambda choice: plain(str(choice.label)))


def _herds(circuit: str) -> Iterable[Choice]:
    rows = Ganaderia.objects.filter(circuit__slug=circuit).values_list("slug", "name", "pk")
    return sorted((Choice(*row) for row in rows), key=lambda choice: plain(str(choice.label)))


def _matadors(circuit: str) -> Iterable[Choice]:
    # Who has never been announced is news of a winter that a reader may not have reached.
    billed = Puesto.objects.filter(matador=OuterRef("pk"))
    rows = Matador.objects.filter(Exists(billed), circuit__slug=circuit)
    rows = rows.only("slug", "name", "apodo")
    named = [Choice(row.slug, row.billing, row.pk) for row in rows]
    return sorted(named, key=lambda choice: plain(str(choice.label)))


def _states(_circuit: str) -> Iterable[Choice]:
    return [
        Choice(Matador.State.ACTIVE.value, _("Active")),
        Choice(Matador.State.NOVILLERO.value, _("Novilleros")),
        Choice(Matador.State.RETIRED.value, _("Retired")),
        Choice(HURT, _("Injured now")),
    ]


def _categories(_circuit: str) -> Iterable[Choice]:
    return [
        Choice("1", _("1st category")),
        Choice("2", _("2nd category")),
        Choice("3", _("3rd category")),
    ]


def _fates(_circuit: str) -> Iterable[Choice]:
    return [Choice(fate.value, fate.label) for fate in Bull.State]


def _trophies(_circuit: str) -> Iterable[Choice]:
    cut = (Lidia.Trophy.OREJA, Lidia.Trophy.DOS_OREJAS, Lidia.Trophy.RABO)
    names = (NAMES["oreja"], NAMES["dos"], NAMES["rabo"])
    return [Choice(str(n.value), name) for n, name in zip(cut, names, strict=True)]


def _afternoons(_circuit: str) -> Iterable[Choice]:
    return [
        Choice("tails", _("With a tail")),
        Choice("indultos", _("With an indulto")),
        Choice("hurt", _("With an injury")),
    ]


_SEASON = Filter(
    key="season", label=_("Season"), choices=_years, any_label=_("All seasons"), chief=True
)
_ONE_SEASON = Filter(
    key="season",
    label=_("Season"),
    choices=_years_and_all,
    any_label=_("Latest season"),
    chief=True,
)
_CATEGORY = Filter(
    key="category", label=_("Category"), choices=_categories, any_label=_("All categories")
)
_PLAZA = Filter(key="plaza", label=_("Plaza"), choices=_plazas, any_label=_("All plazas"))
_HERD = Filter(key="herd", label=_("Ganadería"), choices=_herds, any_label=_("All herds"))
_MATADOR = Filter(key="matador", label=_("Matador"), choices=_matadors, any_label=_("All matadors"))


def _country(choices: object) -> Filter:
    return Filter(
        key="country",
        label=_("Country"),
        choices=choices,  # type: ignore[arg-type]
        any_label=_("All countries"),
    )


_EARS = Column(key="ears", label=_("Ears"), icon="ear", order=("ears",))
_TAILS = Column(key="tails", label=_("Tails"), icon="tail", order=("tails",))
_INDULTOS = Column(key="indultos", label=_("Indultos"), icon="indulto", order=("indultos",))

MATADORS: Final = Listing(
    name="matadors",
    search=_("Name"),
    sort="name",
    columns=(
        Column(key="name", label=_("Matador"), kind="name", ascending=True),
        Column(key="rating", label=_("Rating")),
        Column(key="corridas", label=_("Corridas")),
        Column(key="bulls", label=_("Bulls"), usual=False),
        _EARS,
        _TAILS,
        Column(key="vueltas", label=_("Vueltas"), icon="vuelta", usual=False),
        _INDULTOS,
        Column(key="avisos", label=_("Avisos"), icon="aviso", usual=False),
        Column(key="rate", label=_("Ears per bull"), kind="rate"),
        Column(key="seasons", label=_("Seasons"), usual=False),
        Column(key="country", label=_("Country"), kind="country", ascending=True, usual=False),
        Column(key="style", label=_("Style"), kind="style", ascending=True, usual=False),
        Column(key="alternativa", label=_("Alternativa"), kind="day", ascending=True, usual=False),
        Column(key="form", label=_("Last ten bulls"), kind="form", sortable=False),
    ),
    filters=(
        Filter(
            key="state", label=_("Show"), choices=_states, any_label=_("All matadors"), chief=True
        ),
        _SEASON,
        _CATEGORY,
        _country(_countries),
        Filter(key="style", label=_("Style"), choices=_styles, any_label=_("All styles")),
    ),
)

HERDS: Final = Listing(
    name="herds",
    search=_("Name"),
    sort="name",
    columns=(
        Column(key="name", label=_("Ganadería"), kind="herd", ascending=True),
        Column(key="encaste", label=_("Encaste"), kind="text", ascending=True),
        Column(key="country", label=_("Country"), kind="country", ascending=True, usual=False),
        Column(key="bulls", label=_("Bulls")),
        _EARS,
        Column(key="tails", label=_("Tails"), icon="tail", usual=False),
        _INDULTOS,
        Column(key="rate", label=_("Ears per bull"), kind="rate"),
    ),
    filters=(
        _country(_herd_countries),
        Filter(
            key="encaste",
            label=_("Encaste"),
            choices=_encastes,
            any_label=_("All encastes"),
            chief=True,
        ),
    ),
)

PLAZAS: Final = Listing(
    name="plazas",
    search=_("City or name"),
    sort="category",
    columns=(
        Column(key="city", label=_("Plaza"), kind="plaza", ascending=True),
        Column(key="category", label=_("Category"), kind="category", ascending=True),
        Column(key="country", label=_("Country"), kind="country", ascending=True, usual=False),
        Column(key="seats", label=_("Seats"), usual=False),
        Column(key="corridas", label=_("Corridas")),
        _EARS,
        Column(key="tails", label=_("Tails"), icon="tail", usual=False),
        _INDULTOS,
        Column(key="rate", label=_("Ears per corrida"), kind="rate"),
        Column(key="last", label=_("Latest corrida"), kind="day"),
        Column(key="next", label=_("Next corrida"), kind="day", ascending=True),
    ),
    filters=(replace(_CATEGORY, chief=True), _country(_plaza_countries)),
)

BULLS: Final = Listing(
    name="bulls",
    search=_("Name"),
    sort="-date",
    columns=(
        Column(key="name", label=_("Bull"), kind="bull", order=("bull__name",), ascending=True),
        Column(
            key="number", label=_("Number"), order=("bull__number",), ascending=True, usual=False
        ),
        Column(
            key="herd",
            label=_("Ganadería"),
            kind="herd_link",
            order=("bull__ganaderia__name",),
            ascending=True,
        ),
        Column(
            key="coat",
            label=_("Coat"),
            kind="text",
            order=("bull__coat",),
            ascending=True,
            usual=False,
        ),
        Column(key="weight", label=_("Weight"), kind="kilos", order=("bull__weight",)),
        Column(
            key="date",
            label=_("Day"),
            kind="lidia",
            order=("corrida__date", "corrida_id", "turn"),
            ascending=True,
        ),
        Column(
            key="plaza",
            label=_("Plaza"),
            kind="text",
            order=("corrida__plaza__city",),
            ascending=True,
            usual=False,
        ),
        Column(
            key="matador",
            label=_("Matador"),
            kind="matador_link",
            order=("billing",),
            ascending=True,
        ),
        Column(
            key="verdict",
            label=_("Outcome"),
            kind="verdict",
            order=("trophy", "crowd"),
        ),
        Column(key="fate", label=_("Fate"), kind="fate", order=("bull__state",), ascending=True),
        Column(key="ears", label=_("Ears"), icon="ear", order=("trophy",), usual=False),
        Column(
            key="points", label=pgettext_lazy("of a lidia", "Score"), order=("score",), usual=False
        ),
    ),
    filters=(
        _ONE_SEASON,
        _HERD,
        _MATADOR,
        _PLAZA,
        Filter(key="trophy", label=_("Trophy"), choices=_trophies, any_label=_("All outcomes")),
        Filter(key="fate", label=_("Fate"), choices=_fates, any_label=_("Fought"), chief=True),
    ),
)

RESULTS: Final = Listing(
    name="results",
    sort="-date",
    columns=(
        Column(key="date", label=_("Day"), kind="corrida", order=("date",), ascending=True),
        Column(
            key="plaza",
            label=_("Plaza"),
            kind="plaza_link",
            order=("plaza__city",),
            ascending=True,
            usual=False,
        ),
        Column(
            key="category",
            label=_("Category"),
            kind="category",
            order=("plaza__category",),
            ascending=True,
            usual=False,
        ),
        Column(
            key="feria",
            label=_("Feria"),
            kind="text",
            order=("feria__name",),
            ascending=True,
            usual=False,
        ),
        Column(
            key="herd",
            label=_("Ganadería"),
            kind="herd_link",
            order=("cartel__ganaderia__name",),
            ascending=True,
            usual=False,
        ),
        Column(key="matadors", label=_("Matadors"), kind="shares", sortable=False),
        _EARS,
        _TAILS,
        _INDULTOS,
        Column(key="hurt", label=_("Injuries"), order=("hurt",), usual=False),
    ),
    filters=(
        _SEASON,
        _PLAZA,
        _CATEGORY,
        _HERD,
        _MATADOR,
        Filter(
            key="with",
            label=_("Show"),
            choices=_afternoons,
            any_label=_("All corridas"),
            chief=True,
        ),
        Filter(key="since", label=_("From"), is_date=True),
        Filter(key="until", label=_("Up to"), is_date=True),
    ),
)
