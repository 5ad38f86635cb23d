"""Serializers that several resources use: results, totals and leading matadors."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from corridas.api.links import Links, link_to
from corridas.escalafon.queries.profiles import Sums, TopMatador
from corridas.models import Lidia
from corridas.results import VERDICTS, verdict


class LidiaTold(serializers.Serializer[Lidia]):
    """A finished lidia and its result. Numbers are null if the lidia was broken off."""

    turn = serializers.IntegerField(help_text="1 to 6.")
    bull = serializers.CharField(source="bull.name")
    starter = serializers.CharField(source="starter.billing", help_text="Who began it.")
    finisher = serializers.CharField(
        source="finisher.billing",
        default=None,
        allow_null=True,
        help_text="Who it is credited to; null where nobody was left.",
    )
    ending = serializers.ChoiceField(Lidia.Ending.choices)
    verdict = serializers.SerializerMethodField()
    trophy = serializers.ChoiceField(Lidia.Trophy.choices, allow_null=True)
    crowd = serializers.ChoiceField(Lidia.Crowd.choices, allow_null=True)
    vuelta = serializers.BooleanField(allow_null=True)
    avisos = serializers.IntegerField()
    injured = serializers.SerializerMethodField()
    matador_points = serializers.IntegerField()
    bull_points = serializers.IntegerField()
    kill_points = serializers.IntegerField()
    score = serializers.IntegerField(allow_null=True)
    number = serializers.IntegerField(allow_null=True, help_text="The final number.")
    links = Links(
        self=link_to("api_lidia", pk="corrida_id", turn="turn"),
        corrida=link_to("api_corrida", pk="corrida_id"),
        bull=link_to("api_bull", circuit="corrida.season.circuit.slug", pk="bull_id"),
        finisher=link_to(
            "api_matador", circuit="corrida.season.circuit.slug", slug="finisher.slug"
        ),
    )

    @extend_schema_field({"type": ["string", "null"], "enum": [*VERDICTS, None]})
    def get_verdict(self, lidia: Lidia) -> str | None:
        """Return the verdict of the lidia, from bronca (jeers) to two ears and the tail."""
        return verdict(lidia.trophy, lidia.crowd) if lidia.finisher_id else None

    @extend_schema_field({"type": "array", "items": {"type": "integer"}})
    def get_injured(self, lidia: Lidia) -> list[int]:
        """Return the places on the cartel (0-2) of the matadors that the bull injured."""
        return [place for place in range(3) if lidia.injured & 1 << place]


class SumsTold(serializers.Serializer[Sums]):
    """Totals over several bulls, such as ears and avisos (warnings)."""

    corridas = serializers.IntegerField()
    bulls = serializers.IntegerField()
    ears = serializers.IntegerField()
    tails = serializers.IntegerField()
    indultos = serializers.IntegerField()
    avisos = serializers.IntegerField()
    three_avisos = serializers.IntegerField()


class BestTold(serializers.Serializer[TopMatador]):
    """A matador with many ears, and the number of bulls for which he got them."""

    matador = serializers.CharField(source="name")
    ears = serializers.IntegerField()
    bulls = serializers.IntegerField()
    links = Links(matador=link_to("api_matador", circuit="@circuit", slug="slug"))
