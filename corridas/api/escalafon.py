"""The escalafón (ranking of matadors) of a season, its race, awards, records and yearbook."""

from __future__ import annotations

from collections import Counter
from dataclasses import fields
from datetime import date
from functools import cached_property
from typing import Any

import django_filters
from django.db.models import Q, QuerySet
from drf_spectacular.utils import extend_schema_view
from rest_framework import serializers

from api.filters import IntegerFilter, SlugFilter, StrictFilterSet
from api.types import JSONObject
from api.views import DetailView, ListView
from corridas.api.links import Links, link_to
from corridas.api.mixins import OfCircuit
from corridas.api.representation import LidiaTold
from corridas.api.roster.matadors import InjuryTold
from corridas.api.roster.places import with_circuit
from corridas.api.schema import op
from corridas.api.spoilers import TotalsTold, spoiler_limit
from corridas.escalafon.queries import awards, ranking, records
from corridas.escalafon.queries.ranking import CATEGORIES
from corridas.escalafon.queries.yearbook import CHANGES, Change, yearbook
from corridas.models import Award, Circuit, Escalafon, Lidia, Record, RecordBook, Season
from corridas.results import VERDICTS
from corridas.simulation.derived_book import book_until
from corridas.spoilers.addresses import SpoilerScope
from corridas.spoilers.hiding import SpoilerLimit, corridas_at
from corridas.tabletop.queries import verified
from corridas.world.awards import FORMULAS
from corridas.world.records import KINDS


class RankingAsked(serializers.Serializer[JSONObject]):
    """Which corridas the ranking counts: by category of plaza and up to a day."""

    category = serializers.ChoiceField(
        [str(category) for category in CATEGORIES],
        required=False,
        help_text="Of the plazas; else all.",
    )
    until = serializers.DateField(required=False, help_text="The last day that counts.")


class EscalafonLine(serializers.Serializer[JSONObject]):
    """A matador in the ranking: his place (Ruling I-17), his totals and his movement."""

    place = serializers.IntegerField()
    moved = serializers.IntegerField(
        allow_null=True, help_text="Places gained since `before`; null where he is new."
    )
    matador = serializers.CharField(source="slug")
    name = serializers.CharField()
    full_name = serializers.CharField()
    birthplace = serializers.CharField()
    corridas = serializers.IntegerField()
    bulls = serializers.IntegerField()
    ears = serializers.IntegerField()
    tails = serializers.IntegerField()
    vueltas = serializers.IntegerField()
    indultos = serializers.IntegerField()
    avisos = serializers.IntegerField()
    three_avisos = serializers.IntegerField()
    rate = serializers.FloatField(help_text="Ears a bull.")
    at_tables = serializers.IntegerField(help_text="Corridas fought at a real table.")
    form = serializers.ListField(
        child=serializers.ChoiceField(VERDICTS), help_text="His last ten bulls, the newest last."
    )
    links = Links(matador=link_to("api_matador", circuit="@circuit", slug="slug"))


class EscalafonTold(TotalsTold):
    """The ranking of a season after the results posted so far."""

    year = serializers.IntegerField()
    version = serializers.IntegerField(help_text="Rises whenever a result is posted.")
    corridas = serializers.IntegerField(help_text="Held up to now.")
    before = serializers.DateField(allow_null=True, help_text="From when on places are gained.")
    rows = EscalafonLine(many=True)
    links = Links(
        season=link_to("api_season", circuit="@circuit", year="@year"),
        race=link_to("api_race", circuit="@circuit", year="@year"),
    )


class _Ranked(OfCircuit, DetailView):
    """Base class of views of a ranking, with its query parameters."""

    query_serializer_class = RankingAsked
    queryset = Escalafon.objects.none()

    @cached_property
    def categories(self) -> tuple[int, ...]:
        """Return the categories of plazas that the ranking counts."""
        asked = self.read_query(self.request)
        return (int(asked["category"]),) if "category" in asked else CATEGORIES

    @cached_property
    def cutoff(self) -> tuple[SpoilerLimit, date | None]:
        """Return the limit of spoiler protection and the last day that counts in the ranking.

        One query.
        """
        among = corridas_at(SpoilerScope.SEASON, {"year": self.season.year})
        limit = spoiler_limit(self.request, self.circuit.slug, among)
        return limit.up_to(self.read_query(self.request).get("until"))

    def ranked(self) -> ranking.Ranking:
        """Return the requested ranking."""
        return ranking.ranking_of(self.season, self.categories, self.cutoff[1])


@extend_schema_view(get=op("escalafon_read"))
class Ranking(_Ranked):
    """The escalafón (ranking of matadors) of a season."""

    serializer_class = EscalafonTold

    def get_object(self) -> JSONObject:
        """Return the lines of the ranking in order; seven queries."""
        ranked, (limit, until) = self.ranked(), self.cutoff
        form = ranking.form(ranked.part)
        tables = verified(self.season, self.categories, until).matadors
        before = ranked.marks[-2][0] if len(ranked.marks) > 1 else None
        rows = [
            {
                **{field.name: getattr(line, field.name) for field in fields(line)},
                "rate": round(line.rate, 4),
                "moved": gained,
                "form": form.get(line.pk, []),
                "at_tables": sum(tables.get(line.pk, {}).values()),
            }
            for line, gained in ranking.moved(ranked.lines, ranked.before())
        ]
        held = len({paseillo.corrida for paseillo in ranked.part.paseillos})
        return {
            "limit": limit,
            "year": self.season.year,
            "version": self.season.posted_version,
            "corridas": held,
            "before": before,
            "rows": rows,
        }


class RaceDay(serializers.Serializer[JSONObject]):
    """A date in the race for first place, and the feria that ended on it, if any."""

    date = serializers.DateField()
    feria = serializers.CharField()


class RaceRunner(serializers.Serializer[JSONObject]):
    """A matador's places on the dates of the race, null before his first corrida."""

    matador = serializers.CharField(source="slug")
    name = serializers.CharField()
    places = serializers.ListField(child=serializers.IntegerField(allow_null=True))


class RaceTold(TotalsTold):
    """The places of the matadors on up to twelve dates of a season."""

    days = RaceDay(many=True)
    runners = RaceRunner(many=True)


@extend_schema_view(get=op("race_read"))
class Race(_Ranked):
    """The race of a season: the places of the matadors on several dates."""

    serializer_class = RaceTold

    def get_object(self) -> JSONObject:
        ranked = self.ranked()
        days = [day for day, _name in ranked.marks]
        tables = ranking.places(ranked.part, days, ranked.people)
        return {
            "limit": self.cutoff[0],
            "days": [{"date": day, "feria": name} for day, name in ranked.marks],
            "runners": [
                {
                    "slug": line.slug,
                    "name": line.name,
                    "places": [table.get(line.pk) for table in tables],
                }
                for line in ranked.lines
            ],
        }


KEYS = [formula.key for formula in FORMULAS]


class FormulaTerm(serializers.Serializer[awards.Sum]):
    """A term of a points formula: what it counts, and the points for each."""

    number = serializers.IntegerField()
    words = serializers.CharField()
    weight = serializers.IntegerField()


class AwardTold(serializers.Serializer[awards.GivenAward]):
    """An award and its winner. Without a winner it was not given."""

    key = serializers.ChoiceField(KEYS)
    label = serializers.CharField()  # type: ignore[assignment]
    gloss = serializers.CharField()
    score = serializers.CharField(help_text="What the formula came to.")
    terms = FormulaTerm(many=True, source="sums")
    bulls = serializers.IntegerField(help_text="Of which the score is a mean; 0 where it is none.")
    matador = serializers.CharField(source="row.matador.billing", default=None, allow_null=True)
    herd = serializers.CharField(source="row.ganaderia.name", default=None, allow_null=True)
    bull = serializers.CharField(source="row.bull.name", default=None, allow_null=True)
    turn = serializers.IntegerField(source="row.turn", allow_null=True)
    links = Links(
        matador=link_to("api_matador", circuit="@circuit", slug="row.matador.slug"),
        herd=link_to("api_herd", circuit="@circuit", slug="row.ganaderia.slug"),
        bull=link_to("api_bull", circuit="@circuit", pk="row.bull.pk"),
        corrida=link_to("api_corrida", pk="row.corrida_id"),
        lidia=link_to("api_lidia", pk="row.corrida_id", turn="row.turn"),
    )


class FeriaAwards(serializers.Serializer[JSONObject]):
    """The awards of one feria."""

    feria = serializers.CharField(source="slug")
    name = serializers.CharField()
    awards = AwardTold(many=True)
    links = Links(feria=link_to("api_feria", circuit="@circuit", year="@year", slug="slug"))


class RuleTold(serializers.Serializer[awards.Rule]):
    """The published formula by which an award is decided."""

    key = serializers.ChoiceField(KEYS)
    label = serializers.CharField()  # type: ignore[assignment]
    gloss = serializers.CharField()
    terms = FormulaTerm(many=True)
    ties = serializers.ListField(child=serializers.CharField(), help_text="What parts equal ones.")


class AwardsTold(serializers.Serializer[JSONObject]):
    """The awards of a season and of its ferias, and the formulas that decide them."""

    season = AwardTold(many=True, help_text="None before its last corrida is posted.")
    ferias = FeriaAwards(many=True)
    rules = RuleTold(many=True)


@extend_schema_view(get=op("awards_read"))
class Awards(OfCircuit, DetailView):
    """Awards of a season and of its ferias."""

    serializer_class = AwardsTold
    queryset = Award.objects.none()

    def get_object(self) -> JSONObject:
        """Return the awards; three queries."""
        given = awards.of_ferias(self.season)
        named = [(row.feria, own) for row, own in given if row.feria is not None]
        return {
            "season": awards.of_season(self.season),
            "ferias": [
                {"slug": feria.slug, "name": feria.name, "awards": own} for feria, own in named
            ],
            "rules": awards.rules(),
        }


class MemberTold(serializers.Serializer[awards.Member]):
    """A matador in the hall of fame or close to it, and how his points were earned."""

    matador = serializers.CharField(source="matador.billing")
    points = serializers.IntegerField()
    seasons = serializers.IntegerField()
    terms = FormulaTerm(many=True, source="sums")
    links = Links(matador=link_to("api_matador", circuit="@circuit", slug="matador.slug"))


class HallTold(TotalsTold):
    """The members of the hall of fame by points, and the matadors closest to it."""

    entry = serializers.IntegerField(help_text="Points needed for the hall of fame.")
    terms = FormulaTerm(many=True)
    members = MemberTold(many=True)
    waiting = MemberTold(many=True)


@extend_schema_view(get=op("hall_read"))
class Hall(OfCircuit, DetailView):
    """The hall of fame of a circuit."""

    serializer_class = HallTold
    queryset = Circuit.objects.none()

    def get_object(self) -> JSONObject:
        """Return the hall of fame; three queries, more if spoiler protection limits it to a day."""
        limit = spoiler_limit(self.request, self.circuit.slug)
        return {"limit": limit, **awards.hall(self.circuit.pk, limit.until)._asdict()}


MONTH = ("corridas", "bulls", "ears", "tails", "vueltas", "indultos", "avisos")


class RecordTold(serializers.Serializer[records.RecordEntry]):
    """A line of a record book: the best result of its kind, and who holds it."""

    key = serializers.ChoiceField([kind.key for kind in KINDS])
    label = serializers.CharField()  # type: ignore[assignment]
    gloss = serializers.CharField()
    scope = serializers.ChoiceField(RecordBook.Scope.choices, source="row.book.scope")
    of = serializers.CharField(
        source="row.book.of", help_text="Whose: a slug; the circuit's: empty."
    )
    value = serializers.CharField()
    before = serializers.CharField(help_text="What stood when its season began; empty: nothing.")
    set_on = serializers.DateField(source="row.set_on", allow_null=True)
    year = serializers.IntegerField(source="row.season.year", default=None, allow_null=True)
    turn = serializers.IntegerField(source="row.turn", allow_null=True)
    matador = serializers.CharField(source="row.matador.billing", default=None, allow_null=True)
    herd = serializers.CharField(source="row.ganaderia.name", default=None, allow_null=True)
    bull = serializers.CharField(source="row.bull.name", default=None, allow_null=True)
    links = Links(
        matador=link_to("api_matador", circuit="@circuit", slug="row.matador.slug"),
        herd=link_to("api_herd", circuit="@circuit", slug="row.ganaderia.slug"),
        bull=link_to("api_bull", circuit="@circuit", pk="row.bull.pk"),
        corrida=link_to("api_corrida", pk="row.corrida_id"),
        lidia=link_to("api_lidia", pk="row.corrida_id", turn="row.turn"),
        season=link_to("api_season", circuit="@circuit", year="row.season.year"),
    )


class RecordFilter(StrictFilterSet):
    """Filters of records."""

    scope = django_filters.ChoiceFilter(field_name="book__scope", choices=RecordBook.Scope.choices)
    of = SlugFilter(field_name="book__of")
    key = django_filters.ChoiceFilter(choices=[(kind.key, kind.key) for kind in KINDS])
    year = IntegerFilter(field_name="season__year", highest=9999)
    matador = SlugFilter(field_name="matador__slug")


@extend_schema_view(get=op("records_list"))
class Records(OfCircuit, ListView):
    """Records of a circuit and of its plazas, ferias, herds and matadors."""

    serializer_class = RecordTold
    filterset_class = RecordFilter
    queryset = Record.objects.none()

    def get_queryset(self) -> QuerySet[Record]:
        return records.lines(Q(book__circuit=self.circuit))

    def paginate_queryset(self, queryset: Any) -> list[Any]:
        """Return a page of records with their texts."""
        return list(records.entries(super().paginate_queryset(queryset) or []))


class SeasonCounts(serializers.Serializer[JSONObject]):
    """Totals of a season, such as its corridas, bulls and ears."""

    corridas = serializers.IntegerField()
    bulls = serializers.IntegerField()
    ears = serializers.IntegerField()
    tails = serializers.IntegerField()
    vueltas = serializers.IntegerField()
    indultos = serializers.IntegerField()
    avisos = serializers.IntegerField()


class SeasonMonth(SeasonCounts):
    """Totals of one month of a season."""

    month = serializers.IntegerField()


class WinterChange(serializers.Serializer[Change]):
    """A change for a matador in the winter after the season."""

    kind = serializers.ChoiceField(CHANGES)
    matador = serializers.CharField(source="matador.billing")
    links = Links(matador=link_to("api_matador", circuit="@circuit", slug="matador.slug"))


class InjuryOf(InjuryTold):
    """An injury with the name of the injured matador."""

    matador = serializers.CharField(source="matador.billing")
    links = Links(
        matador=link_to("api_matador", circuit="@circuit", slug="matador.slug"),
        corrida=link_to("api_corrida", pk="corrida_id"),
    )


class YearbookTold(TotalsTold):
    """The yearbook of a season, as far as its results are posted."""

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
        escalafon=link_to("api_escalafon", circuit="@circuit", year="@year"),
        awards=link_to("api_awards", circuit="@circuit", year="@year"),
        winter=link_to("api_winter", circuit="@circuit", year="@year"),
    )


@extend_schema_view(get=op("yearbook_read"))
class Yearbook(OfCircuit, DetailView):
    """The yearbook of a season: its totals, awards, records and injuries."""

    serializer_class = YearbookTold
    queryset = Season.objects.none()

    def get_object(self) -> JSONObject:
        limit = spoiler_limit(self.request, self.circuit.slug)
        then = book_until(self.circuit.pk, limit.until) if limit.until else None
        annual = yearbook(self.season, limit.until, then.records() if then else None)
        great = [row.pk for row, _bull in annual.great]
        rows = with_circuit(Lidia.objects.filter(pk__in=great))
        return {
            "limit": limit,
            "year": self.season.year,
            "over": annual.over,
            "totals": _counts(annual.totals),
            "months": [
                {"month": month.day.month, **_counts(month.counts)} for month in annual.months
            ],
            "awards": annual.awards,
            "fallen": annual.fallen,
            "great": sorted(rows, key=lambda row: great.index(row.pk)),
            "injuries": annual.injuries,
            "winter": annual.winter,
        }


def _counts(counted: Counter[str]) -> dict[str, int]:
    return {name: counted[name] for name in MONTH}
