"""Leagues: those that can be found, one's own, founding one, joining by link."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from leagues.forms.leagues import GuestForm, LeagueForm, games_to_choose, refuse
from leagues.games import Game, games
from leagues.models import League
from leagues.operations.errors import OperationError
from leagues.operations.leagues import found_league
from leagues.operations.members import join_league
from leagues.operations.players import become_guest, guest_of, player_of
from leagues.queries import fixtures, results
from leagues.queries.leagues import listed, of_player
from leagues.queries.people import role_in
from leagues.views.visiting import visitor


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """What waits for the visitor, their leagues, and those anybody may watch."""
    player = visitor(request)
    at = timezone.now()
    held = guest_of(request) if request.user.is_authenticated else None
    context: dict[str, Any] = {"player": player, "public": listed(), "at": at, "held": held}
    context["games"] = games.all()
    if player is not None:
        context |= {
            "mine": of_player(player),
            "awaiting": results.awaiting(player),
            "drafts": results.drafts(player),
            "fixtures": fixtures.of_player(player),
        }
    return render(request, "leagues/index.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """Found a league; the game comes from the address, where there are several."""
    game = _game(request)
    if game is None:
        return render(request, "leagues/choose_game.html", {"games": games_to_choose()})
    first = {
        "format": League.Format.LADDER,
        "visibility": League.Visibility.LINK,
        "zone": timezone.get_current_timezone_name(),
    }
    form = LeagueForm(game, request.POST or None, initial=first)
    if request.method == "POST" and form.is_valid():
        player = player_of(request)
        assert player is not None
        try:
            league = found_league(
                settings=form.settings(),
                by=player,
                at=timezone.now(),
                plays=form.cleaned_data["plays"],
            )
        except OperationError as error:
            refuse(form, error)
        else:
            messages.success(
                request, _("The league has been created. Now share its link with your players.")
            )
            return redirect("league_members", league.slug)
    context = {"form": form, "game": game}
    return render(request, "leagues/new.html", context, status=422 if form.errors else 200)


def _game(request: HttpRequest) -> Game | None:
    key = request.GET.get("game", "")
    if key:
        found = games.find(key)
        if found is None:
            raise Http404("no such game")
        return found
    every = games_to_choose()
    return every[0] if len(every) == 1 else None


@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, token: str) -> HttpResponse:
    """The invitation: sign in, or play as a guest of this browser."""
    league = get_object_or_404(League, invitation=token)
    player = visitor(request)
    form = GuestForm(request.POST if request.method == "POST" else None)
    if request.method == "POST":
        try:
            if player is None:
                if not form.is_valid():
                    return _invitation(request, league, form, status=422)
                player = become_guest(request, form.cleaned_data["name"])
            join_league(token=token, by=player, at=timezone.now())
        except OperationError as error:
            refuse(form, error)
            return _invitation(request, league, form, status=422)
        messages.success(request, _("Welcome to %s.") % league)
        return redirect("league", league.slug)
    return _invitation(request, league, form)


def _invitation(
    request: HttpRequest, league: League, form: GuestForm, status: int = 200
) -> HttpResponse:
    player = visitor(request)
    context = {
        "league": league,
        "game": games[league.game],
        "form": form,
        "player": player,
        "role": role_in(player, league),
    }
    return render(request, "leagues/join.html", context, status=status)
