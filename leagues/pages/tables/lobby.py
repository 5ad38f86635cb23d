"""Views of the list of live tables, and of the forms for a new table."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from api.idempotency import form_once
from core.keys import parse_key
from leagues.exceptions import FixtureGone, OperationError
from leagues.games import Game, games
from leagues.models import Fixture, League, Player
from leagues.pages.access import answers_when_gone, league_of, visible_fixture, visitor
from leagues.pages.forms import add_refusal
from leagues.pages.tables.forms import QuickTableForm, TableForm, TableSettingsForm
from leagues.pages.tables.table import never_stored
from leagues.players import become_guest
from leagues.tables import queries as table_queries
from leagues.tables.operations.lobby import TableArguments, TableSettings, create_table


@require_safe
def table_list(request: HttpRequest) -> HttpResponse:
    player = visitor(request)
    key = request.GET.get("game", "")
    game = key if games.find_game(key) else ""
    yours = table_queries.tables_of_player(player, game)
    known = {listed.table.pk for listed in yours}
    joinable = table_queries.tables_to_join(timezone.now(), game)
    watchable = table_queries.tables_to_watch(game)
    context = {
        "player": player,
        "yours": yours,
        "open": [listed for listed in joinable if listed.table.pk not in known],
        "watchable": [listed for listed in watchable if listed.table.pk not in known],
        "games": games.played_here(),
    }
    return never_stored(render(request, "leagues/tables.html", context))


@require_http_methods(["GET", "HEAD", "POST"])
@answers_when_gone
@form_once
def new_table(request: HttpRequest) -> HttpResponse:
    player = visitor(request)
    league, fixture = _league(request, player)
    game = _game(request, league)
    form: TableSettingsForm
    if league is not None:
        form = TableSettingsForm(request.POST or None)
    else:
        form = TableForm(game, request.POST or None, asks_name=player is None)
    if request.method == "POST" and form.is_valid():
        try:
            return never_stored(
                redirect("table", _create_table(request, form, player, league, fixture))
            )
        except FixtureGone:
            raise
        except OperationError as error:
            add_refusal(form, error)
    status = 422 if request.method == "POST" else 200
    context = {"form": form, "game": game, "league": league, "fixture": fixture, "player": player}
    return never_stored(render(request, "leagues/new_table.html", context, status=status))


def _create_table(
    request: HttpRequest,
    form: TableSettingsForm,
    player: Player | None,
    league: League | None,
    fixture: Fixture | None,
) -> int:
    arguments: TableArguments = {"league": league, "fixture": fixture, "house": form.house()}
    if isinstance(form, TableForm):
        arguments = form.arguments()
    host = player or become_guest(request, form.cleaned_data.get("name", ""))
    return create_table(host=host, at=timezone.now(), **arguments).pk


def _league(request: HttpRequest, player: Player | None) -> tuple[League | None, Fixture | None]:
    """Return the league or fixture named in the URL. Raises `Http404` if it is not visible."""
    if number := request.GET.get("fixture"):
        fixture = visible_fixture(player, parse_key(number))
        return fixture.round.league, fixture
    if slug := request.GET.get("league"):
        return league_of(request, slug)[0], None
    return None, None


def _game(request: HttpRequest, league: League | None) -> Game:
    wanted = games.find_game(league.game if league else request.GET.get("game", ""))
    chosen = wanted or next(iter(games.played_here()), None)
    if chosen is None or not chosen.played_here:
        raise Http404("no game")
    return chosen


@require_POST
@form_once
def play_now(request: HttpRequest) -> HttpResponse:
    form = QuickTableForm(request.POST)
    game = games.find_game(form.cleaned_data["game"]) if form.is_valid() else None
    if game is None or not game.played_here:
        raise Http404("no such game")
    player = visitor(request)
    try:
        host = player or become_guest(request, form.cleaned_data["name"])
        table = create_table(
            host=host,
            at=timezone.now(),
            game=game.key,
            profile=game.profiles[0].key,
            bots={1: form.cleaned_data["bot"]},
            house=TableSettings(rated=False),
        )
    except OperationError as error:
        messages.warning(request, str(error))
        return never_stored(redirect("tables"))
    return never_stored(redirect("table", table.pk))
