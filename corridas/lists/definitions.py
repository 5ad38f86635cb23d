"""Definitions of the lists of a circuit: their columns, filters and sort orders."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from operator import attrgetter
from typing import Final

from django.db.models import Exists, OuterRef
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from core.names.text import sort_key
from corridas.engine import MATADORS as MATADORS_OF_A_CORRIDA
from corridas.glossary import COUNTRIES
from corridas.lists.listing import Choice, Column, Detail, Filter, Listing
from corridas.lists.queries import MatadorTrophies, ResultRow, seasons
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
    return _sorted(Choice(name, COUNTRIES.get(name, name)) for name in names if name)


def _sorted(choices: Iterable[Choice]) -> list[Choice]:
    return sorted(choices, key=lambda choice: sort_key(str(choice.label)))


def _countries(circuit: str) -> Iterable[Choice]:
    people = Matador.objects.filter(circuit__slug=circuit).order_by()
    return _named(people.values_list("country", flat=True).distinct())


def _styles(circuit: str) -> Iterable[Choice]:
    people = Matador.objects.filter(circuit__slug=circuit).order_by()
    words = people.exclude(style="").values_list("style", flat=True).distinct()
    return _sorted(Choice(word, STYLES.get(word, word)) for word in words)


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
    return _sorted(
        Choice(slug, f"{city} ({name})" if cities.count(city) > 1 else city, pk)
        for pk, slug, city, name in rows
    )


def _herds(circuit: str) -> Iterable[Choice]:
    rows = Ganaderia.objects.filter(circuit__slug=circuit).values_list("slug", "name", "pk")
    return _sorted(Choice(*row) for row in rows)


def _matadors(circuit: str) -> Iterable[Choice]:
    # The list leaves out matadors who have never been announced for a corrida. They may be new
    # since a winter that the reader has not reached yet, and listing them would spoil its news.
    billed = Puesto.objects.filter(matador=OuterRef("pk"))
    rows = Matador.objects.filter(Exists(billed), circuit__slug=circuit)
    rows = rows.only("slug", "name", "apodo", "distinction")
    return _sorted(Choice(row.slug, row.billing, row.pk) for row in rows)


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


def _details(*names: str, **renamed: str) -> tuple[Detail, ...]:
    """Return `Detail` objects (additional contents of a table cell) that read these attributes of a
    row.

    `renamed` maps a column name of the CSV file to the attribute.
    """
    attributes = {**{name: name for name in names}, **renamed}
    return tuple(Detail(key, attrgetter(attribute)) for key, attribute in attributes.items())


def _shares() -> Iterable[Detail]:
    """Yield details with the name, slug, ears and injury of each matador of a corrida.

    In a CSV file they have columns of their own, because names may contain commas, and so that a
    spreadsheet can add up the ears.
    """

    def of_share(
        place: int, read: Callable[[MatadorTrophies], object]
    ) -> Callable[[ResultRow], object]:
        return lambda row: read(row.matadors[place]) if place < len(row.matadors) else ""

    for place in range(MATADORS_OF_A_CORRIDA):
        key = f"matador_{place + 1}"
        yield Detail(key, of_share(place, attrgetter("name")))
        yield Detail(f"{key}_slug", of_share(place, attrgetter("slug")))
        yield Detail(f"{key}_ears", of_share(place, attrgetter("ears")))
        yield Detail(f"{key}_injured", of_share(place, lambda share: "yes" if share.hurt else ""))


_COUNTRY = Column(
    key="country",
    label=_("Country"),
    kind="country",
    ascending=True,
    usual=False,
    names=COUNTRIES,
)
_EARS = Column(key="ears", label=_("Ears"), icon="ear", order=("ears",))
_TAILS = Column(key="tails", label=_("Tails"), icon="tail", order=("tails",))
_INDULTOS = Column(key="indultos", label=_("Indultos"), icon="indulto", order=("indultos",))

# Columns with the chances of a matador's latest card, by category of plaza.
_CHANCES: Final = tuple(
    Column(
        key=f"{name}_{category}",
        label=label,
        kind="expected" if name == "ears" else "chance",
        usual=name == "ear" and category == 1,
        short=format_lazy(_("{figure} · cat. {category}"), figure=figure, category=category),
    )
    for category, name, figure, label in (
        (1, "ear", _("An ear"), _("Chance of an ear, category 1")),
        (1, "two_ears", _("Two ears"), _("Chance of two ears, category 1")),
        (1, "lap", _("A lap"), _("Chance of a lap, category 1")),
        (1, "ears", _("Ears per bull"), _("Expected ears per bull, category 1")),
        (2, "ear", _("An ear"), _("Chance of an ear, category 2")),
        (2, "two_ears", _("Two ears"), _("Chance of two ears, category 2")),
        (2, "lap", _("A lap"), _("Chance of a lap, category 2")),
        (2, "ears", _("Ears per bull"), _("Expected ears per bull, category 2")),
        (3, "ear", _("An ear"), _("Chance of an ear, category 3")),
        (3, "two_ears", _("Two ears"), _("Chance of two ears, category 3")),
        (3, "lap", _("A lap"), _("Chance of a lap, category 3")),
        (3, "ears", _("Ears per bull"), _("Expected ears per bull, category 3")),
    )
)

MATADORS: Final = Listing(
    name="matadors",
    search=_("Name"),
    sort="place",
    columns=(
        Column(
            key="name",
            label=_("Matador"),
            kind="name",
            ascending=True,
            details=_details("slug", "birthplace", "state", "hurt_until"),
        ),
        Column(
            key="rating",
            label=_("Rating"),
            # A CSV file always contains the chances.
            details=tuple(Detail(column.key, column.read_csv) for column in _CHANCES),
        ),
        *_CHANCES,
        Column(key="corridas", label=_("Corridas")),
        Column(key="bulls", label=_("Bulls"), usual=False),
        _EARS,
        _TAILS,
        Column(key="vueltas", label=_("Vueltas"), icon="vuelta", usual=False),
        _INDULTOS,
        Column(key="avisos", label=_("Avisos"), icon="aviso", usual=False),
        Column(key="rate", label=_("Ears per bull"), kind="rate"),
        Column(key="seasons", label=_("Seasons"), usual=False),
        _COUNTRY,
        Column(
            key="style",
            label=_("Style"),
            kind="style",
            ascending=True,
            usual=False,
            names=STYLES,
        ),
        Column(key="alternativa", label=_("Alternativa"), kind="day", ascending=True, usual=False),
        Column(key="form", label=_("Last ten bulls"), kind="form", sortable=False),
        Column(key="place", label=_("Place in the escalafón"), ascending=True, usual=False),
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
    sort="ears",
    columns=(
        Column(
            key="name",
            label=_("Ganadería"),
            kind="herd",
            ascending=True,
            details=_details("slug", "country"),
        ),
        Column(key="encaste", label=_("Encaste"), kind="text", ascending=True),
        _COUNTRY,
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
        Column(
            key="city",
            label=_("Plaza"),
            kind="plaza",
            ascending=True,
            details=_details("slug", "name"),
        ),
        Column(key="category", label=_("Category"), kind="category", ascending=True),
        _COUNTRY,
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
    sort="verdict",
    tie_break=("-corrida__date", "-pk"),
    columns=(
        Column(
            key="name",
            label=_("Bull"),
            kind="bull",
            order=("bull_key",),
            ascending=True,
            details=_details("number", id="pk"),
        ),
        Column(
            key="number", label=_("Number"), order=("bull__number",), ascending=True, usual=False
        ),
        Column(
            key="herd",
            label=_("Ganadería"),
            kind="herd_link",
            order=("bull__ganaderia__name_key",),
            ascending=True,
            details=_details("herd_slug"),
        ),
        Column(
            key="coat",
            label=_("Coat"),
            kind="text",
            order=("coat_key",),
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
            details=_details("plaza", "corrida", "turn"),
        ),
        Column(
            key="plaza",
            label=_("Plaza"),
            kind="text",
            order=("corrida__plaza__city_key",),
            ascending=True,
            usual=False,
        ),
        Column(
            key="matador",
            label=_("Matador"),
            kind="matador_link",
            order=("finisher__billing_key",),
            ascending=True,
            details=_details("matador_slug"),
        ),
        Column(
            key="verdict",
            label=_("Outcome"),
            kind="verdict",
            order=("trophy", "crowd"),
        ),
        Column(key="fate", label=_("Fate"), kind="fate", order=("fate_key",), ascending=True),
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
    tie_break=("-date", "-pk"),
    columns=(
        Column(
            key="date",
            label=_("Day"),
            kind="corrida",
            order=("date",),
            ascending=True,
            details=_details("plaza", id="pk"),
        ),
        Column(
            key="plaza",
            label=_("Plaza"),
            kind="plaza_link",
            order=("plaza__city_key",),
            ascending=True,
            usual=False,
            details=_details("plaza_slug"),
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
            order=("feria__name_key",),
            ascending=True,
            usual=False,
        ),
        Column(
            key="herd",
            label=_("Ganadería"),
            kind="herd_link",
            order=("cartel__ganaderia__name_key",),
            ascending=True,
            usual=False,
            details=_details("herd_slug"),
        ),
        Column(
            key="matadors",
            label=_("Matadors"),
            kind="shares",
            sortable=False,
            details=tuple(_shares()),
        ),
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
