"""Digests (what happened in a run of a season) under `/api/v1/`: their list, and a single one."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from drf_spectacular.utils import extend_schema_field, extend_schema_view
from rest_framework import serializers

from api.types import JSONObject
from api.views import DetailView, ListView
from corridas.api.links import Links, link_to, link_to_list
from corridas.api.mixins import OfCircuit
from corridas.api.schema import op
from corridas.api.spoilers import RowTold, has_unwatched, spoiler_limit
from corridas.engine import RANGES, Card, Tally
from corridas.escalafon.queries.records import Sentence
from corridas.models import Run
from corridas.results import VERDICTS
from corridas.season import digest
from corridas.spoilers.addresses import SpoilerScope
from corridas.spoilers.hiding import corridas_at
from corridas.stage.decision import Decision
from corridas.world import gates
from corridas.world.stops import StopOn

CONDITIONS = [condition.value for condition in StopOn]
REASONS = ["asked", gates.REASON, *CONDITIONS]


class DigestOf(serializers.Serializer[JSONObject]):
    """A digest, identified by the id of its run."""

    id = serializers.IntegerField(source="run.pk")
    state = serializers.ChoiceField(Run.State.choices, source="run.state")
    stopped_by = serializers.SerializerMethodField(
        help_text="Why the run ended before its goal; `asked`: by its director."
    )

    @extend_schema_field(
        {"type": "array", "items": {"type": "string", "enum": REASONS}},
    )
    def get_stopped_by(self, row: JSONObject) -> list[str]:
        """Return the stop conditions that ended the run.

        The reason of a failed run is left out, because only its director may know it.
        """
        run = row["run"]
        reasons = run.reason.split(",") if run.state == Run.State.STOPPED else []
        return [reason for reason in reasons if reason in REASONS]


class DigestRow(RowTold, DigestOf):
    """A digest in the list of its season."""

    starts = serializers.DateField(source="run.starts", help_text="The day of its first corrida.")
    ends = serializers.DateField(source="run.ends", help_text="The day of its last corrida.")
    corridas = serializers.IntegerField(source="run.held")
    ears = serializers.IntegerField(source="counts.ears")
    tails = serializers.IntegerField(source="counts.tails")
    indultos = serializers.IntegerField(source="counts.indultos")
    hurt = serializers.IntegerField(help_text="Injuries.")
    links = Links(
        self=link_to("api_digest", circuit="@circuit", year="@year", run="run.pk"),
        season=link_to("api_season", circuit="@circuit", year="@year"),
        page=link_to("page:digest", circuit="@circuit", year="@year", run="run.pk"),
    )


@extend_schema_view(get=op("digests_list"))
class Digests(OfCircuit, ListView):
    """Digests of the runs of a season, newest first. Runs that played no corrida are left out.

    With spoiler protection, runs that end after the last day that spoils nothing are left out too.
    """

    serializer_class = DigestRow
    ordering = ("-pk",)
    queryset = Run.objects.none()
    # The last day whose results spoil nothing for the user, None for all days.
    until: date | None = None

    def get_queryset(self) -> QuerySet[Run]:
        among = corridas_at(SpoilerScope.SEASON, {"year": self.season.year})
        self.until = spoiler_limit(self.request, self.circuit.slug, among).until
        return digest.listed(self.season, self.until)

    def paginate_queryset(self, queryset: Any) -> list[Any]:
        """Return a page of digests with their counts. Two more queries."""
        lines = digest.lines(super().paginate_queryset(queryset) or [])
        return [{**vars(line), "until": self.until} for line in lines]


class DigestPerson(serializers.Serializer[Any]):
    """The slug and the name of a matador, null if there is none."""

    matador = serializers.CharField(source="person.slug", default=None, allow_null=True)
    name = serializers.CharField(source="person.name", default=None, allow_null=True)


class DigestPlace(serializers.Serializer[Any]):
    """A corrida with its date and plaza."""

    corrida = serializers.IntegerField(source="corrida.pk")
    date = serializers.DateField(source="corrida.date")
    plaza = serializers.CharField(source="corrida.plaza.slug")
    city = serializers.CharField(source="corrida.plaza.city")


class CardNamed(serializers.Serializer[Card]):
    """An action card: its index in the deck and its number."""

    place = serializers.IntegerField(help_text="In the deck, 0-69.")
    number = serializers.IntegerField()


class DecidingCard(serializers.Serializer[JSONObject]):
    """The card of a lidia after which its verdict was certain, and the final number.

    If a third aviso (warning) ended the lidia, the numbers are null and `pair` is empty.
    """

    card = serializers.IntegerField(help_text="Which card of the lidia it is, from 1.")
    face = CardNamed()
    pair = CardNamed(many=True, help_text="The two cards of the number, in the order drawn.")
    drawn = serializers.IntegerField(allow_null=True, help_text="What the two cards make.")
    points = serializers.IntegerField(allow_null=True)
    number = serializers.IntegerField(allow_null=True, help_text="The two together, from 1 to 100.")


class BestBull(serializers.Serializer[JSONObject]):
    """The best bull of a matador in a corrida."""

    turn = serializers.IntegerField(source="shown.turn")
    bull = serializers.CharField(source="shown.name")
    verdict = serializers.ChoiceField(VERDICTS, source="shown.verdict", allow_null=True)
    spared = serializers.BooleanField(source="shown.spared")
    decision = DecidingCard(
        source="deciding", allow_null=True, help_text="Null where its cards are not known."
    )


class DigestAfternoon(DigestPlace, DigestPerson):
    """A corrida of the run, its most successful matador and his trophies.

    If nobody finished a bull, everything but the corrida is null or 0.
    """

    ears = serializers.IntegerField(source="counts.ears", default=0)
    tails = serializers.IntegerField(source="counts.tails", default=0)
    indultos = serializers.IntegerField(source="counts.indultos", default=0)
    best = BestBull(allow_null=True)
    hurt = serializers.ListField(
        child=serializers.CharField(), help_text="Matadors who were injured."
    )
    links = Links(
        corrida=link_to("api_corrida", pk="corrida.pk"),
        matador=link_to("api_matador", circuit="@circuit", slug="person.slug"),
        lidia=link_to("api_lidia", pk="corrida.pk", turn="best.shown.turn"),
        card=link_to(
            "api_moment", pk="corrida.pk", turn="best.shown.turn", card="best.deciding.card"
        ),
        page=link_to("page:corrida", circuit="@circuit", pk="corrida.pk"),
    )


@extend_schema_field(
    {"type": "object", "properties": {name: {"type": "string"} for name in RANGES}}
)
class Ranges(serializers.DictField):
    """The ranges of a matador's card. Each is written as `81-94`, or as a dash if empty."""


class BestAfternoon(DigestAfternoon):
    """The best performance of a run, the matador's new place in the ranking, and his card."""

    place = serializers.IntegerField(source="move.line.place", default=None, allow_null=True)
    was = serializers.IntegerField(
        source="move.was", default=None, allow_null=True, help_text="Before the run; null: none."
    )
    ranges = Ranges(source="bands", help_text="Empty where his card is not known.")


class DigestTotals(serializers.Serializer[Tally]):
    """Totals of all corridas of a run."""

    corridas = serializers.IntegerField()
    bulls = serializers.IntegerField(source="out", help_text="That came out.")
    ears = serializers.IntegerField()
    tails = serializers.IntegerField()
    vueltas = serializers.IntegerField()
    indultos = serializers.IntegerField()
    avisos = serializers.IntegerField()
    three_avisos = serializers.IntegerField()
    hurt = serializers.IntegerField(help_text="Injuries.")


class DigestTrophies(DigestPerson):
    """The trophies of a matador in the corridas of a run."""

    bulls = serializers.IntegerField(source="counts.bulls")
    ears = serializers.IntegerField(source="counts.ears")
    tails = serializers.IntegerField(source="counts.tails")
    indultos = serializers.IntegerField(source="counts.indultos")
    links = Links(matador=link_to("api_matador", circuit="@circuit", slug="person.slug"))


class MissedCorrida(DigestPlace):
    """A corrida that an injured matador misses, and his substitute.

    The substitute is null until one is found.
    """

    substitute = serializers.CharField(source="substitute.slug", default=None, allow_null=True)
    name = serializers.CharField(source="substitute.name", default=None, allow_null=True)
    links = Links(
        corrida=link_to("api_corrida", pk="corrida.pk"),
        substitute=link_to("api_matador", circuit="@circuit", slug="substitute.slug"),
    )


class DigestInjury(DigestPlace, DigestPerson):
    """An injury of a matador, his rest, and the corridas that he misses.

    `since` and `until` are the first and the last day of his rest.
    """

    turn = serializers.IntegerField(source="injury.turn")
    grade = serializers.CharField(source="injury.grade")
    since = serializers.DateField(source="injury.since")
    until = serializers.DateField(source="injury.until")
    missed = MissedCorrida(many=True)
    links = Links(
        matador=link_to("api_matador", circuit="@circuit", slug="person.slug"),
        corrida=link_to("api_corrida", pk="corrida.pk"),
        lidia=link_to("api_lidia", pk="corrida.pk", turn="injury.turn"),
    )


class DigestMove(serializers.Serializer[digest.RankChange]):
    """A matador's place in the ranking before and after a run, if it changed."""

    matador = serializers.CharField(source="line.slug")
    name = serializers.CharField(source="line.name")
    was = serializers.IntegerField(allow_null=True, help_text="Before the run; null: none.")
    place = serializers.IntegerField(source="line.place", help_text="After it.")
    links = Links(matador=link_to("api_matador", circuit="@circuit", slug="line.slug"))


class FallenRecord(DigestPerson):
    """A record of the circuit that was broken in a run, with the value before it."""

    key = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    value = serializers.CharField()
    before = serializers.CharField()
    turn = serializers.IntegerField(allow_null=True)
    links = Links(
        matador=link_to("api_matador", circuit="@circuit", slug="person.slug"),
        corrida=link_to("api_corrida", pk="corrida.pk"),
        lidia=link_to("api_lidia", pk="corrida.pk", turn="turn"),
    )


class WithinReach(serializers.Serializer[Sentence]):
    """A sentence about a matador who may reach a record or a round number in the next corridas."""

    matador = serializers.CharField(source="slug")
    name = serializers.CharField()
    words = serializers.CharField()
    record = serializers.BooleanField(help_text="A record is near; else a round number.")
    links = Links(matador=link_to("api_matador", circuit="@circuit", slug="slug"))


class SparedBull(DigestPlace, DigestPerson):
    """A bull spared in a run, the matador who fought it, and the number that decided it."""

    id = serializers.IntegerField(source="bull.pk")
    bull = serializers.CharField(source="bull.name")
    number = serializers.IntegerField(source="bull.number")
    weight = serializers.IntegerField(source="bull.weight")
    herd = serializers.CharField(source="bull.ganaderia.slug")
    turn = serializers.IntegerField(source="lidia.turn")
    decision = DecidingCard(
        source="deciding", allow_null=True, help_text="Null where its cards are not known."
    )
    range = serializers.CharField(help_text="Numbers for which his card spares the bull.")
    links = Links(
        bull=link_to("api_bull", circuit="@circuit", pk="bull.pk"),
        herd=link_to("api_herd", circuit="@circuit", slug="bull.ganaderia.slug"),
        matador=link_to("api_matador", circuit="@circuit", slug="person.slug"),
        lidia=link_to("api_lidia", pk="corrida.pk", turn="lidia.turn"),
        card=link_to("api_moment", pk="corrida.pk", turn="lidia.turn", card="deciding.card"),
    )


class DigestAlternativa(DigestPlace, DigestPerson):
    """An alternativa (a novillero becomes a matador).

    Its two witnesses are the padrino and the testigo.
    """

    padrino = serializers.CharField(source="padrino.slug")
    testigo = serializers.CharField(source="testigo.slug")
    links = Links(
        matador=link_to("api_matador", circuit="@circuit", slug="person.slug"),
        padrino=link_to("api_matador", circuit="@circuit", slug="padrino.slug"),
        testigo=link_to("api_matador", circuit="@circuit", slug="testigo.slug"),
        corrida=link_to("api_corrida", pk="corrida.pk"),
    )


class DigestStop(DigestPlace, DigestPerson):
    """A stop condition that ended the run, the matador who met it, and where."""

    kind = serializers.ChoiceField(CONDITIONS)
    turn = serializers.IntegerField(help_text="0 is the paseíllo.")
    card = serializers.IntegerField(
        allow_null=True, help_text="Which card of the lidia; null where its cards are not known."
    )
    words = serializers.CharField(help_text="Which record; empty for other conditions.")
    links = Links(
        matador=link_to("api_matador", circuit="@circuit", slug="person.slug"),
        corrida=link_to("api_corrida", pk="corrida.pk"),
        lidia=link_to("api_lidia", pk="corrida.pk", turn="lidia"),
        card=link_to("api_moment", pk="corrida.pk", turn="turn", card="card"),
    )


class ComingMatador(DigestPerson):
    """A matador of the cartel of a coming corrida."""


class ComingCorrida(DigestPlace):
    """A coming corrida and its matadors in the order of appearance."""

    matadors = ComingMatador(
        many=True, source="shares", help_text="None until the cartel is announced."
    )
    links = Links(
        corrida=link_to("api_corrida", pk="corrida.pk"),
        page=link_to("page:corrida", circuit="@circuit", pk="corrida.pk"),
    )


class DigestWhole(DigestOf):
    """What happened in a run of a season, and what comes next.

    Rankings and records are those at the end of the run. Records within reach and the next corridas
    are left out if another run has followed.
    """

    year = serializers.IntegerField(source="run.season.year")
    starts = serializers.DateField(help_text="The day of its first corrida.")
    ends = serializers.DateField(help_text="The day of its last corrida.")
    done = serializers.IntegerField(source="run.done")
    total = serializers.IntegerField(source="run.total", help_text="Corridas it was to play.")
    feria = serializers.CharField(
        source="feria.slug",
        default=None,
        allow_null=True,
        help_text="Of all its corridas; null where they belong to several or to none.",
    )
    totals = DigestTotals()
    best = BestAfternoon(allow_null=True, help_text="Null where nobody finished a bull.")
    corridas = serializers.ListField(
        child=serializers.IntegerField(), help_text="Ids of its corridas, by date."
    )
    afternoons = DigestAfternoon(many=True, help_text="The best five, by date.")
    trophies = DigestTrophies(many=True, source="cut", help_text="The most first.")
    injuries = DigestInjury(many=True, source="hurt", help_text="By date.")
    moves = DigestMove(many=True, help_text="By place; everybody where there was no place before.")
    fallen = FallenRecord(many=True, help_text="Records that fell.")
    near = WithinReach(many=True, help_text="Records within reach.")
    spared = SparedBull(many=True)
    stops = DigestStop(many=True)
    alternativas = DigestAlternativa(many=True, help_text="By date.")
    coming = ComingCorrida(many=True, help_text="The next two corridas.")
    veiled = serializers.BooleanField(
        help_text="Whether records are left out, for the person has not watched all of the circuit."
    )
    links = Links(
        self=link_to("api_digest", circuit="@circuit", year="@year", run="run.pk"),
        previous=link_to("api_digest", circuit="@circuit", year="@year", run="neighbours.before"),
        next=link_to("api_digest", circuit="@circuit", year="@year", run="neighbours.after"),
        digests=link_to("api_digests", circuit="@circuit", year="@year"),
        season=link_to("api_season", circuit="@circuit", year="@year"),
        escalafon=link_to("api_escalafon", circuit="@circuit", year="@year"),
        corridas=link_to_list("api_corridas", circuit="@circuit", since="starts", until="ends"),
        page=link_to("page:digest", circuit="@circuit", year="@year", run="run.pk"),
    )


@extend_schema_view(get=op("digests_read"))
class OneDigest(OfCircuit, DetailView):
    """The digest of one run: what happened in its corridas."""

    serializer_class = DigestWhole
    queryset = Run.objects.none()

    def get_object(self) -> JSONObject:
        """Return the whole digest. A fixed number of queries, at most fifteen."""
        slug = self.circuit.slug
        run = digest.find_run(slug, self.kwargs["year"], self.kwargs["run"])
        if run is None:
            raise Http404("no such digest")
        veiled = has_unwatched(self.request, slug)
        found = digest.digest_of(run, whole=True, shielded=veiled)
        totals = found.totals.copy()
        totals["corridas"] = len(found.held)
        return {
            **vars(found),
            "starts": found.held[0].date,
            "ends": found.held[-1].date,
            "feria": found.feria,
            "totals": totals,
            "best": {**_afternoon(found.best), "move": found.move, "bands": found.bands}
            if found.best
            else None,
            "corridas": [corrida.pk for corrida in found.held],
            "afternoons": [_afternoon(afternoon) for afternoon in found.shown],
            "spared": [
                {**one._asdict(), "deciding": _deciding(one.decision)} for one in found.spared
            ],
            "stops": [{**stop._asdict(), "lidia": stop.turn or None} for stop in found.stops],
            "veiled": veiled,
        }


def _afternoon(afternoon: digest.DigestCorrida) -> JSONObject:
    first = afternoon.first
    bull = first.best if first else None
    return {
        "corrida": afternoon.corrida,
        "person": first.person if first else None,
        "counts": first.counts if first else None,
        "best": {"shown": bull.shown, "deciding": _deciding(bull.decision)} if bull else None,
        "hurt": [share.person.slug for share in afternoon.shares if share.hurt],
    }


def _deciding(decision: Decision | None) -> JSONObject | None:
    if decision is None:
        return None
    numbers = {name: getattr(decision, name) for name in ("drawn", "points", "number")}
    return {
        "card": decision.card,
        "face": decision.face,
        "pair": decision.pair,
        **(numbers if decision.pair else dict.fromkeys(numbers)),
    }
