"""Access to league pages: the visiting player, the league, page context, confirmations and
errors.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypedDict

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from accounts.time_zones import activate_default_zone
from leagues.exceptions import FixtureGone, NotAllowed, OperationError
from leagues.games import Game, games
from leagues.models import CancelledEntry, Fixture, League, Member, Player
from leagues.pages.forms import parse_whole_number
from leagues.permissions import league_role_of, may_organise, may_view, viewable_league
from leagues.players import guest_of, player_of


def visitor(request: HttpRequest) -> Player | None:
    """Return the player of the visitor.

    For a visitor without an account, this is the browser's guest.
    """
    return player_of(request) if request.user.is_authenticated else guest_of(request)


def league_of(request: HttpRequest, slug: str) -> tuple[League, Player | None]:
    """Return the league with this slug, and the visitor's player.

    Unlisted leagues have slugs that cannot be guessed, and are visible to everybody who has the
    link. For private leagues, visitors who are not members get `Http404`, which hides that the
    league exists.
    """
    player = visitor(request)
    league = viewable_league(player, slug)
    if league is None:
        raise Http404("no such league")
    activate_default_zone(request, league.zone)
    return league, player


def organised_league(request: HttpRequest, slug: str) -> tuple[League, Player]:
    league, player = league_of(request, slug)
    if player is None or not may_organise(player, league):
        raise Http404("not for you")
    return league, player


def fixture_of(league: League, pk: int) -> Fixture:
    """Return a fixture of a league. Raises `FixtureGone` if its draw was undone, else Http404."""
    rows = Fixture.objects.select_related("round__league")
    fixture = rows.filter(pk=pk, round__league=league).first()
    if fixture is None:
        if CancelledEntry.objects.filter(league=league, fixture_key=pk).exists():
            raise FixtureGone(league.slug)
        raise Http404("no such fixture")
    return fixture


def visible_fixture(player: Player | None, pk: int | None) -> Fixture:
    """Return a fixture that a player may see. Raises the same errors as `fixture_of`.

    Primary keys are guessable, so fixtures of unlisted leagues are visible to members only.
    """
    fixtures = League.objects.filter(rounds__fixtures=pk)
    gone = League.objects.filter(cancelled_entries__fixture_key=pk)
    league = fixtures.first() or gone.first()
    if pk is None or league is None or not may_view(player, league):
        raise Http404("no such fixture")
    return fixture_of(league, pk)


P = ParamSpec("P")


def answers_when_gone(view: Callable[P, HttpResponse]) -> Callable[P, HttpResponse]:
    """Decorator for views of a fixture.

    If the draw is undone meanwhile, it redirects with a message.
    """

    @wraps(view)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        try:
            return view(*args, **kwargs)
        except FixtureGone as error:
            request = args[0]
            assert isinstance(request, HttpRequest)
            messages.warning(request, str(error))
            if not error.league:
                return redirect("leagues")
            return redirect("league_fixtures", error.league)

    return wrapped


def add_refusal_message(request: HttpRequest, error: OperationError) -> None:
    level = messages.ERROR if isinstance(error, NotAllowed) else messages.WARNING
    messages.add_message(request, level, str(error))


def perform_and_redirect(
    request: HttpRequest, act: Callable[[], object], done: str, to: str
) -> HttpResponse:
    try:
        act()
    except OperationError as error:
        add_refusal_message(request, error)
    else:
        messages.success(request, done)
    return redirect(to)


def confirmed_edition(request: HttpRequest) -> int | None:
    edition = request.POST.get("edition")
    return None if edition is None else parse_whole_number(edition)


def confirmation_page(
    request: HttpRequest,
    league: League,
    player: Player,
    tab: str,
    lines: Callable[[], list[str]],
    *,
    heading: str,
    button: str,
    keep: str,
    back: str,
) -> HttpResponse:
    """Render the effects of an action with a button to confirm it, or the reason why it is
    rejected.

    The button posts to the same URL, with the league's edition, which `confirmed_edition` reads.
    """
    context = league_context(league, player, tab) | {
        "heading": heading,
        "button": button,
        "keep": keep,
        "back": back,
    }
    try:
        context["lines"] = lines()
    except OperationError as error:
        context["problem"] = str(error)
    return render(request, "leagues/confirm.html", context)


class LeagueContext(TypedDict):
    """Template context of all pages of a league. `you` is the visitor, `tab` the active tab."""

    league: League
    game: Game
    tab: str
    you: Player | None
    role: Member.Role | None
    organises: bool
    scores: bool
    plays: bool


def league_context(league: League, player: Player | None, tab: str) -> LeagueContext:
    part = league_role_of(player, league)
    return {
        "league": league,
        "game": games[league.game],
        "tab": tab,
        "you": player,
        "role": part.role,
        "organises": part.organises,
        "scores": part.scores,
        "plays": part.plays,
    }
