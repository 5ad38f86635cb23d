"""The escalafón of a season, and its race over the dates."""

from __future__ import annotations

from datetime import date
from functools import cached_property
from typing import Any

from rest_framework import serializers

from api.views import Detail
from corridas.api.described import Operation, described
from corridas.api.links import Links, to
from corridas.api.seen import OfCircuit
from corridas.api.shield import TotalsTold, told
from corridas.models import Escalafon
from corridas.queries import escalafon, race
from corridas.queries.escalafon import CATEGORIES
from corridas.queries.tables import verified
from corridas.queries.verdicts import VERDICTS
from corridas.shield import Tells, Told, among_of


class RankingAsked(serializers.Serializer[Any]):
    """Which part of the season counts."""

    category = serializers.ChoiceField(
        [str(one) for one in CATEGORIES], required=False, help_text="Of the plazas; else all."
    )
    until = serializers.DateField(required=False, help_text="The last day that counts.")


class EscalafonLine(serializers.Serializer[Any]):
    """A matador's line: his place (Ruling I-17), his counters, the way he went."""

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
    links = Links(matador=to("api_matador", circuit="@circuit", slug="slug"))


class EscalafonTold(TotalsTold):
    """The escalafón as far as the season is posted."""

    year = serializers.IntegerField()
    version = serializers.IntegerField(help_text="Rises whenever a result is posted.")
    corridas = serializers.IntegerField(help_text="Held up to now.")
    before = serializers.DateField(allow_null=True, help_text="From when on places are gained.")
    rows = EscalafonLine(many=True)
    links = Links(
        season=to("api_season", circuit="@circuit", year="@year"),
        race=to("api_race", circuit="@circuit", year="@year"),
    )


class _Ranked(OfCircuit, Detail):
    """What is asked of the ranking."""

    questions = RankingAsked
    queryset = Escalafon.objects.none()

    @cached_property
    def categories(self) -> tuple[int, ...]:
        """Categories of plazas that count."""
        asked = self.asked(self.request)
        return (int(asked["category"]),) if "category" in asked else CATEGORIES

    @cached_property
    def shown(self) -> tuple[Told, date | None]:
        """How far it is told, and the last day that counts; one query."""
        among = among_of(Tells.SEASON, {"year": self.season.year})
        shown = told(self.request, self.circuit.slug, among)
        return shown.up_to(self.asked(self.request).get("until"))

    def ranked(self) -> race.Told:
        """The ranking that was asked for."""
        return race.told(self.season, self.categories, self.shown[1])


@described(get=Operation("escalafon_read"))
class Ranking(_Ranked):
    """The ranking."""

    serializer_class = EscalafonTold

    def get_object(self) -> dict[str, Any]:
        """Lines in the order of the ranking; seven queries."""
        ranked, (shown, until) = self.ranked(), self.shown
        form = escalafon.form(ranked.part)
        tables = verified(self.season, self.categories, until).matadors
        before = ranked.marks[-2][0] if len(ranked.marks) > 1 else None
        rows = [
            {
                **{name: getattr(line, name) for name in line.__slots__},
                "rate": round(line.rate, 4),
                "moved": gained,
                "form": form.get(line.pk, []),
                "at_tables": sum(tables.get(line.pk, {}).values()),
            }
            for line, gained in race.moved(ranked.lines, ranked.before())
        ]
        held = len({one.corrida for one in ranked.part.paseillos})
        return {
            "told": shown,
            "year": self.season.year,
            "version": self.season.posted_version,
            "corridas": held,
            "before": before,
            "rows": rows,
        }


class RaceDay(serializers.Serializer[Any]):
    """A day of the race, and the feria that ended on it, if one did."""

    date = serializers.DateField()
    feria = serializers.CharField()


class RaceRunner(serializers.Serializer[Any]):
    """A matador in the race: his place on every day of it, null before his first afternoon."""

    matador = serializers.CharField(source="slug")
    name = serializers.CharField()
    places = serializers.ListField(child=serializers.IntegerField(allow_null=True))


class RaceTold(TotalsTold):
    """Who stood where on each of up to twelve days."""

    days = RaceDay(many=True)
    runners = RaceRunner(many=True)


@described(get=Operation("race_read"))
class Race(_Ranked):
    """The race over the dates."""

    serializer_class = RaceTold

    def get_object(self) -> dict[str, Any]:
        """Everybody's places in one pass over the season."""
        ranked = self.ranked()
        days = [day for day, _name in ranked.marks]
        tables = escalafon.places(ranked.part, days, ranked.people)
        return {
            "told": self.shown[0],
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
