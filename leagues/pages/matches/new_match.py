"""Views that open a match: of a fixture, in a ladder, or among friends."""

from __future__ import annotations

from typing import TypedDict

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from api.idempotency import form_once
from core.names.text import clean
from leagues.exceptions import FixtureGone, NotAllowed, OperationError
from leagues.games import Game, games
from leagues.matches.operations import matches
from leagues.matches.operations.matches import friends_of, open_among_friends
from leagues.members_read.queries import members_of
from leagues.models import League, Match, Player, Round
from leagues.pages.access import answers_when_gone, league_of, visible_fixture, visitor
from leagues.pages.forms import most_seats, parse_whole_number
from leagues.pages.matches.matches import match_url, scoresheets_url
from leagues.permissions import may_score
from leagues.players import become_guest


class NewMatchContext(TypedDict):
    """Template context of both forms for a new match.

    `people` can be added to a seat while one is `free`. `tapped` means that the pressed button only
    changed the seats, so no match is opened yet.
    """

    game: Game
    you: Player | None
    people: list[Player]
    free: bool
    tapped: bool


class LeagueSeat(TypedDict):
    number: int
    player: Player | None
    yours: bool


class LeagueMatchContext(NewMatchContext):
    league: League
    seats: list[LeagueSeat]


class FriendsSeat(TypedDict):
    number: int
    name: str


class FriendsMatchContext(NewMatchContext):
    """Template context of the form for a match among friends.

    `own` is the name that a visitor without a player enters.
    """

    own: str
    seats: list[FriendsSeat]
    profile: str


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@form_once
def new_league_match(request: HttpRequest, slug: str) -> HttpResponse:
    league, player = league_of(request, slug)
    tapped = _only_seats_changed(request)
    if request.method == "POST" and not tapped:
        try:
            return redirect(match_url(_open_in_league(request, league, player)))
        except OperationError as error:
            messages.warning(request, str(error))
    playing = [
        candidate
        for candidate in members_of(league)
        if candidate.plays and candidate.withdrawn_at is None
    ]
    members = {str(member.player.pk): member.player for member in playing}
    chosen = [members.get(key) for key in _chosen_seats(request, league.seats, player)]
    if (sits := members.get(request.POST.get("sit", ""))) and None in chosen:
        chosen[chosen.index(None)] = sits
    leaves = parse_whole_number(request.POST.get("leave", ""), -1)
    seated = [None if number == leaves else candidate for number, candidate in enumerate(chosen)]
    friends = friends_of(player) if player else []
    others = [candidate for candidate in members.values() if candidate not in seated]
    person = player.person_id if player else None
    context: LeagueMatchContext = {
        "league": league,
        "game": games[league.game],
        "you": player,
        "people": sorted(
            others, key=lambda candidate: (_friend_rank(candidate, friends), candidate.name_key)
        ),
        "seats": [
            {
                "number": number,
                "player": candidate,
                "yours": candidate is not None and candidate.pk == person,
            }
            for number, candidate in enumerate(seated)
        ],
        "free": None in seated,
        "tapped": tapped,
    }
    return _form(request, context)


def _only_seats_changed(request: HttpRequest) -> bool:
    return not {"sit", "leave"}.isdisjoint(request.POST)


def _friend_rank(player: Player, friends: list[Player]) -> int:
    return friends.index(player) if player in friends else len(friends)


def _chosen_seats(request: HttpRequest, seats: int, player: Player | None) -> list[str]:
    params = request.POST if request.method == "POST" else request.GET
    chosen = [params.get(f"seat-{seat}", "") for seat in range(seats)]
    if request.method != "POST" and not any(chosen) and player is not None:
        chosen[0] = str(player.person_id)
    return chosen


def _form(request: HttpRequest, context: NewMatchContext) -> HttpResponse:
    tapped = context["tapped"]
    if tapped and "HX-Request" in request.headers:
        return render(request, "leagues/new_match.html#seats", context)
    status = 422 if request.method == "POST" and not tapped else 200
    return render(request, "leagues/new_match.html", context, status=status)


def _open_in_league(request: HttpRequest, league: League, player: Player | None) -> Match:
    if player is None:
        raise NotAllowed(_("First say who you are."))
    members = {str(member.player.pk): member.player for member in members_of(league)}
    chosen = [request.POST.get(f"seat-{seat}", "") for seat in range(league.seats)]
    if any(key not in members for key in chosen):
        raise OperationError(_("Choose a member of the league for each seat."))
    players = [members[key] for key in chosen]
    return matches.open_match(by=player, at=timezone.now(), players=players, league=league)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@form_once
def new_friends_match(request: HttpRequest, game: str) -> HttpResponse:
    chosen_game = games.find_game(game)
    if chosen_game is None:
        raise Http404("no such game")
    player = visitor(request)
    tapped = _only_seats_changed(request)
    if request.method == "POST" and not tapped:
        try:
            return redirect(match_url(_open_among_friends(request, chosen_game, player)))
        except OperationError as error:
            messages.warning(request, str(error))
            player = visitor(request)
    friends = friends_of(player) if player else []
    others = range(1, most_seats(chosen_game))
    names = [request.POST.get(f"name-{seat}", "") for seat in others]
    sits = next(
        (friend.name for friend in friends if str(friend.pk) == request.POST.get("sit")), ""
    )
    if sits and "" in names:
        names[names.index("")] = sits
    context: FriendsMatchContext = {
        "game": chosen_game,
        "you": player,
        "own": request.POST.get("own", ""),
        "people": [friend for friend in friends if friend.name not in names],
        "seats": [{"number": number, "name": name} for number, name in enumerate(names, start=1)],
        "free": "" in names,
        "profile": request.POST.get("profile", ""),
        "tapped": tapped,
    }
    return _form(request, context)


def _open_among_friends(request: HttpRequest, game: Game, player: Player | None) -> Match:
    by = player or become_guest(request, request.POST.get("own", ""))
    others = [request.POST.get(f"name-{seat}", "") for seat in range(1, most_seats(game))]
    names = [other for other in others if clean(other)]
    if not names:
        raise OperationError(_("Enter the names of the people at your table."))
    return open_among_friends(
        by=by,
        at=timezone.now(),
        names=["", *names],
        game=game.key,
        profile=request.POST.get("profile", ""),
    )


@require_POST
@answers_when_gone
def open_fixture_match(request: HttpRequest, pk: int) -> HttpResponse:
    """Open the match of a fixture, or show it if it exists."""
    player = visitor(request)
    fixture = visible_fixture(player, pk)
    try:
        if player is None:
            raise NotAllowed(_("First say who you are."))
        match = matches.open_match(by=player, at=timezone.now(), fixture=fixture)
    except FixtureGone:
        raise
    except OperationError as error:
        messages.warning(request, str(error))
        return redirect("league", fixture.round.league.slug)
    if "print" in request.POST:
        return redirect(scoresheets_url([match]))
    return redirect(match_url(match))


@require_POST
def round_scoresheets(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    league, player = league_of(request, slug)
    if player is None or not may_score(player, league):
        raise Http404("not for you")
    round_ = Round.objects.filter(league=league, number=number).first()
    if round_ is None:
        messages.warning(request, _("This round no longer exists, because its draw was undone."))
        return redirect("league_fixtures", slug)
    try:
        opened = matches.open_round(round_, by=player, at=timezone.now())
    except OperationError as error:
        messages.warning(request, str(error))
        return redirect("league_fixtures", slug)
    return redirect(scoresheets_url(opened))
