"""A match that was handed in: its ticket, and what a second pair of eyes may do with it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.time_zones import show_in
from leagues.forms.numbers import whole
from leagues.games import games
from leagues.models import Match, Player
from leagues.operations import matches, objections
from leagues.operations.again import may_rematch, open_rematch
from leagues.operations.errors import NotAllowed, OperationError
from leagues.queries.results import Seated, lines
from leagues.rules import allowed, bearing, may_view_match
from leagues.views.visiting import tell_refusal, visitor

KEYS: Final = "match_keys"
"""Where a session keeps the numbers of the matches whose key it was shown."""
LINKS: Final = "match_links"
"""Where it keeps those that it came to from a league seen by link: to look at, no more."""
KEYS_KEPT: Final = 20
MOST_SHEETS: Final = 60
"""Scoresheets on one page: a round of a hundred players."""


def knows_key(request: HttpRequest, match: Match) -> bool:
    """Whether this browser has come by the match's key, on paper or as a link."""
    return match.pk in request.session.get(KEYS, [])


def knows_link(request: HttpRequest, match: Match) -> bool:
    """Whether this browser may look at the match by its key, or by the address of its league."""
    return knows_key(request, match) or match.pk in request.session.get(LINKS, [])


def remember_key(request: HttpRequest, match: Match, where: str = KEYS) -> None:
    """Let this browser see the match from now on; `where`: `KEYS` or `LINKS`."""
    known = [pk for pk in request.session.get(where, []) if pk != match.pk]
    request.session[where] = [*known[-KEYS_KEPT:], match.pk]


def match_of(request: HttpRequest, pk: int) -> tuple[Match, Player | None]:
    """The match and who looks at it; 404 for who may not see it."""
    rows = Match.objects.select_related("league", "fixture__round", "sheet", "entered_by")
    match = get_object_or_404(rows.select_related("confirmed_by"), pk=pk)
    player = visitor(request)
    if not may_view_match(player, match, knows_link=knows_link(request, match)):
        raise Http404("not for you")
    if match.league is not None:
        show_in(request, match.league.zone)
    return match, player


def home_of(match: Match) -> str:
    """Where a match is written down, and its ticket stands."""
    return reverse(games[match.game].hand_in, args=[match.pk])


def key_link(request: HttpRequest, match: Match, player: Player | None) -> str:
    """The address that opens the match's form for who sat there; empty for who only looks on.

    Who has it may say that they are one of the guests, so it goes round the table and no further.
    """
    who = bearing(player, match)
    if not (who.seated or who.scores or knows_key(request, match)):
        return ""
    return request.build_absolute_uri(reverse("match_key", args=[match.key]))


def scoresheets_of(printed: Sequence[Match]) -> str:
    """Where the scoresheets of these matches of one game are printed."""
    numbers = QueryDict(mutable=True)
    numbers.setlist("match", [str(match.pk) for match in printed])
    return f"{reverse(games[printed[0].game].scoresheets)}?{numbers.urlencode()}"


def matches_asked_for(request: HttpRequest) -> list[int]:
    """The numbers of the matches whose scoresheets are asked for; 404 without any."""
    numbers = sorted({whole(one) for one in request.GET.getlist("match")[:MOST_SHEETS]})
    if not numbers:
        raise Http404("no match given")
    return numbers


def _ended(match: Match, seats: Sequence[Seated]) -> str:
    """How it ended, where the game says more than who won; a forfeit was not played."""
    ended = games[match.game].ended
    if ended is None or match.sheet is None or match.origin == Match.Origin.FORFEIT:
        return ""
    names = [seat.name for seat in seats]
    return ended(match.rules, match.sheet.content, names, [seat.points or 0 for seat in seats])


def ticket_context(request: HttpRequest, match: Match, player: Player | None) -> dict[str, Any]:
    """What `leagues/_ticket.html` is drawn from."""
    line = lines(Match.objects.filter(pk=match.pk))[0]
    may = allowed(player, match) if player else frozenset()
    return {
        "match": match,
        "game": games[match.game],
        "seats": line.seats,
        "winners": [seat for seat in line.seats if seat.place == 1],
        "ended": _ended(match, line.seats),
        "may": {action.value: True for action in may},
        "you": player,
        "entered": _entered(match, player),
        "others": _others(match, line.seats),
        "dispute": match.disputes.filter(settled_at=None).select_related("by").first(),
        "settled": match.disputes.exclude(settled_at=None).select_related("by", "settled_by"),
        "sheets": list(match.sheets.select_related("by").order_by("-number")),
        "until": match.objections_until,
        "key_link": key_link(request, match, player),
        "rematch": may_rematch(match, player),
    }


def _entered(match: Match, player: Player | None) -> bool:
    by = match.entered_by
    return by is not None and player is not None and by.person_id == player.person_id


def _others(match: Match, seats: tuple[Seated, ...]) -> list[Seated]:
    """Who can confirm: everybody but who handed it in."""
    by = match.entered_by.person_id if match.entered_by else None
    return [seat for seat in seats if seat.player.person_id != by]


def seen_version(request: HttpRequest) -> int:
    """The version of the match that the page showed; -1 where none was sent."""
    return whole(request.POST.get("version", ""))


Deed = Callable[[HttpRequest, Match, Player], str]
"""Does what a button says and gives the sentence that tells it is done."""


def do_deed(request: HttpRequest, pk: int, deed: Deed) -> HttpResponse:
    """One press of a button on the ticket: done, or refused in a sentence."""
    match, player = match_of(request, pk)
    try:
        if player is None:
            raise NotAllowed(_("First say who you are."))
        messages.success(request, deed(request, match, player))
    except OperationError as error:
        tell_refusal(request, error)
    return redirect(home_of(match))


@require_POST
def confirm(request: HttpRequest, pk: int) -> HttpResponse:
    """A second player says that it is right."""
    return do_deed(request, pk, _confirm)


def _confirm(request: HttpRequest, match: Match, player: Player) -> str:
    matches.confirm(match=match, version=seen_version(request), by=player, at=timezone.now())
    return (
        _("The result has been confirmed and now counts.")
        if match.rated
        else _("The result has been confirmed.")
    )


@require_POST
def dispute(request: HttpRequest, pk: int) -> HttpResponse:
    """Somebody who sat there says that it is wrong, and why."""
    return do_deed(request, pk, _dispute)


def _dispute(request: HttpRequest, match: Match, player: Player) -> str:
    objections.dispute(
        match=match,
        version=seen_version(request),
        by=player,
        at=timezone.now(),
        reason=request.POST.get("reason", ""),
    )
    return _("You have disputed this result. It does not count until the dispute is settled.")


@require_POST
def settle(request: HttpRequest, pk: int) -> HttpResponse:
    """The dispute is withdrawn, or an organiser ends it."""
    return do_deed(request, pk, _settle)


def _settle(request: HttpRequest, match: Match, player: Player) -> str:
    void = request.POST.get("verdict") == objections.Verdict.VOID.value
    objections.settle(
        match=match,
        version=seen_version(request),
        by=player,
        at=timezone.now(),
        verdict=objections.Verdict.VOID if void else objections.Verdict.STANDS,
        settlement=request.POST.get("settlement", ""),
    )
    return (
        _("This match is void.")
        if void
        else _("The dispute has been settled: the result does not change.")
    )


@require_POST
def void(request: HttpRequest, pk: int) -> HttpResponse:
    """The match counts for nothing."""
    return do_deed(request, pk, _void)


def _void(request: HttpRequest, match: Match, player: Player) -> str:
    objections.void_match(
        match=match,
        version=seen_version(request),
        by=player,
        at=timezone.now(),
        reason=request.POST.get("reason", ""),
    )
    return _("This match is void.")


@require_POST
def rematch(request: HttpRequest, pk: int) -> HttpResponse:
    """The same players, the same rules, a new match."""
    match, player = match_of(request, pk)
    try:
        if player is None:
            raise NotAllowed(_("First say who you are."))
        again = open_rematch(match=match, by=player, at=timezone.now())
    except OperationError as error:
        messages.warning(request, str(error))
        return redirect(home_of(match))
    return redirect(home_of(again))
