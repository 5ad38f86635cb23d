"""Base resources of the leagues API, and operation errors as problem documents.

Requests act for the player of an account, authenticated by API key or session. Guests have no
account and can only use the pages. The API applies the same `leagues.permissions` as the pages. An
object that the user may not see answers 404. Each game provides its own schemas
(`leagues.games.schema`). Errors answer 403 for a missing permission, 409 for a conflict with the
present state, and 422 if the rules or the referee object.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

from django.http import Http404
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request

from api.conditional import check_if_match
from api.problems import Problem, as_problem, problem_responses
from api.types import JSON, JSONObject
from api.views import Handler, ResourceView
from leagues.exceptions import NotAllowed, OperationError, SheetRefused
from leagues.games import MoveRefused, Objection, RulesRefused
from leagues.matches.operations.locking import lock_league
from leagues.models import Fixture, League, Match, Player
from leagues.permissions import may_view_match, viewable_league
from leagues.players import player_of_user
from leagues.tables.operations.lobby import IllegalMove


class VisitorResource(ResourceView):
    """Base resource of requests by players and anonymous visitors."""

    @cached_property
    def player(self) -> Player | None:
        """Player of the user, or None. Reading never creates a player."""
        if self.person is None:
            return None
        players = Player.objects.select_related("user", "merged_into").filter(user=self.person)
        return players.first()

    def acting(self) -> Player:
        """Return the player who acts. A user's player is created when first needed."""
        assert self.person is not None
        self.player = player_of_user(self.person, at=timezone.now())
        return self.player

    def lock_and_compare(self, request: Request, data: Callable[[], JSON]) -> None:
        """Compare the header `If-Match`, if sent, with the present representation of the object.

        The object is locked first. Therefore only one of several concurrent requests can match.
        """
        if request.headers.get("If-Match"):
            self.lock()
            check_if_match(request, data())

    def lock(self) -> None:
        """Lock the object named in the URL, and discard values that were read before the lock."""


class LeagueResource(VisitorResource):
    """Base resource of a league, which the attribute `league` returns."""

    @cached_property
    def league(self) -> League:
        """League named in the URL. Private leagues are visible to members only. Raises Http404."""
        league = viewable_league(self.player, self.kwargs["slug"])
        if league is None:
            raise Http404
        return league


class MatchQuestions(serializers.Serializer[JSONObject]):
    """Query parameters that give access to a match for players who are in none of its leagues."""

    league = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=80,
        help_text="The address of its league, seen by link.",
    )
    key = serializers.CharField(
        required=False, allow_blank=True, max_length=43, help_text="The key on its scoresheet."
    )


class MatchResource(VisitorResource):
    """Base resource of a match, which the attribute `match` returns."""

    query_serializer_class = MatchQuestions

    @cached_property
    def match(self) -> Match:
        """Match named in the URL, if the user may see it. Raises Http404."""
        rows = Match.objects.select_related("league", "fixture__round", "sheet", "confirmed_by")
        match = rows.select_related("entered_by").filter(pk=self.kwargs["pk"]).first()
        if match is None:
            raise Http404
        known = knows_match(match, self.read_query(self.request))
        if not may_view_match(self.player, match, knows_link=known):
            raise Http404
        return match

    def lock(self) -> None:
        """Lock the league before the match, as every operation on a match does."""
        lock_league(self.match.league_id)
        Match.objects.select_for_update(no_key=True).get(pk=self.match.pk)
        del self.match


def knows_match(match: Match, asked: JSONObject) -> bool:
    """Return whether the request has the key of the match or the link of an unlisted league."""
    if constant_time_compare(asked.get("key", ""), match.key):
        return True
    league = match.league
    by_link = league is not None and league.visibility == League.Visibility.LINK
    return by_link and league is not None and asked.get("league") == league.slug


def op(
    name: str, tag: str, responses: object, *problems: int, **more: Any
) -> Callable[[Handler], Handler]:
    """Return the OpenAPI schema of an operation: name, tag and responses.

    `responses` is the schema for status 200, or a dictionary of schemas by status.
    """
    answered = responses if isinstance(responses, dict) else {200: responses}
    return extend_schema(
        operation_id=name,
        tags=[tag],
        responses={**answered, **problem_responses(*problems)},
        **more,
    )


@as_problem.register
def _refused_operation(error: OperationError) -> Problem | None:
    return Problem(409, str(error), field=error.field)


@as_problem.register
def _undrawn(error: Fixture.DoesNotExist) -> Problem | None:
    """Return the error response for a fixture that was deleted while the request was handled,
    because its draw was undone.
    """
    return Problem(404, _("The draw has been undone."))


@as_problem.register
def _not_allowed(error: NotAllowed) -> Problem | None:
    return Problem(403, str(error), field=error.field)


@as_problem.register
def _illegal(error: IllegalMove) -> Problem | None:
    return Problem(422, str(error), field=error.field, ruling=error.ruling)


@as_problem.register
def _against_the_rules(error: MoveRefused) -> Problem | None:
    return Problem(422, str(error), field="move", ruling=error.ruling)


@as_problem.register
def _no_rules(error: RulesRefused) -> Problem | None:
    return Problem(422, str(error), field=error.field)


@as_problem.register
def _objected(error: SheetRefused) -> Problem | None:
    objections = [objection_problem(objection) for objection in error.judgement.objections]
    extra: JSONObject = {"errors": objections[:200]} if objections else {}
    return Problem(422, str(error), field=error.field, extra=extra)


def objection_problem(objection: Objection) -> dict[str, str]:
    at = f"/content/{objection.path}" if objection.path else "/content"
    blame = {"pointer": at, "detail": str(objection.sentence)}
    return blame | ({"ruling": objection.ruling} if objection.ruling else {})
