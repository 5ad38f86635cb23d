"""The versions of what was handed in; a correction shown first, then done; the record."""

from __future__ import annotations

from typing import Any, Final

from django.http import Http404
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_view
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from actas import NotYet
from api.views import Act, Detail, Listing
from leagues.api.asking import OfMatch, op
from leagues.api.contents import SheetDocument
from leagues.api.judging import KNOWN, MatchVersion, OnMatch, SheetContent
from leagues.api.people import Person, person
from leagues.api.shown import MatchFull
from leagues.api.standings import figure
from leagues.counting.previews import Consequences, RatingChange, StandingChange
from leagues.models import Match, Sheet
from leagues.operations import corrections
from leagues.operations.holding import check
from leagues.playing import acta_of_match
from leagues.rules import Action, bearing
from leagues.standings import Row

TAG: Final = "matches"
ACTA: Final = OpenApiTypes.OBJECT
"""A record: its members are described in `docs/records.md`."""


class SheetShown(serializers.ModelSerializer[Sheet]):
    """One version: never changed, never removed."""

    content = SheetDocument(
        allow_null=True, help_text="Null while watchers of the table have not seen its end."
    )
    points = serializers.ListField(child=serializers.IntegerField())
    places = serializers.ListField(child=serializers.IntegerField())
    by = Person(allow_null=True)

    class Meta:
        model = Sheet
        fields = ["number", "content", "points", "places", "evidence", "by", "at", "reason"]


class _OfSheets(OfMatch):
    """Sheets of a match."""

    queryset = Sheet.objects.none()
    serializer_class = SheetShown

    def rows(self) -> Any:
        """All versions."""
        return Sheet.objects.filter(match=self.match).select_related("by__merged_into")


@extend_schema_view(get=op("matches_sheets", TAG, SheetShown(many=True)))
class Sheets(_OfSheets, Listing):
    """Every version of what was handed in."""

    ordering = ("number", "pk")

    def get_queryset(self) -> Any:
        """All of them."""
        return self.rows()


@extend_schema_view(get=op("matches_sheet", TAG, SheetShown))
class SheetOne(_OfSheets, Detail):
    """One version."""

    def get_object(self) -> Sheet:
        """The version of the address. Raises Http404."""
        found: Sheet | None = self.rows().filter(number=self.kwargs["number"]).first()
        if found is None:
            raise Http404
        return found


class StandingPlace(serializers.Serializer[Any]):
    """Where somebody stands."""

    place = serializers.IntegerField()
    score = serializers.CharField()


class StandingMoves(serializers.Serializer[Any]):
    """A line of the standings that moves."""

    player = Person()
    before = StandingPlace(allow_null=True)
    after = StandingPlace(allow_null=True)


class RatingMoves(serializers.Serializer[Any]):
    """A rating that moves; `league` null for the site's."""

    player = Person()
    league = serializers.SlugField(allow_null=True)
    before = serializers.JSONField()
    after = serializers.JSONField()


class PairingMoves(serializers.Serializer[Any]):
    """A match of a later round that the draw would not bring together now."""

    round = serializers.IntegerField()
    players = Person(many=True)
    instead = Person(many=True)
    played = serializers.BooleanField()


class ConsequencesShown(serializers.Serializer[Any]):
    """What moves if somebody says yes; `waits`: a second player would have to confirm it."""

    standings = StandingMoves(many=True)
    ratings = RatingMoves(many=True)
    pairings = PairingMoves(many=True)
    waits = serializers.BooleanField()


def told(found: Consequences) -> dict[str, Any]:
    """What moves."""
    return {
        "standings": [_standing(one) for one in found.standings],
        "ratings": [_rating(one) for one in found.ratings],
        "pairings": [
            {
                "round": one.round,
                "players": [person(player) for player in one.players],
                "instead": [person(player) for player in one.instead],
                "played": one.played,
            }
            for one in found.pairings
        ],
        "waits": found.waits,
    }


def _standing(one: StandingChange) -> dict[str, Any]:
    return {"player": person(one.player), "before": _row(one.before), "after": _row(one.after)}


def _row(row: Row | None) -> dict[str, Any] | None:
    return None if row is None else {"place": row.place, "score": str(row.score)}


def _rating(one: RatingChange) -> dict[str, Any]:
    return {
        "player": person(one.player),
        "league": one.league.slug if one.league else None,
        "before": figure(one.before),
        "after": figure(one.after),
    }


@extend_schema_view(post=op("matches_preview_correction", TAG, ConsequencesShown, **KNOWN))
class CorrectionPreview(OfMatch, Act):
    """What would move if this sheet counted; nothing is written."""

    asks_for = SheetContent

    def act(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """By an organiser."""
        content, me, match = self.read(request)["content"], self.acting(), self.match
        check(bearing(me, match), Action.CORRECT, match)
        found = corrections.preview_correction(match=match, content=content, by=me)
        return Response(told(found))


class Correction(MatchVersion, SheetContent):
    """A sheet in place of another, and why."""

    reason = serializers.CharField(max_length=200)


@extend_schema_view(post=op("matches_correct", TAG, MatchFull, **KNOWN))
class MatchCorrecting(OnMatch):
    """A new version of the sheet counts; everything after it is counted anew."""

    asks_for = Correction

    def act(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """By an organiser; where they sat there, another player confirms it first."""
        return self.deed(corrections.correct_match, request)


class Restoring(MatchVersion):
    """Why an old version is brought back."""

    reason = serializers.CharField(max_length=200)


@extend_schema_view(
    get=op("matches_preview_restore", TAG, ConsequencesShown, 403, 409),
    post=op("matches_restore", TAG, MatchFull, **KNOWN),
)
class MatchRestoring(OnMatch, Detail):
    """What would move if a version counted again; a POST brings it back."""

    asks_for = Restoring
    serializer_class = ConsequencesShown

    def get_object(self) -> Match:
        """The match, for who may bring versions back. Raises OperationError."""
        check(bearing(self.player, self.match), Action.RESTORE, self.match)
        return self.match

    def represent(self, row: Match) -> Any:
        """The consequences."""
        assert self.player is not None
        number = self.kwargs["number"]
        return told(corrections.preview_restore(match=row, number=number, by=self.player))

    def act(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """By an organiser."""
        number = self.kwargs["number"]

        def restore(**given: Any) -> Match:
            return corrections.restore_version(number=number, **given)

        return self.deed(restore, request)


@extend_schema_view(get=op("matches_record", TAG, ACTA))
class MatchRecord(OfMatch, Detail):
    """The acta of a match that counts."""

    def get_object(self) -> Any:
        """The document. Raises Http404 before it counts, and before everybody has seen the end."""
        try:
            return acta_of_match(self.match, at=timezone.now())
        except NotYet as reason:
            raise Http404(str(reason)) from reason

    def represent(self, row: Any) -> Any:
        """As it is written."""
        return row
