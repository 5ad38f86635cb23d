"""Matadors, their printed cards, and comparisons of two matadors, under `/api/v1/`."""

from __future__ import annotations

from collections import Counter, defaultdict
from datetime import date
from functools import cached_property
from typing import Any

import django_filters
from django.db.models import DateField, F, OuterRef, QuerySet, Subquery, Sum, Value
from django.db.models.functions import Coalesce
from django.db.models.lookups import Exact
from django.http import Http404
from drf_spectacular.utils import extend_schema_field, extend_schema_view
from rest_framework import serializers

from api.filters import BooleanFilter, IntegerFilter, SlugFilter, StrictFilterSet
from api.types import JSONObject
from api.views import DetailView, ListView
from corridas.api.links import Links, link_to, link_to_list
from corridas.api.mixins import OfCircuit
from corridas.api.representation import LidiaTold
from corridas.api.roster.places import with_circuit
from corridas.api.schema import op
from corridas.api.spoilers import RowTold, TotalsTold, check_circuit, spoiler_limit
from corridas.engine import RANGES
from corridas.escalafon.queries import careers, profiles, ranking
from corridas.models import Circuit, Escalafon, Injury, Matador, MatadorCard
from corridas.models.matadors import CHANCES
from corridas.results import LETTERS
from corridas.world.chances import CATEGORIES

GREAT = 8
FORM = {"type": "array", "items": {"type": "string", "enum": sorted(set(LETTERS.values()))}}


CHANCE = {"type": "number", "minimum": 0, "maximum": 1}
CHANCES_TOLD: dict[str, object] = {
    "type": "object",
    "nullable": True,
    "description": (
        "Chances with each bull by category of plaza, not rounded: of one ear or more, of two ears "
        "or more, of a lap of honour, and the expected number of ears. Null if they have not been "
        "calculated."
    ),
    "properties": {
        str(category): {
            "type": "object",
            "properties": {
                "ear": CHANCE,
                "two_ears": CHANCE,
                "lap": CHANCE,
                "ears": {"type": "number", "minimum": 0, "maximum": 2},
            },
            "required": ["ear", "two_ears", "lap", "ears"],
        }
        for category in CATEGORIES
    },
    "required": [str(category) for category in CATEGORIES],
}


def chances_told(row: object) -> dict[str, dict[str, float]] | None:
    """Return the chances of a card, or of a row with its columns, by category of plaza."""
    told: dict[str, dict[str, float]] = {str(category): {} for category in CATEGORIES}
    for column, (figure, category) in CHANCES.items():
        value = getattr(row, column)
        if value is None:
            return None
        told[str(category)][figure] = value
    return told


class MatadorSummed(serializers.Serializer[Matador]):
    """A matador and his totals."""

    slug = serializers.CharField()
    name = serializers.CharField(source="billing", help_text="As the posters print it.")
    full_name = serializers.CharField(source="name")
    country = serializers.CharField()
    style = serializers.CharField()  # type: ignore[assignment]
    state = serializers.ChoiceField(
        Matador.State.choices, allow_null=True, help_text="Null where `until` is a day."
    )
    fictional = serializers.BooleanField()
    alternativa = serializers.DateField(allow_null=True)
    rating = serializers.IntegerField(allow_null=True, help_text="Of the card printed last.")
    chances = serializers.SerializerMethodField()
    corridas = serializers.IntegerField(help_text="Of his whole career here.")
    ears = serializers.IntegerField()
    form = serializers.SerializerMethodField()
    links = Links(
        self=link_to("api_matador", circuit="@circuit", slug="slug"),
        cards=link_to_list("api_cards", {"circuit": "@circuit"}, matador="slug"),
        corridas=link_to_list("api_corridas", circuit="@circuit", matador="slug"),
    )

    @extend_schema_field(CHANCES_TOLD)
    def get_chances(self, matador: Matador) -> dict[str, dict[str, float]] | None:
        """Return the chances of the card printed last, by category of plaza."""
        return chances_told(matador)

    @extend_schema_field(FORM)
    def get_form(self, matador: Matador) -> list[str]:
        """Return the results of a matador's last ten bulls, the newest last.

        The list is empty if totals only count up to the day `until`.
        """
        return [LETTERS[letter] for letter in matador.form]


class MatadorRow(RowTold, MatadorSummed):
    """A matador in a list."""


class YearTold(serializers.Serializer[careers.Year]):
    """A season of a matador's career. The rating is null if he had no printed card yet."""

    year = serializers.IntegerField()
    place = serializers.IntegerField()
    of = serializers.IntegerField(help_text="How many were ranked.")
    rating = serializers.IntegerField(allow_null=True)
    corridas = serializers.IntegerField()
    bulls = serializers.IntegerField()
    ears = serializers.IntegerField()
    tails = serializers.IntegerField()
    vueltas = serializers.IntegerField()
    indultos = serializers.IntegerField()
    avisos = serializers.IntegerField()
    three_avisos = serializers.IntegerField()
    injuries = serializers.IntegerField()
    at_tables = serializers.IntegerField(help_text="Corridas fought at a real table.")


class InjuryTold(serializers.Serializer[Injury]):
    """An injury of a matador. `since` and `until` are the first and the last day of his rest."""

    grade = serializers.CharField()
    since = serializers.DateField()
    until = serializers.DateField()
    plaza = serializers.CharField(source="corrida.plaza.name")
    turn = serializers.IntegerField()
    links = Links(corrida=link_to("api_corrida", pk="corrida_id"))


class MatadorNamed(serializers.Serializer[Matador]):
    """The name of a related matador."""

    slug = serializers.CharField()
    name = serializers.CharField(source="billing")
    links = Links(matador=link_to("api_matador", circuit="@circuit", slug="slug"))


class Rival(serializers.Serializer[JSONObject]):
    """Another matador, and in how many corridas both fought."""

    slug = serializers.CharField(source="matador.slug")
    name = serializers.CharField(source="matador.billing")
    met = serializers.IntegerField()
    links = Links(
        duel=link_to("api_duel", circuit="@circuit", left="@slug", right="matador.slug"),
        matador=link_to("api_matador", circuit="@circuit", slug="matador.slug"),
    )


class MatadorWhole(TotalsTold, MatadorSummed):
    """A matador with his career, as far as results are posted."""

    birthplace = serializers.CharField()
    born = serializers.CharField(help_text="A date, or a year alone.")
    died = serializers.CharField()
    deathplace = serializers.CharField()
    alternativa_place = serializers.CharField()
    age = serializers.IntegerField(allow_null=True, help_text="In his last season.")
    retired_in = serializers.IntegerField(allow_null=True)
    padrino = MatadorNamed(allow_null=True)
    testigo = MatadorNamed(allow_null=True)
    godsons = MatadorNamed(many=True, source="stood_by")
    seasons = YearTold(many=True, source="years.lines", help_text="The latest first.")
    totals = serializers.DictField(child=serializers.IntegerField(), source="years.total")
    leads = serializers.IntegerField(source="years.leads", help_text="Seasons in first place.")
    injuries = InjuryTold(many=True, source="wounds")
    great = LidiaTold(many=True, help_text="His newest bulls of two ears and more.")
    rivals = Rival(many=True, help_text="Whom he met most often.")


def _listed(view: OfCircuit, until: date | None) -> QuerySet[Matador]:
    cards = profiles.printed(until).filter(matador=OuterRef("pk")).order_by("-printing")
    won = Escalafon.objects.filter(matador=OuterRef("pk")).order_by().values("matador")
    rows = Matador.objects.filter(circuit=view.circuit)
    if until:
        later = MatadorCard.objects.filter(printing=1, since__gt=until.year)
        rows = rows.exclude(pk__in=later.values("matador"))
    return rows.annotate(
        **{name: Subquery(cards.values(name)[:1]) for name in ("rating", *CHANCES)},
        corridas=Coalesce(Subquery(won.annotate(all=Sum("corridas")).values("all")), 0),
        ears=Coalesce(Subquery(won.annotate(all=Sum("ears")).values("all")), 0),
    )


def _as_of(rows: list[Any], circuit: Circuit, until: date | None) -> list[object]:
    """Add totals up to the end of a day to these matadors; three more queries."""
    for row in rows:
        row.until = until
    if until is None:
        return rows
    won: dict[int, Counter[str]] = defaultdict(Counter)
    for counts in ranking.by_season(circuit.seasons.all(), until).values():
        for row in rows:
            won[row.pk].update(counts.get(row.pk, {}))
    for row in rows:
        row.corridas, row.ears = won[row.pk]["corridas"], won[row.pk]["ears"]
        row.state, row.form = None, ""
        if row.retired_in and row.retired_in >= until.year:
            row.retired_in = None
        if row.alternativa and row.alternativa > until:
            row.alternativa = row.padrino = row.testigo = None
            row.alternativa_place = ""
    return rows


class MatadorFilter(StrictFilterSet):
    """Filters of matadors."""

    state = django_filters.ChoiceFilter(choices=Matador.State.choices)
    country = SlugFilter()
    style = SlugFilter()
    fictional = BooleanFilter()


@extend_schema_view(get=op("matadors_list"))
class Matadors(OfCircuit, ListView):
    """Matadors by name."""

    serializer_class = MatadorRow
    filterset_class = MatadorFilter
    ordering = ("name_key", "pk")
    queryset = Matador.objects.none()

    def get_queryset(self) -> QuerySet[Matador]:
        """Return the matadors of the circuit.

        Raise `Problem` for a filter by state, if spoiler protection hides results of the circuit.
        """
        if "state" in self.request.query_params:
            check_circuit(self.request, self.circuit.slug)
        return _listed(self, self.until)

    @cached_property
    def until(self) -> date | None:
        """Return the last day whose results the user may see, None for all; one query."""
        return spoiler_limit(self.request, self.circuit.slug).until

    def paginate_queryset(self, queryset: Any) -> list[Any]:
        """Return a page of matadors with totals up to the last day that the user may see."""
        return _as_of(super().paginate_queryset(queryset) or [], self.circuit, self.until)


@extend_schema_view(get=op("matadors_read"))
class OneMatador(OfCircuit, DetailView):
    """One matador."""

    serializer_class = MatadorWhole
    queryset = Matador.objects.none()

    def get_object(self) -> Any:
        limit = spoiler_limit(self.request, self.circuit.slug)
        until = limit.until
        rows = _listed(self, until).select_related("padrino", "testigo")
        matador: Any = rows.filter(slug=self.kwargs["slug"]).first()
        if matador is None:
            raise Http404("no such matador")
        _as_of([matador], self.circuit, until)
        matador.limit = limit
        matador.years = careers.years_of(matador, until)
        matador.age = _age(matador)
        matador.stood_by = profiles.godsons(matador, until)
        matador.wounds = profiles.injuries(matador, until)
        matador.great = profiles.great(with_circuit(profiles.finished_by(matador, until)), GREAT)
        matador.rivals = [
            {"matador": rival, "met": met} for rival, met in careers.rivals(matador, until)
        ]
        return matador


def _age(matador: Any) -> int | None:
    """Return a matador's age in his last season, or None if it is unknown."""
    lines = matador.years.lines
    last = matador.retired_in or (lines[0].year if lines else None)
    if matador.counted_from is None or last is None:
        return None
    return int(last - matador.counted_from)


class CardRow(RowTold):
    """A printing of a matador's card. Each range is written as `81-94`, or as a dash if empty."""

    matador = serializers.CharField(source="matador.slug")
    name = serializers.CharField(source="matador.billing")
    printing = serializers.IntegerField()
    rating = serializers.IntegerField()
    since = serializers.IntegerField(
        allow_null=True, help_text="The year for whose season it was printed."
    )
    ranges = serializers.SerializerMethodField()
    chances = serializers.SerializerMethodField()
    latest = serializers.BooleanField(help_text="Whether contracts are made with it.")
    links = Links(matador=link_to("api_matador", circuit="@circuit", slug="matador.slug"))

    @extend_schema_field(CHANCES_TOLD)
    def get_chances(self, card: MatadorCard) -> dict[str, dict[str, float]] | None:
        """Return the chances of the card by category of plaza."""
        return chances_told(card)

    @extend_schema_field(
        {
            "type": "object",
            "properties": {name: {"type": "string"} for name in RANGES},
            "required": list(RANGES),
        }
    )
    def get_ranges(self, card: MatadorCard) -> dict[str, str]:
        """Return the card's ranges of verdicts and trophies, and of vuelta, aviso and indulto."""
        return card.ranges()


class CardFilter(StrictFilterSet):
    """Filters of matadors' cards."""

    matador = SlugFilter(field_name="matador__slug")
    since = IntegerFilter(highest=9999)
    latest = BooleanFilter()


@extend_schema_view(get=op("cards_list"))
class Cards(OfCircuit, ListView):
    """Printings of matadors' cards, the newest first."""

    serializer_class = CardRow
    filterset_class = CardFilter
    ordering = ("-pk",)
    queryset = MatadorCard.objects.none()

    def get_queryset(self) -> QuerySet[MatadorCard]:
        until = spoiler_limit(self.request, self.circuit.slug).until
        printed = profiles.printed(until)
        others = printed.filter(matador=OuterRef("matador")).order_by("-printing")
        newest = Subquery(others.values("printing")[:1])
        rows = printed.filter(matador__circuit=self.circuit).select_related("matador")
        day = Value(until, output_field=DateField(null=True))
        return rows.annotate(latest=Exact(F("printing"), newest), until=day)


class DuelCounts(serializers.Serializer[JSONObject]):
    """Totals of one of two compared matadors, over corridas for which both were announced."""

    slug = serializers.CharField()
    name = serializers.CharField()
    won = serializers.IntegerField(help_text="Afternoons that were his: more ears, then tails.")
    bulls = serializers.IntegerField()
    ears = serializers.IntegerField()
    tails = serializers.IntegerField()
    vueltas = serializers.IntegerField()
    indultos = serializers.IntegerField()
    avisos = serializers.IntegerField()
    links = Links(matador=link_to("api_matador", circuit="@circuit", slug="slug"))


class DuelTold(TotalsTold):
    """Comparison of two matadors over all corridas for which both were announced."""

    met = serializers.IntegerField()
    level = serializers.IntegerField(help_text="Afternoons that were nobody's.")
    left = DuelCounts()
    right = DuelCounts()
    links = Links(
        corridas=link_to_list("api_corridas", circuit="@circuit", matador="@left", met="@right")
    )


@extend_schema_view(get=op("duels_read"))
class OneDuel(OfCircuit, DetailView):
    """Comparison of two matadors over the corridas in which both were announced (mano a mano)."""

    serializer_class = DuelTold
    queryset = Matador.objects.none()

    def get_object(self) -> JSONObject:
        slugs = (self.kwargs["left"], self.kwargs["right"])
        rows = Matador.objects.filter(circuit=self.circuit, slug__in=slugs)
        matadors_by_slug = {row.slug: row for row in rows}
        if len(matadors_by_slug) < 2:
            raise Http404("no two such matadors")
        left, right = (matadors_by_slug[slug] for slug in slugs)
        limit = spoiler_limit(self.request, self.circuit.slug, careers.meeting(left, right))
        duel = careers.duel(left, right, limit.until)
        return {
            "limit": limit,
            "met": len(duel.meetings),
            "level": duel.level,
            "left": _side(duel, 0),
            "right": _side(duel, 1),
        }


def _side(duel: careers.Duel, side: int) -> JSONObject:
    matador = (duel.left, duel.right)[side]
    counts = {name: duel.sums[side][name] for name in careers.COUNTED}
    return {"slug": matador.slug, "name": matador.billing, "won": duel.won[side], **counts}
