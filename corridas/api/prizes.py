"""Awards and the hall of fame."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from api.views import Detail
from corridas.api.described import Operation, described
from corridas.api.links import Links, to
from corridas.api.seen import OfCircuit
from corridas.api.shield import TotalsTold, told
from corridas.models import Award, Circuit
from corridas.queries.recordbook import awards, hall
from corridas.world.awards import FORMULAS

KEYS = [formula.key for formula in FORMULAS]


class FormulaTerm(serializers.Serializer[Any]):
    """A count of a formula and what one of it is worth."""

    number = serializers.IntegerField()
    words = serializers.CharField()
    weight = serializers.IntegerField()


class AwardTold(serializers.Serializer[Any]):
    """A prize as it was given; with nobody in it the jury left it unawarded."""

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
        matador=to("api_matador", circuit="@circuit", slug="row.matador.slug"),
        herd=to("api_herd", circuit="@circuit", slug="row.ganaderia.slug"),
        bull=to("api_bull", circuit="@circuit", pk="row.bull.pk"),
        corrida=to("api_corrida", pk="row.corrida_id"),
        lidia=to("api_lidia", pk="row.corrida_id", turn="row.turn"),
    )


class FeriaAwards(serializers.Serializer[Any]):
    """The prizes of one feria."""

    feria = serializers.CharField(source="slug")
    name = serializers.CharField()
    awards = AwardTold(many=True)
    links = Links(feria=to("api_feria", circuit="@circuit", year="@year", slug="slug"))


class RuleTold(serializers.Serializer[Any]):
    """A formula as it is published."""

    key = serializers.ChoiceField(KEYS)
    label = serializers.CharField()  # type: ignore[assignment]
    gloss = serializers.CharField()
    terms = FormulaTerm(many=True)
    ties = serializers.ListField(child=serializers.CharField(), help_text="What parts equal ones.")


class AwardsTold(serializers.Serializer[Any]):
    """The prizes of a season and of its ferias, and the formulas behind them."""

    season = AwardTold(many=True, help_text="None before its last corrida is posted.")
    ferias = FeriaAwards(many=True)
    rules = RuleTold(many=True)


@described(get=Operation("awards_read"))
class Awards(OfCircuit, Detail):
    """Prizes of a season."""

    serializer_class = AwardsTold
    queryset = Award.objects.none()

    def get_object(self) -> dict[str, Any]:
        """Three queries."""
        given = awards.of_ferias(self.season)
        named = [(row.feria, own) for row, own in given if row.feria is not None]
        return {
            "season": awards.of_season(self.season),
            "ferias": [{"slug": f.slug, "name": f.name, "awards": own} for f, own in named],
            "rules": awards.rules(),
        }


class MemberTold(serializers.Serializer[Any]):
    """A matador in the hall of fame, or before its door, and what his points are made of."""

    matador = serializers.CharField(source="matador.billing")
    points = serializers.IntegerField()
    seasons = serializers.IntegerField()
    terms = FormulaTerm(many=True, source="sums")
    links = Links(matador=to("api_matador", circuit="@circuit", slug="matador.slug"))


class HallTold(TotalsTold):
    """Who is inside, by points, and who comes nearest."""

    entry = serializers.IntegerField(help_text="Points that open the door.")
    terms = FormulaTerm(many=True)
    members = MemberTold(many=True)
    waiting = MemberTold(many=True)


@described(get=Operation("hall_read"))
class Hall(OfCircuit, Detail):
    """The hall of fame of a circuit."""

    serializer_class = HallTold
    queryset = Circuit.objects.none()

    def get_object(self) -> dict[str, Any]:
        """Three queries, more where it is told as of a day."""
        shown = told(self.request, self.circuit.slug)
        return {"told": shown, **hall.hall(self.circuit.pk, shown.until)._asdict()}
