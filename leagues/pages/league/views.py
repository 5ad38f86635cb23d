"""Views of leagues: list, creation, joining, and a league's main page, results, rules and
settings.
"""

from __future__ import annotations

import datetime as dt
from typing import NotRequired, TypedDict

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from api.idempotency import form_once
from core.page_cache import PageKey, cached_response
from core.page_cache.shared import shared_page
from leagues import matches_read as match_queries
from leagues.exceptions import OperationError, is_accepted
from leagues.fixtures import queries as fixture_queries
from leagues.fixtures.operations import check_may_draw
from leagues.games import Game, games
from leagues.league.operations import (
    ClosingPreview,
    adopt_rules,
    change_settings,
    close_league,
    create_league,
    locked_settings,
    preview_closing,
    reopen_league,
    rules_to_adopt,
    settings_of,
)
from leagues.league.queries import find_edition, leagues_of_player, public_leagues
from leagues.members.operations.membership import check_may_join, join_league
from leagues.members.operations.merging import check_mergeable
from leagues.members_read.queries import role_in
from leagues.models import League, Player
from leagues.pages.access import (
    confirmation_page,
    confirmed_edition,
    league_context,
    league_of,
    organised_league,
    perform_and_redirect,
    visitor,
)
from leagues.pages.forms import add_refusal, parse_whole_number
from leagues.pages.league.forms import LeagueForm, initial_of
from leagues.pages.members.forms import GuestForm
from leagues.pages.standings.explained import standings_rules
from leagues.pages.standings.views import board_of, matrix_of
from leagues.permissions import may_play
from leagues.players import become_guest, guest_of, player_of
from leagues.standings.queries import scoring_of


class LeagueListContext(TypedDict):
    """Template context of the list of leagues. The last six entries are for visitors with a player.

    `held` is the guest as whom the browser has played, if the visitor has signed in meanwhile.
    """

    player: Player | None
    public: list[League]
    at: dt.datetime
    held: Player | None
    games: tuple[Game, ...]
    mine: NotRequired[list[League]]
    awaiting: NotRequired[list[match_queries.ResultLine]]
    proposed: NotRequired[list[match_queries.ResultLine]]
    drafts: NotRequired[list[match_queries.ResultLine]]
    fixtures: NotRequired[list[fixture_queries.FixtureLine]]
    byes: NotRequired[list[fixture_queries.ByeLine]]


@require_safe
@shared_page(10)
def league_list(request: HttpRequest) -> HttpResponse:
    player = visitor(request)
    context: LeagueListContext = {
        "player": player,
        "public": public_leagues(),
        "at": timezone.now(),
        "held": _held_guest(request, player),
        "games": games.all_games(),
    }
    if player is not None:
        context["mine"] = leagues_of_player(player)
        context["awaiting"] = match_queries.matches_to_confirm(player)
        context["proposed"] = match_queries.matches_to_answer(player)
        context["drafts"] = match_queries.drafts_of_player(player)
        context["fixtures"] = fixture_queries.fixtures_of_player(player)
        context["byes"] = fixture_queries.byes_of_player(player, at=context["at"])
    return render(request, "leagues/index.html", context)


def _held_guest(request: HttpRequest, player: Player | None) -> Player | None:
    """Return the browser's guest if the signed-in visitor can merge the guest into their
    account.
    """
    guest = guest_of(request) if request.user.is_authenticated else None
    if guest is None or player is None:
        return None
    return guest if is_accepted(lambda: check_mergeable(guest, player)) else None


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@form_once
def new_league(request: HttpRequest) -> HttpResponse:
    game = _game(request)
    if game is None:
        return render(request, "leagues/choose_game.html", {"games": games.all_games()})
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
            league = create_league(
                settings=form.settings(),
                by=player,
                at=timezone.now(),
                plays=form.cleaned_data["plays"],
            )
        except OperationError as error:
            add_refusal(form, error)
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
        game = games.find_game(key)
        if game is None:
            raise Http404("no such game")
        return game
    registered = games.all_games()
    return registered[0] if len(registered) == 1 else None


@require_http_methods(["GET", "HEAD", "POST"])
def join_page(request: HttpRequest, token: str) -> HttpResponse:
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
            add_refusal(form, error)
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
        "plays": may_play(player, league),
        "no_entry": "",
    }
    try:
        check_may_join(league)
    except OperationError as error:
        context["no_entry"] = str(error)
    return render(request, "leagues/join.html", context, status=status)


# Number of latest results on the main page of a league.
RECENT_RESULTS = 8
PAGE_SIZE = 50
MAX_PAGES = 10_000
# Maximum number of players for showing the matrix of results on the main page. Larger leagues have
# a separate page for it.
MAX_MATRIX_PLAYERS = 16


@require_safe
@shared_page(10)
def league_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Main page of a league, with its standings.

    It is cached by edition of the league and by hour, because deadlines pass.
    """
    edition = find_edition(slug)
    if edition is None or edition.private:
        league_of(request, slug)  # raises Http404 for visitors who may not see it
    now = timezone.now()
    hour = now.replace(minute=0, second=0, microsecond=0)
    keeping = PageKey(name="league", marks=(edition, hour))

    def rendered() -> str:
        league, player = league_of(request, slug)
        return render_to_string(
            "leagues/league.html", _league_page_context(league, player, now), request
        )

    return cached_response(request, keeping, rendered)


def _league_page_context(
    league: League, player: Player | None, now: dt.datetime
) -> dict[str, object]:
    board = board_of(league, you=player)
    current = fixture_queries.current_round(league, rest_days=board.rest_days)
    context = league_context(league, player, "standings")
    # The draw is offered on this page only before the first draw.
    may_draw = current is None and context["organises"]
    may_draw = may_draw and is_accepted(lambda: check_may_draw(league))
    return context | {
        "board": board,
        "may_draw": may_draw,
        "round": current,
        "your_fixture": _next_fixture(current, player),
        "bye_worth": scoring_of(league).bye_worth,
        "results": (lines := match_queries.latest_results(league, RECENT_RESULTS)),
        "undecided": any(line.undecided for line in lines),
        "matrix": matrix_of(board) if 1 < len(board.lines) <= MAX_MATRIX_PLAYERS else None,
        "now": now,
    }


def _next_fixture(
    current: fixture_queries.RoundLines | None, player: Player | None
) -> fixture_queries.FixtureLine | None:
    """Return the fixture of the present round that the visitor still has to play, or None."""
    if current is None or player is None:
        return None
    to_enter = (line for line in current.fixtures if line.to_enter)
    return next((line for line in to_enter if line.involves(player.person_id)), None)


@require_safe
def result_list(request: HttpRequest, slug: str) -> HttpResponse:
    league, player = league_of(request, slug)
    number = min(MAX_PAGES, max(1, parse_whole_number(request.GET.get("page", ""), 1)))
    lines = match_queries.latest_results(league, PAGE_SIZE + 1, after=(number - 1) * PAGE_SIZE)
    context = league_context(league, player, "results") | {
        "results": lines[:PAGE_SIZE],
        "by_evidence": match_queries.count_by_evidence(league),
        "number": number,
        "more": len(lines) > PAGE_SIZE,
    }
    return render(request, "leagues/results.html", context)


@require_safe
def rules_page(request: HttpRequest, slug: str) -> HttpResponse:
    league, player = league_of(request, slug)
    game = games[league.game]
    context = league_context(league, player, "rules") | {
        "sentences": game.describe(league.rules),
        "profile": game.profile(league.profile),
        "standings": standings_rules(league),
        "rare": fixture_queries.drawn_rare_pairs(league),
    }
    return render(request, "leagues/rules.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def settings_page(request: HttpRequest, slug: str) -> HttpResponse:
    league, player = organised_league(request, slug)
    if "adopt" in request.POST:
        edition = confirmed_edition(request)
        return perform_and_redirect(
            request,
            lambda: adopt_rules(league=league, by=player, edition=edition),
            _("The league now follows the current rules for standings."),
            reverse("league_settings", args=[league.slug]),
        )
    stored = settings_of(league)
    form = LeagueForm(
        games[league.game],
        request.POST or None,
        initial=initial_of(stored) | {"standings_rules": league.standings_rules},
        stored=stored,
        locked=locked_settings(league),
    )
    if request.method == "POST" and form.is_valid():
        try:
            change_settings(league=league, settings=form.settings(), by=player, at=timezone.now())
        except OperationError as error:
            add_refusal(form, error)
        else:
            messages.success(request, _("Saved."))
            return redirect("league_settings", league.slug)
    context = league_context(league, player, "settings") | {
        "form": form,
        "to_adopt": rules_to_adopt(league),
    }
    return render(request, "leagues/settings.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
def close_page(request: HttpRequest, slug: str) -> HttpResponse:
    league, player = organised_league(request, slug)
    to = reverse("league_settings", args=[league.slug])
    if "reopen" in request.POST:
        return perform_and_redirect(
            request,
            lambda: reopen_league(league=league, by=player, at=timezone.now()),
            _("The league is open again."),
            to,
        )
    edition = confirmed_edition(request)
    if edition is not None:
        return perform_and_redirect(
            request,
            lambda: close_league(league=league, by=player, at=timezone.now(), edition=edition),
            _("The league is closed."),
            to,
        )

    def lines() -> list[str]:
        return _closing_sentences(preview_closing(league=league))

    return confirmation_page(
        request,
        league,
        player,
        "settings",
        lines,
        heading=_("Close the league?"),
        button=_("Close league"),
        keep=_("Keep the league open"),
        back=to,
    )


def _closing_sentences(closing: ClosingPreview) -> list[str]:
    said = [
        ngettext(
            "%(count)s fixture has not been played and will be voided.",
            "%(count)s fixtures have not been played and will be voided.",
            closing.fixtures,
        )
        % {"count": closing.fixtures}
        if closing.fixtures
        else _("There are no fixtures left to play.")
    ]
    if closing.drafts:
        said.append(
            ngettext(
                "%(count)s match is still a draft and will be voided.",
                "%(count)s matches are still drafts and will be voided.",
                closing.drafts,
            )
            % {"count": closing.drafts}
        )
    return [
        *said,
        _("The standings will not change."),
        _("If you reopen the league later, all the voided matches can be played."),
    ]
