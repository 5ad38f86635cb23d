"""The record book, and a season between two covers."""

from __future__ import annotations

from typing import Any

import django_filters
from django.db.models import Q, QuerySet
from rest_framework import serializers

from api.filters import Filters, Whole, Word
from api.views import Detail, Listing
from corridas.api.described import Operation, described
from corridas.api.links import Links, to
from corridas.api.matadors import InjuryTold
from corridas.api.places import with_circuit
from corridas.api.prizes import AwardTold
from corridas.api.seen import OfCircuit
from corridas.api.shield import TotalsTold, told
from corridas.api.told import LidiaTold
from corridas.models import Lidia, Record, Season
from corridas.queries.recordbook import book
from corridas.queries.recordbook.yearbook import CHANGES, yearbook
from corridas.simulation import book_until
from corridas.world.records import KINDS

MONTH = ("corridas", "bulls", "ears", "tails", "vueltas", "indultos", "avisos")


class RecordTold(serializers.Serializer[Any]):
    """A line of the book: the best that was ever done of its kind, and who holds it."""

    key = serializers.ChoiceField([kind.key for kind in KINDS])
    label = serializers.CharField()  # type: ignore[assignment]
    gloss = serializers.CharField()
    scope = serializers.ChoiceField(Record.Scope.choices, source="row.scope")
    of = serializers.CharField(source="row.of", help_text="Whose: a slug; the circuit's: empty.")
    value = serializers.CharField()
    before = serializers.CharField(help_text="What stood when its season began; empty: nothing.")
    set_on = serializers.DateField(source="row.set_on", allow_null=True)
    year = serializers.IntegerField(source="row.season.year", default=None, allow_null=True)
    turn = serializers.IntegerField(source="row.turn", allow_null=True)
    matador = serializers.CharField(source="row.matador.billing", default=None, allow_null=True)
    herd = serializers.CharField(source="row.ganaderia.name", default=None, allow_null=True)
    bull = serializers.CharField(source="row.bull.name", default=None, allow_null=True)
    links = Links(
        matador=to("api_matador", circuit="@circuit", slug="row.matador.slug"),
        herd=to("api_herd", circuit="@circuit", slug="row.ganaderia.slug"),
        bull=to("api_bull", circuit="@circuit", pk="row.bull.pk"),
        corrida=to("api_corrida", pk="row.corrida_id"),
        lidia=to("api_lidia", pk="row.corrida_id", turn="row.turn"),
        season=to("api_season", circuit="@circuit", year="row.season.year"),
    )


class RecordFilter(Filters):
    """Which lines."""

    scope = django_filters.ChoiceFilter(choices=Record.Scope.choices)
    of = Word()
    key = django_filters.ChoiceFilter(choices=[(kind.key, kind.key) for kind in KINDS])
    year = Whole(field_name="season__year", highest=9999)
    matador = Word(field_name="matador__slug")


@described(get=Operation("records_list"))
class Records(OfCircuit, Listing):
    """All books of a circuit: its own, and those of plazas, ferias, herds and matadors."""

    serializer_class = RecordTold
    filterset_class = RecordFilter
    queryset = Record.objects.none()

    def get_queryset(self) -> QuerySet[Record]:
        """Of the circuit."""
        return book.lines(Q(circuit=self.circuit))

    def paginate_queryset(self, queryset: Any) -> list[Any]:
        """A page with its words."""
        return list(book.entries(super().paginate_queryset(queryset) or []))


class SeasonCounts(serializers.Serializer[Any]):
    """What was counted."""

    corridas = serializers.IntegerField()
    bulls = serializers.IntegerField()
    ears = serializers.IntegerField()
    tails = serializers.IntegerField()
    vueltas = serializers.IntegerField()
    indultos = serializers.IntegerField()
    avisos = serializers.IntegerField()


class SeasonMonth(SeasonCounts):
    """A month of the season."""

    month = serializers.IntegerField()


class WinterChange(serializers.Serializer[Any]):
    """What the winter after it did to somebody."""

    kind = serializers.ChoiceField(CHANGES)
    matador = serializers.CharField(source="matador.billing")
    links = Links(matador=to("api_matador", circuit="@circuit", slug="matador.slug"))


class InjuryOf(InjuryTold):
    """A wound, and whose."""

    matador = serializers.CharField(source="matador.billing")
    links = Links(
        matador=to("api_matador", circuit="@circuit", slug="matador.slug"),
        corrida=to("api_corrida", pk="corrida_id"),
    )


class YearbookTold(TotalsTold):
    """A season between two covers, as far as it is posted."""

    year = serializers.IntegerField()
    over = serializers.BooleanField(help_text="Whether its last corrida is posted.")
    totals = SeasonCounts()
    months = SeasonMonth(many=True)
    awards = AwardTold(many=True)
    fallen = RecordTold(many=True, help_text="Records that it broke and still holds.")
    great = LidiaTold(many=True, help_text="Bulls of a tail, the highest score first.")
    injuries = InjuryOf(many=True)
    winter = WinterChange(many=True)
    links = Links(
        escalafon=to("api_escalafon", circuit="@circuit", year="@year"),
        awards=to("api_awards", circuit="@circuit", year="@year"),
        winter=to("api_winter", circuit="@circuit", year="@year"),
    )


@described(get=Operation("yearbook_read"))
class Yearbook(OfCircuit, Detail):
    """The yearbook of a season."""

    serializer_class = YearbookTold
    queryset = Season.objects.none()

    def get_object(self) -> dict[str, Any]:
        """As the printed one has it."""
        shown = told(self.request, self.circuit.slug)
        then = book_until(self.circuit.pk, shown.until) if shown.until else None
        annual = yearbook(self.season, shown.until, then.records() if then else None)
        great = [row.pk for row, _bull in annual.great]
        rows = with_circuit(Lidia.objects.filter(pk__in=great))
        return {
            "told": shown,
            "year": self.season.year,
            "over": annual.over,
            "totals": _counts(annual.totals),
            "months": [{"month": one.day.month, **_counts(one.counts)} for one in annual.months],
            "awards": annual.awards,
            "fallen": annual.fallen,
            "great": sorted(rows, key=lambda row: great.index(row.pk)),
            "injuries": annual.injuries,
            "winter": annual.winter,
        }


def _counts(counted: Any) -> dict[str, int]:
    return {name: counted[name] for name in MONTH}
