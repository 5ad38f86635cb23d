"""From a sheet to a result: judged, handed in, confirmed, disputed, settled, void, once more."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from django.utils import timezone
from drf_spectacular.utils import extend_schema_view
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.views import Act
from leagues.api.asking import OfMatch, op
from leagues.api.contents import SheetDocument
from leagues.api.matches import opened
from leagues.api.refusals import blame
from leagues.api.shown import MatchFull, full
from leagues.games import Judgement, games
from leagues.models import Match, Player, Sheet
from leagues.operations import matches, objections
from leagues.operations.again import open_rematch

TAG: Final = "matches"
KNOWN: Final = {"parameters": [OfMatch.questions]}
"""By what a match is known, for acts too."""


class MatchVersion(serializers.Serializer[Any]):
    """Which version of the match was seen; 409 where there is a later one."""

    version = serializers.IntegerField(min_value=0, max_value=2**31 - 1)


class OnMatch(OfMatch, Act):
    """An act on a match; `If-Match` holds the match as it was read; the answer is the match."""

    asks_for = MatchVersion

    def deed(self, operation: Callable[..., Match], request: Request) -> Response:
        """Do it with what was sent, and tell how the match stands."""
        given, me = self.read(request), self.acting()
        self.hold(request, lambda: full(self.match.pk, me))
        row = operation(match=self.match, by=me, at=timezone.now(), **given)
        return Response(full(row.pk, me))


class SheetContent(serializers.Serializer[Any]):
    """A whole sheet, in the game's own form (`sheet_schema` of the game)."""

    content = SheetDocument()


class RefereeFault(serializers.Serializer[Any]):
    """What the referee finds wrong: where, in a sentence, by which ruling."""

    pointer = serializers.CharField()
    detail = serializers.CharField()
    ruling = serializers.CharField(required=False)


class JudgementShown(serializers.Serializer[Any]):
    """What follows from a sheet; one with objections counts for nothing."""

    points = serializers.ListField(child=serializers.IntegerField())
    places = serializers.ListField(child=serializers.IntegerField())
    over = serializers.BooleanField()
    evidence = serializers.ChoiceField(choices=Sheet.Evidence.values)
    objections = RefereeFault(many=True)
    lines = serializers.ListField(child=serializers.CharField())


def judgement_shown(found: Judgement) -> dict[str, Any]:
    """A judgement as it is told."""
    return {
        "points": list(found.points),
        "places": list(found.places),
        "over": found.over,
        "evidence": found.evidence,
        "objections": [blame(one) for one in found.objections],
        "lines": [str(said) for said in found.lines],
    }


@extend_schema_view(post=op("matches_judge", TAG, JudgementShown, **KNOWN))
class MatchJudgement(OfMatch, Act):
    """What the referee makes of a sheet; nothing is kept."""

    asks_for = SheetContent

    def act(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """By anybody who may see the match."""
        content, match = self.read(request)["content"], self.match
        seats = match.seats.count()
        referee = games[match.game].referee
        return Response(
            judgement_shown(referee.judge(rules=match.rules, seats=seats, sheet=content))
        )


class NewSheet(MatchVersion, SheetContent):
    """A whole sheet, handed in."""

    played_at = serializers.DateTimeField(required=False)


@extend_schema_view(post=op("matches_hand_in", TAG, MatchFull, **KNOWN))
class MatchHandingIn(OnMatch):
    """Hand a whole sheet in: it waits for a second player. 422 names every objection."""

    asks_for = NewSheet

    def act(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """By who sat there, or a scorer."""
        return self.deed(matches.hand_in, request)


@extend_schema_view(post=op("matches_confirm", TAG, MatchFull, **KNOWN))
class MatchConfirming(OnMatch):
    """Say that the sheet is right: the result counts from now on."""

    def act(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """By a second player, or an organiser who did not enter it."""
        return self.deed(matches.confirm, request)


class MatchReason(MatchVersion):
    """A word why."""

    reason = serializers.CharField(max_length=300)


@extend_schema_view(post=op("matches_dispute", TAG, MatchFull, **KNOWN))
class MatchDisputing(OnMatch):
    """Object to a result: until it is settled it does not count."""

    asks_for = MatchReason

    def act(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """By who sat there, or an organiser."""
        return self.deed(objections.dispute, request)


class Settlement(MatchVersion):
    """How a dispute ends; an organiser says why."""

    verdict = serializers.ChoiceField(choices=list(objections.Verdict))
    settlement = serializers.CharField(max_length=300, allow_blank=True, required=False, default="")


@extend_schema_view(post=op("matches_settle", TAG, MatchFull, **KNOWN))
class MatchSettling(OnMatch):
    """End a dispute."""

    asks_for = Settlement

    def act(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """By an organiser; by who raised it, that it stands."""
        return self.deed(_settle, request)


def _settle(*, verdict: str, **given: Any) -> Match:
    return objections.settle(verdict=objections.Verdict(verdict), **given)


@extend_schema_view(post=op("matches_void", TAG, MatchFull, **KNOWN))
class MatchVoiding(OnMatch):
    """Declare a match void: it counts for nothing, its fixture is open again."""

    asks_for = MatchReason

    def act(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """By an organiser; by who entered it, until it is confirmed."""
        return self.deed(objections.void_match, request)


@extend_schema_view(post=op("matches_rematch", TAG, {201: MatchFull}, **KNOWN))
class MatchAgain(OfMatch, Act):
    """The same players, the same rules, a new match."""

    def act(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """By one of the players."""
        me: Player = self.acting()
        return opened(open_rematch(match=self.match, by=me, at=timezone.now()), me)
