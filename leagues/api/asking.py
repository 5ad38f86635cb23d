"""Who asks, and what of leagues and matches they may see: the same as on the pages."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from django.http import Http404
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request

from api.conditional import check
from api.problems import answers
from api.views import Resource
from leagues.models import League, Match, Player
from leagues.operations.holding import hold_league
from leagues.operations.players import player_of_user
from leagues.rules import may_view_match, viewable_league


class ByPlayer(Resource):
    """A resource that is asked for by a player, or by a stranger."""

    @cached_property
    def player(self) -> Player | None:
        """Who looks; an account that never played has no player, and gets none by looking."""
        if self.person is None:
            return None
        found = Player.objects.select_related("user", "merged_into").filter(user=self.person)
        return found.first()

    def acting(self) -> Player:
        """Who acts; made when first asked for."""
        assert self.person is not None
        self.player = player_of_user(self.person, at=timezone.now())
        return self.player

    def hold(self, request: Request, data: Any) -> None:
        """Hold `If-Match`, where it is sent, against what is told of the thing acted on.

        It is locked before it is looked at: of several at once one finds it as it was read.
        """
        if request.headers.get("If-Match"):
            self.lock()
            check(request, data())

    def lock(self) -> None:
        """Lock the thing of the address and forget what was read of it before."""


class InLeague(ByPlayer):
    """A resource of a league: `league` is the one of the address."""

    @cached_property
    def league(self) -> League:
        """The league; who has its address may look, unless it is private. Raises Http404."""
        league = viewable_league(self.player, self.kwargs["slug"])
        if league is None:
            raise Http404
        return league


class MatchQuestions(serializers.Serializer[Any]):
    """By what a match is known to who did not sit there and is in no league of it."""

    league = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=80,
        help_text="The address of its league, seen by link.",
    )
    key = serializers.CharField(
        required=False, allow_blank=True, max_length=43, help_text="The key on its scoresheet."
    )


class OfMatch(ByPlayer):
    """A resource of a match: `match` is the one of the address."""

    questions = MatchQuestions

    @cached_property
    def match(self) -> Match:
        """The match, for who may see it. Raises Http404."""
        rows = Match.objects.select_related("league", "fixture__round", "sheet", "confirmed_by")
        found = rows.select_related("entered_by").filter(pk=self.kwargs["pk"]).first()
        if found is None:
            raise Http404
        known = knows(found, self.asked(self.request))
        if not may_view_match(self.player, found, knows_link=known):
            raise Http404
        return found

    def lock(self) -> None:
        """The match, and its league before it, as every act on a match does."""
        hold_league(self.match.league_id)
        Match.objects.select_for_update(no_key=True).get(pk=self.match.pk)
        del self.match


def knows(match: Match, asked: Mapping[str, Any]) -> bool:
    """Whether who asks has the match's key, or the address of a league that is seen by link."""
    if constant_time_compare(asked.get("key", ""), match.key):
        return True
    league = match.league
    by_link = league is not None and league.visibility == League.Visibility.LINK
    return by_link and league is not None and asked.get("league") == league.slug


def op(name: str, tag: str, told: Any, *problems: int, **more: Any) -> Any:
    """The schema of one operation: its name, its tag, what it answers (200, or by status)."""
    answered = told if isinstance(told, dict) else {200: told}
    return extend_schema(
        operation_id=name, tags=[tag], responses={**answered, **answers(*problems)}, **more
    )
