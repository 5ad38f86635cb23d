"""Corridas at real tables in a league: a club's own book."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.problems import Problem
from api.views import Act, Listing
from corridas.api.acting import READ_AND_POST
from corridas.api.afternoons import AfternoonAsked, afternoon, circuit_named
from corridas.api.described import Operation, described
from corridas.models import TableCorrida
from corridas.tabletop.api import TableCorridaTold, listed
from corridas.tabletop.operations import GAME, SEATS, begin_table_corrida
from leagues.api.asking import InLeague
from leagues.models import League, Player
from leagues.queries.people import members_of
from leagues.queries.results import SHOWN


class ClubCorridaAsked(AfternoonAsked):
    """A corrida about to be played at a table of the league."""

    players = serializers.ListField(
        child=serializers.SlugField(max_length=80),
        min_length=min(SEATS),
        max_length=max(SEATS),
        help_text="Who of the league sits there, in order.",
    )


@described(
    get=Operation("league_table_corridas_list"),
    post=Operation("league_table_corridas_begin", TableCorridaTold, 201),
)
class ClubCorridas(InLeague, Act, Listing):
    """A league's corridas at tables that were handed in, the latest first; beginning one."""

    http_method_names = READ_AND_POST
    serializer_class = TableCorridaTold
    asks_for = ClubCorridaAsked
    ordering = ("-pk",)
    queryset = TableCorrida.objects.none()

    @property
    def club(self) -> League:
        """The league of the address. Raises Http404 for one of another game."""
        if self.league.game != GAME:
            raise Http404
        return self.league

    def get_queryset(self) -> QuerySet[TableCorrida]:
        """Those of the league."""
        return listed().filter(match__league=self.club, match__state__in=SHOWN)

    def act(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """By who plays it, or a scorer; it counts in no circuit."""
        league, me, asked = self.club, self.acting(), self.read(request)
        circuit = circuit_named(self, asked["circuit"])
        players = _members(league, asked["players"])
        match = begin_table_corrida(
            players=players,
            by=me,
            at=timezone.now(),
            league=league,
            **afternoon(circuit, asked, len(players)),
        )
        told = self.get_serializer(listed().get(match=match)).data
        return Response(told, status=201, headers={"Location": told["links"]["page"]})


def _members(league: League, slugs: list[str]) -> list[Player]:
    """Who plays in the league under these addresses. Raises Problem."""
    members = {one.player.slug: one.player for one in members_of(league) if one.plays}
    if any(slug not in members for slug in slugs):
        raise Problem(422, _("Choose which league members played."), field="players")
    return [members[slug] for slug in slugs]
