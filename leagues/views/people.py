"""A player's page, what is said of guests, claims and merges; the site's leaderboards."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from leagues.games import games
from leagues.models import League, Merge, Player
from leagues.operations import merging
from leagues.operations.errors import OperationError
from leagues.operations.players import player_of
from leagues.operations.profile import hide_player, rename_player
from leagues.queries import results
from leagues.queries.boards import site_board, site_ratings
from leagues.queries.careers import career_of, visible_leagues
from leagues.ratings import span
from leagues.rules import may_view_player
from leagues.views.visiting import attempt, visitor

LATEST = 12


@require_safe
def player(request: HttpRequest, slug: str) -> HttpResponse:
    """Form, opponents, partners, records, a game each; whom the page may show to whom."""
    found = get_object_or_404(Player.objects.select_related("merged_into", "user"), slug=slug)
    if found.merged_into is not None:
        return redirect("player", found.merged_into.slug)
    you = visitor(request)
    own = you is not None and you.person_id == found.pk
    leagues = visible_leagues(of=found, to=you)
    if not may_view_player(found, you, in_common=bool(leagues)):
        raise Http404("no such player")
    return render(request, "leagues/player.html", _page(found, you, own, leagues))


def _page(found: Player, you: Player | None, own: bool, leagues: list[League]) -> dict[str, Any]:
    keys = [league.pk for league in leagues]
    ratings = site_ratings(found)
    return {
        "player": found,
        "own": own,
        "you": you,
        "leagues": leagues,
        "careers": [
            (game, ratings.get(game.key), career)
            for game in games.all()
            if (career := career_of(found, game.key, keys)) is not None
        ],
        "results": results.of_player(found, LATEST, keys),
        "merges": merging.merges_of(found, to=you),
        "may_claim": bool(you and found.is_guest and not you.is_guest and not own),
    }


@require_safe
def me(request: HttpRequest) -> HttpResponse:
    """One's own page; who has none yet is shown how to get one."""
    you = player_of(request) if request.user.is_authenticated else visitor(request)
    return redirect("player", you.slug) if you else redirect("leagues")


@require_POST
def change(request: HttpRequest, slug: str) -> HttpResponse:
    """One's own name, and who may see the page."""
    you = visitor(request)
    found = get_object_or_404(Player, slug=slug)
    if you is None or you.person_id != found.pk:
        raise Http404("not for you")

    def act() -> None:
        rename_player(player=found, name=request.POST.get("name", ""))
        hide_player(player=found, public=request.POST.get("public") == "on")

    return attempt(request, act, _("Saved."), reverse("player", args=[found.slug]))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def claim(request: HttpRequest, slug: str) -> HttpResponse:
    """Say “that is me” of a guest, after a look at what a merge would move."""
    guest = get_object_or_404(Player, slug=slug)
    you = player_of(request)
    assert you is not None
    known = {league.pk for league in visible_leagues(of=guest, to=you)}
    if not known:
        raise Http404("no such player")
    if request.method == "POST":
        return attempt(
            request,
            lambda: merging.propose_claim(guest=guest, by=you, at=timezone.now()),
            _("Your request has been sent. An organiser of the league will answer it."),
            reverse("player", args=[guest.slug]),
        )
    context: dict[str, Any] = {"guest": guest, "you": you, "problem": ""}
    try:
        context["consequences"] = merging.preview_merge(absorbed=guest, kept=you, among=known)
    except OperationError as error:
        context["problem"] = str(error)
    return render(request, "leagues/claim.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def guest_link(request: HttpRequest, token: str) -> HttpResponse:
    """The link of a guest: play on as the guest here, or take the guest into one's account."""
    try:
        guest = merging.guest_behind(token)
    except OperationError as error:
        return render(request, "leagues/guest_claim.html", {"problem": str(error)}, status=410)
    if request.method == "POST":
        return _take(request, token, guest)
    return render(request, "leagues/guest_claim.html", {"guest": guest, "you": visitor(request)})


def _take(request: HttpRequest, token: str, guest: Player) -> HttpResponse:
    def act() -> None:
        you = player_of(request) if request.user.is_authenticated else None
        if you is None:
            merging.take_guest(request, token=token)
        else:
            merging.claim_by_link(token=token, by=you, at=timezone.now())

    return attempt(request, act, _("You are playing as %s.") % guest, reverse("leagues"))


@login_required
@require_POST
def take_held(request: HttpRequest) -> HttpResponse:
    """The guest that this browser played as before signing in becomes the account's."""
    you = player_of(request)
    assert you is not None

    def act() -> None:
        if merging.claim_held_guest(request, by=you, at=timezone.now()) is None:
            raise OperationError(_("There is no longer a guest in this browser."))

    return attempt(request, act, _("The guest's matches are now yours."), reverse("player_me"))


@require_POST
def undo_merge(request: HttpRequest, pk: int) -> HttpResponse:
    """Take a merge back: standings and ratings are again what they were."""
    merge = get_object_or_404(Merge.objects.select_related("kept", "absorbed"), pk=pk)
    you = visitor(request)
    if you is None or not merging.may_undo(you, merge):
        raise Http404("not for you")
    return attempt(
        request,
        lambda: merging.undo_merge(merge=merge, by=you, at=timezone.now()),
        _("The merge has been undone."),
        reverse("player", args=[merge.kept.slug]),
    )


@require_safe
def leaderboard(request: HttpRequest, key: str) -> HttpResponse:
    """The site's ranking at a game."""
    game = games.find(key)
    if game is None:
        raise Http404("no such game")
    lines = site_board(key)
    context = {"game": game, "lines": lines, "span": span([line.shown for line in lines])}
    return render(request, "leagues/leaderboard.html", context)
