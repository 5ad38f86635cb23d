"""Rounds and fixtures of a league: who meets whom and why; drawing, and taking a draw back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_view
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.views import Act, Detail, Listing
from leagues.api.asking import InLeague, op
from leagues.api.fixtures import FixtureShown, shown
from leagues.api.people import Person
from leagues.models import League, Player, Round
from leagues.operations.errors import NotAllowed
from leagues.operations.reasons import in_words
from leagues.operations.rounds import (
    DrawnRound,
    draw_next_swiss,
    draw_round_robin,
    preview_swiss,
    undraw,
)
from leagues.queries.fixtures import lines_of, with_fixtures
from leagues.queries.people import persons
from leagues.rules import may_organise

TAG: Final = "rounds"


class RoundBye(serializers.Serializer[Any]):
    """Who sits a round out, and why."""

    player = Person()
    reasons = serializers.ListField(child=serializers.CharField())


class RoundShown(serializers.Serializer[Any]):
    """A round with its fixtures."""

    number = serializers.IntegerField()
    drawn_at = serializers.DateTimeField()
    deadline = serializers.DateTimeField()
    closed_at = serializers.DateTimeField(allow_null=True)
    fixtures = FixtureShown(many=True)
    byes = RoundBye(many=True)

    def to_representation(self, instance: Round) -> Any:
        """The round, with names of the page's people from the context."""
        people: Mapping[int, Player] = self.context["people"]
        return {
            "number": instance.number,
            "drawn_at": instance.drawn_at,
            "deadline": instance.deadline,
            "closed_at": instance.closed_at,
            "fixtures": [shown(line, instance) for line in lines_of(instance).fixtures],
            "byes": [_bye(bye, people) for bye in instance.byes if bye["player"] in people],
        }


def _bye(bye: Mapping[str, Any], people: Mapping[int, Player]) -> dict[str, Any]:
    found = people[bye["player"]]
    named = {"name": found.name, "slug": found.slug}
    return {"player": named, "reasons": in_words(bye["reasons"])}


@extend_schema_view(get=op("rounds_list", TAG, RoundShown(many=True)))
class Rounds(InLeague, Listing):
    """All rounds drawn so far, in order."""

    queryset = Round.objects.none()
    serializer_class = RoundShown
    ordering = ("number", "pk")

    def get_queryset(self) -> Any:
        """Those of the league."""
        return with_fixtures(Round.objects.filter(league=self.league))

    def paginate_queryset(self, queryset: Any) -> Any:
        """The page; who sits out is looked up for all its rounds at once."""
        page = super().paginate_queryset(queryset)
        self.rows: Iterable[Round] = page or ()
        return page

    def get_serializer_context(self) -> dict[str, Any]:
        """With the people of the page."""
        byes = {bye["player"] for row in getattr(self, "rows", ()) for bye in row.byes}
        return {**super().get_serializer_context(), "people": persons(byes) if byes else {}}


class DraftPairing(serializers.Serializer[Any]):
    """Who would meet, and why."""

    players = Person(many=True)
    reasons = serializers.ListField(child=serializers.CharField())


class RoundDraft(serializers.Serializer[Any]):
    """The next round as the standings would have it now; `edition` is sent to keep it."""

    number = serializers.IntegerField()
    edition = serializers.IntegerField()
    pairings = DraftPairing(many=True)
    byes = RoundBye(many=True)


class KeptDraft(serializers.Serializer[Any]):
    """Which draft is kept; without it, whatever is drawn now."""

    edition = serializers.IntegerField(min_value=0, max_value=2**31 - 1, required=False)
    hour = serializers.TimeField(
        required=False,
        help_text="When deadlines end, in the league's time zone; as late as it is now without it.",
    )


class DrawnRounds(serializers.Serializer[Any]):
    """The numbers of the rounds drawn, or taken back."""

    rounds = serializers.ListField(child=serializers.IntegerField())


@extend_schema_view(
    get=op("rounds_preview", TAG, RoundDraft, 403, 409),
    post=op("rounds_draw", TAG, {201: DrawnRounds}),
)
class Draw(InLeague, Act, Detail):
    """The next Swiss round before it is drawn, with the reasons; a POST draws it, or all rounds of
    a round robin.
    """

    serializer_class = RoundDraft
    asks_for = KeptDraft

    def get_object(self) -> DrawnRound:
        """The draft, for who organises. Raises OperationError."""
        if not may_organise(self.player, self.league):
            raise NotAllowed(_("Only an organiser of the league can do that."))
        return preview_swiss(league=self.league)

    def represent(self, row: DrawnRound) -> dict[str, Any]:
        """The draft."""
        return {
            "number": row.number,
            "edition": row.edition,
            "pairings": [
                {
                    "players": [_named(row.players[key]) for key in one.seats],
                    "reasons": in_words(one.reasons),
                }
                for one in row.pairings
            ],
            "byes": [
                {"player": _named(row.players[bye.player]), "reasons": in_words(bye.reasons)}
                for bye in row.byes
            ],
        }

    def act(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Draw; refused where something has happened in the league since the draft."""
        given, by, at = self.read(request), self.acting(), timezone.now()
        hour = given.get("hour")
        if self.league.format == League.Format.SWISS:
            edition = given.get("edition")
            rows = [draw_next_swiss(league=self.league, by=by, at=at, edition=edition, hour=hour)]
        else:
            rows = draw_round_robin(league=self.league, by=by, at=at, hour=hour)
        return Response({"rounds": [row.number for row in rows]}, status=201)


def _named(player: Player) -> dict[str, str]:
    return {"name": player.name, "slug": player.slug}


class TakenBack(serializers.Serializer[Any]):
    """How many rounds there are no more."""

    rounds = serializers.IntegerField()


@extend_schema_view(post=op("rounds_take_back", TAG, TakenBack))
class DrawBack(InLeague, Act):
    """Take a draw back: the last Swiss round, or a round robin whole."""

    def act(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """While nothing of it has been played."""
        rounds = undraw(league=self.league, by=self.acting(), at=timezone.now())
        return Response({"rounds": rounds})
