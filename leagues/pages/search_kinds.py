"""Kinds of search results for players and leagues, and who may find them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from django.db.models import Exists, OuterRef, Q
from django.http import HttpRequest
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from leagues import search_index as index
from leagues.games import games
from leagues.league.queries import league_ids_of_player
from leagues.members_read.queries import belongs_to
from leagues.models import League, Match, Member, Place, Player
from leagues.permissions import is_site_admin
from leagues.players import guest_of
from search.kinds import SearchHit, SearchKind, register_kind

_VISITOR: Final = "_search_visitor"


def register_kinds() -> None:
    register_kind(
        SearchKind(
            key=index.PLAYER,
            title=gettext_lazy("Players"),
            icon="who",
            visible=_visible_players,
            hits=_players,
            rows=lambda models: index.player_rows(models("leagues", "Player").objects.all()),
        )
    )
    register_kind(
        SearchKind(
            key=index.LEAGUE,
            title=gettext_lazy("Leagues"),
            icon="league",
            visible=_visible_leagues,
            hits=_leagues,
            rows=lambda models: index.league_rows(models("leagues", "League").objects.all()),
        )
    )


def _visitor(request: HttpRequest) -> Player | None:
    """Return the player of the visitor who searches. A player is never created."""
    if not hasattr(request, _VISITOR):
        player = guest_of(request)
        if request.user.is_authenticated:
            player = Player.objects.filter(user=request.user).select_related("user").first()
        setattr(request, _VISITOR, player)
    found: Player | None = getattr(request, _VISITOR)
    return found


def _sees_all(request: HttpRequest) -> bool:
    return request.user.is_superuser or is_site_admin(_visitor(request))


def _visible_players(request: HttpRequest) -> Q:
    """Return a filter for the players whom the visitor may find.

    These are players with a public page and members of the visitor's own leagues. The page of a
    guest is public once the guest has played in public. Other players are found by nobody else,
    even if a public league shows their names.
    """
    if _sees_all(request):
        return Q()
    here = Q(result__league=None, result__match__origin=Match.Origin.HERE)
    played = Place.objects.filter(here | Q(result__site=True), player=OuterRef("pk"))
    wanted = Q(public=True) & (Q(user__isnull=False) | Q(Exists(played)))
    visitor = _visitor(request)
    if visitor is not None:
        own = Member.objects.filter(belongs_to(visitor)).values("league")
        known = Member.objects.filter(league__in=own)
        wanted |= Q(pk=visitor.person_id) | Q(pk__in=known.values("player"))
    return Q(key__in=Player.objects.filter(wanted).values("pk"))


def _visible_leagues(request: HttpRequest) -> Q:
    """Return a filter for public leagues and the visitor's own leagues.

    Unlisted leagues are visible only to those who have the link, so others cannot find them.
    """
    if _sees_all(request):
        return Q()
    wanted = Q(visibility=League.Visibility.PUBLIC)
    visitor = _visitor(request)
    if visitor is not None:
        wanted |= Q(pk__in=league_ids_of_player(visitor))
    return Q(key__in=League.objects.filter(wanted).values("pk"))


def _players(request: HttpRequest, keys: Sequence[int]) -> Mapping[int, SearchHit]:
    return {
        row.pk: SearchHit(
            title=row.name,
            url=reverse("player", args=[row.slug]),
            detail=(_("guest, since %s") if row.is_guest else _("player, since %s"))
            % date_format(localtime(row.created_at), "DATE_FORMAT"),
        )
        for row in Player.objects.filter(pk__in=keys)
    }


def _leagues(request: HttpRequest, keys: Sequence[int]) -> Mapping[int, SearchHit]:
    return {row.pk: _league(row) for row in League.objects.filter(pk__in=keys)}


def _league(row: League) -> SearchHit:
    game = games.find_game(row.game)
    closed = _("closed") if row.closed_at else ""
    details = (str(game.name) if game else row.game, row.get_visibility_display(), closed)
    return SearchHit(
        title=row.name,
        url=reverse("league", args=[row.slug]),
        detail=" · ".join(str(detail).partition(":")[0] for detail in details if detail),
    )
