"""API resources of scoresheets: versions, corrections with their consequences, and the record."""

from __future__ import annotations

from typing import Final

from django.db.models import QuerySet
from django.http import Http404
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_view
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSetMixin

from actas import NotYet
from api.types import JSONObject
from api.views import DetailView, ListView, idempotent
from core.names.serializers import CleanCharField
from leagues.api.matches.matches import (
    MATCH_PARAMETERS,
    MatchActionResource,
    MatchVersion,
    SheetContent,
)
from leagues.api.matches.serializers import MatchFull, SheetDocument
from leagues.api.people import Person, person
from leagues.api.resources import MatchResource, op
from leagues.api.standings import StandingMoves, rating_figure, standing_move
from leagues.matches.consequences import Consequences, RatingChange
from leagues.matches.operations import corrections
from leagues.matches.operations.locking import check_permitted
from leagues.models import Match, Sheet
from leagues.permissions import Action, match_relation
from leagues.tables.actas import acta_of_match

TAG: Final = "matches"
# Schema of a record, whose members are described in `docs/records.md`.
ACTA: Final = OpenApiTypes.OBJECT


class SheetShown(serializers.ModelSerializer[Sheet]):
    """A version of a scoresheet. Versions are never changed or removed."""

    content = SheetDocument(
        allow_null=True, help_text="Null while watchers of the table have not seen its end."
    )
    points = serializers.ListField(child=serializers.IntegerField())
    places = serializers.ListField(child=serializers.IntegerField())
    by = Person(allow_null=True)

    class Meta:
        model = Sheet
        fields = ["number", "content", "points", "places", "evidence", "by", "at", "reason"]


class _SheetResource(MatchResource):
    """Base resource of the scoresheets of a match."""

    queryset = Sheet.objects.none()
    serializer_class = SheetShown

    def rows(self) -> QuerySet[Sheet]:
        """Return all versions of the scoresheet."""
        return Sheet.objects.filter(match=self.match).select_related("by__merged_into")


@extend_schema_view(get=op("matches_sheets", TAG, SheetShown(many=True)))
class Sheets(_SheetResource, ListView):
    """List all versions of the scoresheet."""

    ordering = ("number", "pk")

    def get_queryset(self) -> QuerySet[Sheet]:
        return self.rows()


@extend_schema_view(get=op("matches_sheet", TAG, SheetShown))
class SheetOne(_SheetResource, DetailView):
    """One version of the scoresheet."""

    def get_object(self) -> Sheet:
        """Return the version named in the URL. Raises Http404."""
        sheet: Sheet | None = self.rows().filter(number=self.kwargs["number"]).first()
        if sheet is None:
            raise Http404
        return sheet


class RatingMoves(serializers.Serializer[JSONObject]):
    """A change of a player's rating. `league` is null for ratings of the site."""

    player = Person()
    league = serializers.SlugField(allow_null=True)
    before = serializers.JSONField()
    after = serializers.JSONField()


class PairingMoves(serializers.Serializer[JSONObject]):
    """A match of a later round whose players would be paired differently after the correction."""

    round = serializers.IntegerField()
    players = Person(many=True)
    instead = Person(many=True)
    played = serializers.BooleanField()


class ConsequencesShown(serializers.Serializer[JSONObject]):
    """Changes to standings, ratings and pairings that would follow from a correction.

    `waits` means that a second player would have to confirm the correction first.
    """

    standings = StandingMoves(many=True)
    ratings = RatingMoves(many=True)
    pairings = PairingMoves(many=True)
    waits = serializers.BooleanField()


def consequences_data(consequences: Consequences) -> JSONObject:
    return {
        "standings": [standing_move(item) for item in consequences.standings],
        "ratings": [_rating(item) for item in consequences.ratings],
        "pairings": [
            {
                "round": item.round,
                "players": [person(player) for player in item.players],
                "instead": [person(player) for player in item.instead],
                "played": item.played,
            }
            for item in consequences.pairings
        ],
        "waits": consequences.waits,
    }


def _rating(rating_change: RatingChange) -> JSONObject:
    return {
        "player": person(rating_change.player),
        "league": rating_change.league.slug if rating_change.league else None,
        "before": rating_figure(rating_change.before),
        "after": rating_figure(rating_change.after),
    }


class Correction(MatchVersion, SheetContent):
    """A corrected scoresheet and the reason for the correction."""

    reason = CleanCharField(max_length=200)


class CorrectionViewSet(ViewSetMixin, MatchActionResource):
    """Corrections of a match whose result counts."""

    @op("matches_preview_correction", TAG, ConsequencesShown, **MATCH_PARAMETERS)
    @idempotent(SheetContent)
    def preview(self, request: Request, pk: int) -> Response:
        """Preview what would change if this scoresheet counted, for organisers.

        Nothing is saved.
        """
        content, me, match = self.read(request)["content"], self.acting(), self.match
        check_permitted(match_relation(me, match), Action.CORRECT, match)
        consequences = corrections.preview_correction(match=match, content=content, by=me)
        return Response(consequences_data(consequences))

    @op("matches_correct", TAG, MatchFull, **MATCH_PARAMETERS)
    @idempotent(Correction)
    def correct(self, request: Request, pk: int) -> Response:
        """Correct a result with a new version of the scoresheet, for organisers.

        If they played in the match, another player must confirm the correction first. Later results
        are recalculated.
        """
        return self.perform(corrections.correct_match, request)


class Restoring(MatchVersion):
    """The reason for restoring an old version of the scoresheet."""

    reason = CleanCharField(max_length=200)


@extend_schema_view(get=op("matches_preview_restore", TAG, ConsequencesShown, 403, 409))
class MatchRestoring(MatchActionResource, DetailView):
    """Preview what would change if an old version of the scoresheet counted again.

    A POST restores it.
    """

    serializer_class = ConsequencesShown

    def get_object(self) -> Match:
        """Return the match, for users who may restore versions. Raises OperationError."""
        check_permitted(match_relation(self.player, self.match), Action.RESTORE, self.match)
        return self.match

    def represent(self, row: Match) -> JSONObject:
        assert self.player is not None
        number = self.kwargs["number"]
        return consequences_data(
            corrections.preview_restore(match=row, number=number, by=self.player)
        )

    @op("matches_restore", TAG, MatchFull, **MATCH_PARAMETERS)
    @idempotent(Restoring)
    def post(self, request: Request, *args: str, **kwargs: str | int) -> Response:
        """Restore an old version of the scoresheet, for organisers."""
        return self.perform(corrections.restore_version, request, number=self.kwargs["number"])


@extend_schema_view(get=op("matches_record", TAG, ACTA))
class MatchRecord(MatchResource, DetailView):
    """The record (acta) of a match that counts."""

    def get_object(self) -> JSONObject:
        """Return the record of the match.

        Raises Http404 if the match does not count, or until spectators have seen its end.
        """
        try:
            return acta_of_match(self.match, at=timezone.now())
        except NotYet as reason:
            raise Http404(str(reason)) from reason

    def represent(self, row: JSONObject) -> JSONObject:
        return row
