"""API resources of absences that players announce before a round is drawn."""

from __future__ import annotations

from django.http import Http404
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_view
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.types import JSONObject
from api.views import DetailView, idempotent
from leagues.api.people import Person
from leagues.api.resources import LeagueResource, op
from leagues.exceptions import OperationError
from leagues.fixtures.absences import (
    AbsenceLine,
    absences_to_come,
    announce_absence,
    cancel_absence,
)
from leagues.models import Absence, Player

TAG = "rounds"


class AbsenceShown(serializers.Serializer[JSONObject]):
    """A player who cannot play in a round, and whether the player gets points for this absence."""

    id = serializers.IntegerField()
    player = Person()
    round = serializers.IntegerField()
    announced_at = serializers.DateTimeField()
    excused = serializers.BooleanField(help_text="Whether the absence brings points.")


class AbsenceList(serializers.Serializer[JSONObject]):
    """The announced absences of rounds that have not been drawn yet."""

    absences = AbsenceShown(many=True)


class NewAbsence(serializers.Serializer[JSONObject]):
    """Request to announce that a player cannot play in a round."""

    round = serializers.IntegerField(min_value=1, max_value=999)
    player = serializers.SlugField(
        max_length=80,
        required=False,
        help_text="Address of the player, for organisers. You, if it is omitted.",
    )


def absence_data(line: AbsenceLine) -> JSONObject:
    return {
        "id": line.absence.pk,
        "player": {"name": line.player.name, "slug": line.player.slug},
        "round": line.absence.round,
        "announced_at": line.absence.announced_at,
        "excused": line.excused,
    }


@extend_schema_view(get=op("absences_list", TAG, AbsenceList))
class Absences(LeagueResource, DetailView):
    """The announced absences from coming rounds of a Swiss league. A POST announces an absence."""

    serializer_class = AbsenceList

    def get_object(self) -> list[AbsenceLine]:
        return absences_to_come(self.league)

    def represent(self, row: list[AbsenceLine]) -> JSONObject:
        return {"absences": [absence_data(line) for line in row]}

    @op("absences_announce", TAG, {201: AbsenceShown})
    @idempotent(NewAbsence)
    def post(self, request: Request, *args: str, **kwargs: str | int) -> Response:
        """Announce an absence, for the player and for organisers."""
        given, by = self.read(request), self.acting()
        absence = announce_absence(
            league=self.league,
            player=self._player(given.get("player"), by),
            round_number=given["round"],
            by=by,
            at=timezone.now(),
        )
        lines = absences_to_come(self.league)
        # If the round has been drawn meanwhile, the absence is no longer in the list.
        drawn = AbsenceLine(absence=absence, player=absence.player, excused=False)
        line = next((line for line in lines if line.absence.pk == absence.pk), drawn)
        return Response(absence_data(line), status=201)

    def _player(self, slug: str | None, by: Player) -> Player:
        if not slug:
            return by
        players = Player.objects.filter(slug=slug, memberships__league=self.league)
        player = players.select_related("merged_into").first()
        if player is None:
            raise OperationError(_("No player in this league has this address."), "player")
        return player.merged_into or player


class AbsenceOne(LeagueResource):
    """An announced absence of a player."""

    @op("absences_cancel", TAG, {204: None})
    @idempotent()
    def delete(self, request: Request, *args: str, **kwargs: str | int) -> Response:
        """Cancel the absence, for the player and for organisers."""
        rows = Absence.objects.filter(league=self.league).select_related("player")
        absence = rows.filter(pk=self.kwargs["pk"]).first()
        if absence is None:
            raise Http404
        cancel_absence(absence=absence, by=self.acting())
        return Response(status=204)
