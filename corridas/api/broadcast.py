"""Broadcast lidias under `/api/v1/`: results, cards and moments that have already been shown."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from django.utils import timezone
from drf_spectacular.utils import extend_schema_view
from rest_framework import serializers

from api.types import JSONObject
from api.views import DetailView, ListView
from corridas.api.links import Links, link_to
from corridas.api.mixins import Worded, worded_language
from corridas.api.representation import LidiaTold
from corridas.api.roster.places import with_circuit
from corridas.api.schema import op
from corridas.api.season.corridas import OfCorrida
from corridas.broadcast import source
from corridas.engine import Scoresheet, TercioSheet
from corridas.models import Corrida, Lidia
from corridas.stage import story, trophies
from corridas.stage.scene import Scene
from corridas.stage.showing import Showing
from corridas.stage.table import CardLine, Face
from corridas.tabletop import queries
from corridas.world.broadcast import BroadcastError


@extend_schema_view(get=op("lidias_list"))
class Lidias(OfCorrida, ListView):
    """The finished lidias of a corrida, in the order in which the bulls came out."""

    serializer_class = LidiaTold
    ordering = ("turn",)
    queryset: Any = Lidia.objects.none()

    def get_queryset(self) -> QuerySet[Lidia]:
        """Return the lidias whose last card has been broadcast."""
        return finished_lidias(self.find_corrida())


def finished_lidias(corrida: Corrida) -> QuerySet[Lidia]:
    rows = Lidia.objects.shown(at=timezone.now()).filter(corrida=corrida)
    return with_circuit(rows).defer("draws").order_by("turn")


class TercioColumn(serializers.Serializer[TercioSheet]):
    """A tercio (third of a lidia) on the scoresheet.

    It has the number of hash marks, which of them read CLAVAR, and the entries of matador and bull.
    """

    marks = serializers.IntegerField()
    clavars = serializers.ListField(child=serializers.IntegerField())
    matador = serializers.ListField(child=serializers.IntegerField())
    bull = serializers.ListField(child=serializers.IntegerField())


class LidiaSheet(serializers.Serializer[Scoresheet]):
    """The scoresheet of a lidia as far as it has been broadcast."""

    matador = serializers.IntegerField(help_text="The place (0-2) of the matador who fights.")
    tercios = TercioColumn(many=True)
    kill = serializers.ListField(
        child=serializers.IntegerField(), source="modifiers", help_text="Modifiers of kill cards."
    )
    avisos = serializers.IntegerField()
    injured = serializers.ListField(child=serializers.IntegerField(), help_text="Places (0-2).")
    matador_points = serializers.IntegerField()
    bull_points = serializers.IntegerField()


class StoryLine(serializers.Serializer[story.StoryLine]):
    """A line of the story of a lidia.

    `act` is the tercio (1-3), 4 for kill and verdict, or 0 if no card was drawn.
    """

    act = serializers.IntegerField()
    count = serializers.IntegerField(allow_null=True, help_text="The hash mark or kill card.")
    text = serializers.CharField(source="plain")
    points = serializers.CharField()
    side = serializers.CharField(help_text="Whose points: m, b, k for the sword.")
    cards = serializers.IntegerField(help_text="Cards that lie open after it.")


class FaceLine(serializers.Serializer[CardLine]):
    """An entry of a card as printed. `read` is true if this entry counts."""

    label = serializers.CharField()  # type: ignore[assignment]
    words = serializers.CharField()
    sign = serializers.CharField()
    read = serializers.BooleanField()


class FaceTold(serializers.Serializer[Face]):
    """An open card on the table."""

    place = serializers.IntegerField(help_text="In the deck, 0-69.")
    number = serializers.IntegerField()
    number_read = serializers.BooleanField()
    answer = serializers.BooleanField(help_text="It answers the card before it.")
    ordinal = serializers.IntegerField(help_text="Which card of the lidia it is, from 1.")
    lines = FaceLine(many=True)


class BadgeTold(serializers.Serializer[trophies.Badge]):
    """A result such as an ear, as shown in the ring, and its count."""

    name = serializers.CharField()
    count = serializers.IntegerField()


class _Scene(serializers.Serializer[JSONObject]):
    """The state of a lidia at one moment of the broadcast."""

    corrida = serializers.IntegerField(source="scene.showing.corrida")
    turn = serializers.IntegerField(source="scene.turn")
    card = serializers.IntegerField(source="scene.cards", help_text="Cards that lie open.")
    done = serializers.BooleanField(source="scene.done")
    matador = serializers.CharField(source="scene.matador.name", help_text="Who fights.")
    bull = serializers.CharField(source="scene.bull.name", default=None, allow_null=True)
    sheet = LidiaSheet(source="scene.sheet")
    notation = serializers.CharField(source="scene.notation")


class LidiaWhole(_Scene):
    """A lidia with everything that has been broadcast so far."""

    story = StoryLine(many=True, help_text="In the language asked for, the first line first.")
    badges = BadgeTold(many=True, source="scene.badges", help_text="Once it is done.")
    result = LidiaTold(allow_null=True, help_text="Once it is done.")
    links = Links(
        self=link_to("api_lidia", pk="scene.showing.corrida", turn="scene.turn"),
        corrida=link_to("api_corrida", pk="scene.showing.corrida"),
        moment=link_to(
            "api_moment", pk="scene.showing.corrida", turn="address.turn", card="address.card"
        ),
    )


class MomentTold(_Scene):
    """A moment of a broadcast, identified by the lidia and its number of open cards."""

    phase = serializers.ChoiceField(["paseillo", "lidia", "end"], source="scene.phase")
    faces = FaceTold(many=True, source="scene.faces", help_text="The cards on the table.")
    story = StoryLine(many=True, source="scene.story", help_text="The newest line first.")
    hint = serializers.CharField(source="scene.hint.plain", help_text="What is drawn for next.")
    links = Links(
        self=link_to("api_moment", pk="corrida", turn="address.turn", card="address.card"),
        previous=link_to("api_moment", pk="corrida", turn="previous.turn", card="previous.card"),
        next=link_to("api_moment", pk="corrida", turn="next.turn", card="next.card"),
        page=link_to(
            "page:card",
            circuit="scene.showing.circuit",
            pk="corrida",
            turn="address.turn",
            card="address.card",
        ),
    )


class _Played(OfCorrida, DetailView):
    """Base class of views that show cards broadcast so far."""

    query_serializer_class = Worded

    def now(self, corrida: Corrida) -> tuple[Showing, int]:
        """Return the showing of a corrida and the last moment that has been broadcast.

        Raise `Http404` before the paseíllo (opening parade).
        """
        if source.is_played(corrida) and queries.has_cards(corrida):
            showing = source.showing_of(corrida)
            moment = source.reached(corrida, showing, timezone.now())
            if moment >= 0:
                return showing, moment
        raise Http404("nothing yet")

    def scene(self, showing: Showing, moment: int) -> Scene:
        """Return the scene at a moment, in the language and wording of the request."""
        language = worded_language(self.read_query(self.request))
        return Scene(showing=showing, moment=moment, language=language)


@extend_schema_view(get=op("lidias_read", LidiaWhole, problems=(409,)))
class OneLidia(_Played):
    """One lidia. Before its broadcast begins it is not found."""

    serializer_class = LidiaWhole

    def get_object(self) -> JSONObject:
        corrida, turn = self.find_corrida(), self.kwargs["turn"]
        showing, now = self.now(corrida)
        if not 1 <= turn <= showing.timeline.lidias:
            raise Http404("no such lidia")
        if showing.timeline.moment((turn, 0)) > now:
            raise Http404("not yet")
        last = showing.timeline.moment((turn, showing.timeline.cards_per_lidia[turn - 1]))
        scene = self.scene(showing, min(last, now))
        result = finished_lidias(corrida).filter(turn=turn).first() if scene.done else None
        lines = scene.whole_story[::-1]
        return {"scene": scene, "story": lines, "result": result, "address": scene.address}


@extend_schema_view(get=op("moments_read", MomentTold, problems=(409,)))
class OneMoment(_Played):
    """A moment of a broadcast.

    Turn 0 is the paseíllo (opening parade). The turn after the last bull is the end.
    """

    serializer_class = MomentTold

    def get_object(self) -> JSONObject:
        """Return the moment if it has already been broadcast. Otherwise raise `Http404`."""
        showing, now = self.now(self.find_corrida())
        try:
            moment = showing.timeline.moment((self.kwargs["turn"], self.kwargs["card"]))
        except BroadcastError as error:
            raise Http404("no such moment") from error
        if moment > now:
            raise Http404("not yet")
        scene = self.scene(showing, moment)
        return {
            "scene": scene,
            "corrida": showing.corrida,
            "address": scene.address,
            "previous": scene.previous,
            "next": scene.following if moment < now else None,
        }
