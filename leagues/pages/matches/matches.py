"""Views of a match: result page and actions, opening by key, record, and the review of results."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, TypedDict

from django.contrib import messages
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.time_zones import activate_default_zone
from actas import Document, NotYet, responses
from api.idempotency import form_once
from core.keys import parse_key
from leagues import matches_read as match_queries
from leagues.exceptions import NotAllowed, OperationError
from leagues.games import Game, games
from leagues.matches.operations import corrections, matches
from leagues.matches.operations.matches import may_rematch, open_rematch
from leagues.matches_read import ResultLine, SeatResult, SideResult, result_line, result_lines
from leagues.models import League, Match, Player, Proposal, Result, Sheet
from leagues.pages.access import add_refusal_message, league_context, organised_league, visitor
from leagues.pages.forms import parse_whole_number
from leagues.pages.league.views import MAX_PAGES
from leagues.pages.matches.decisions import DecisionContext, decision_context
from leagues.permissions import (
    Action,
    is_site_admin,
    match_relation,
    may_view,
    may_view_match,
    permits,
)
from leagues.players import remember_guest
from leagues.tables import actas as table_actas
from leagues.text import join_with_and

# Session key of the matches that the browser has opened by their key.
KEYS_SESSION_KEY: Final = "match_keys"
# Session key of the matches opened from an unlisted league. They may only be read.
LINKS_SESSION_KEY: Final = "match_links"
MAX_KEYS: Final = 20
# Session key under which the reason of a rejected action is stored, so that the form can show it
# again.
REFUSED_SESSION_KEY: Final = "refused_reason"
MAX_KEPT_LENGTH: Final = 10_000
# Maps forms that ask for a reason to the name of the field.
REASON_FIELDS: Final = {
    "dispute": "reason",
    "settle": "settlement",
    "propose": "reason",
    "void": "reason",
}
# Maximum number of scoresheets on one page, enough for a round of a hundred players.
MAX_SCORESHEETS: Final = 60


def knows_key(request: HttpRequest, match: Match) -> bool:
    return match.pk in request.session.get(KEYS_SESSION_KEY, [])


def knows_link(request: HttpRequest, match: Match) -> bool:
    return knows_key(request, match) or match.pk in request.session.get(LINKS_SESSION_KEY, [])


def remember_key(request: HttpRequest, match: Match, where: str = KEYS_SESSION_KEY) -> None:
    known = [pk for pk in request.session.get(where, []) if pk != match.pk]
    request.session[where] = [*known[-MAX_KEYS:], match.pk]


def match_of(request: HttpRequest, pk: int) -> tuple[Match, Player | None]:
    rows = Match.objects.select_related("league", "fixture__round", "sheet", "entered_by")
    match = get_object_or_404(rows.select_related("confirmed_by"), pk=pk)
    player = visitor(request)
    if not may_view_match(player, match, knows_link=knows_link(request, match)):
        raise Http404("not for you")
    if match.league is not None:
        activate_default_zone(request, match.league.zone)
    return match, player


def match_url(match: Match) -> str:
    return reverse(games[match.game].hand_in, args=[match.pk])


def key_link(request: HttpRequest, match: Match, player: Player | None) -> str:
    """Return the link with the key of the match. Empty for visitors who do not play in the match.

    With this link, a visitor can claim to be one of the guests, so it must not be shown to others.
    """
    who = match_relation(player, match)
    if not (who.seated or who.scores or knows_key(request, match)):
        return ""
    return request.build_absolute_uri(reverse("match_key", args=[match.key]))


def scoresheets_url(printed: Sequence[Match]) -> str:
    numbers = QueryDict(mutable=True)
    numbers.setlist("match", [str(match.pk) for match in printed])
    return f"{reverse(games[printed[0].game].scoresheets)}?{numbers.urlencode()}"


def requested_matches(request: HttpRequest) -> list[int]:
    numbers = sorted(
        {parse_key(number) or 0 for number in request.GET.getlist("match")[:MAX_SCORESHEETS]}
    )
    if not numbers:
        raise Http404("no match given")
    return numbers


def _ending_text(line: ResultLine) -> str:
    """Return a text about how the match ended, if the game has more to say than the winner.

    It is empty for forfeits.
    """
    match = line.match
    if match.sheet is not None and match_queries.ended_early(match.sheet):
        return _("This match ended early.")
    ended = games[match.game].ended
    if ended is None or match.sheet is None or match.origin == Match.Origin.FORFEIT:
        return ""
    seats = line.by_number
    names = [seat.name for seat in seats]
    return ended(match.rules, match.sheet.content, names, [seat.points or 0 for seat in seats])


def _tied_text(line: ResultLine) -> str:
    """Return a text to put after the names of several winners. Empty if one side won alone."""
    first = sum(side.place == 1 for side in line.sides)
    if first < 2:
        return ""
    if first == len(line.sides):
        return pgettext("several players, after their names", "draw")
    return pgettext("several players, after their names", "share first place")


def _stopped_text(match: Match) -> str:
    """Return a text for a match that ended before its goal was reached, else an empty text."""
    stopped = games[match.game].stopped
    if stopped is None or match.sheet is None or match.sheet.forfeits:
        return ""
    if match_queries.ended_early(match.sheet):
        return ""
    return stopped(match.rules, match.sheet.content, match.sheet.points)


class Counted(NamedTuple):
    """Whether a match counts for the standings of its league, and whether it counts for ratings."""

    standings: bool
    ratings: bool


def counted_in(match: Match) -> Counted:
    """Return whether a confirmed or final match counts for standings and ratings, with one
    query.
    """
    result = Result.objects.filter(match=match).first()
    if result is None:
        return Counted(standings=False, ratings=False)
    in_league = match.league_id is not None
    return Counted(standings=in_league, ratings=result.rated and (in_league or result.site))


def fixture_link(match: Match, player: Player | None) -> str:
    """Return the URL of the match's fixture, empty if the visitor may not see it.

    The URL contains the slug of the league, which visitors who only have the key of the match need
    not know.
    """
    if match.fixture is None or match.league is None or not may_view(player, match.league):
        return ""
    return reverse("fixture", args=[match.league.slug, match.fixture.pk])


class TicketContext(DecisionContext):
    """Template context of the ticket of a match, which is the page of an entered result.

    - `may`: the actions that the visitor (`you`) may perform
    - `others`: the players who can confirm the result
    - `entered`: the visitor entered the result
    - `until`: end of the time for disputes
    - `sides`: the players, partners together
    - `winner`: the names of the winners. `tied` is a text to follow them if there are several.
    - `ended`: how the match ended. `stopped` is set if it ended before its goal was reached.
    - `counted`: whether the result counts for standings and ratings
    - `fixture_link`: URL of the fixture
    - `typed`: the reason entered in a form whose action was rejected, by name of the form
    """

    match: Match
    game: Game
    seats: tuple[SeatResult, ...]
    sides: tuple[SideResult, ...]
    crowded: bool
    winners: list[SeatResult]
    winner: str
    tied: str
    ended: str
    stopped: str
    counted: Counted
    fixture_link: str
    may: dict[str, bool]
    you: Player | None
    entered: bool
    others: list[SeatResult]
    sheets: list[Sheet]
    restorable: set[int]
    until: dt.datetime | None
    key_link: str
    rematch: bool
    typed: dict[str, str]


def ticket_context(request: HttpRequest, match: Match, player: Player | None) -> TicketContext:
    line = result_lines(Match.objects.filter(pk=match.pk))[0]
    entered_by = match.entered_by.person_id if match.entered_by else None
    who = match_relation(player, match, at=timezone.now())
    may = [action for action in Action if permits(who, action, match.state)]
    winners = [seat for seat in line.seats if seat.place == 1]
    asked = line.seating.side(match.entered_by)
    sheets = list(match.sheets.select_related("by__merged_into").order_by("-number"))
    return {
        **decision_context(match, who),
        "match": match,
        "game": games[match.game],
        "seats": line.seats,
        "sides": line.sides,
        "crowded": line.crowded,
        "winners": winners,
        "winner": join_with_and([seat.name for seat in winners]),
        "tied": _tied_text(line),
        "ended": _ending_text(line),
        "stopped": _stopped_text(match),
        "counted": counted_in(match),
        "fixture_link": fixture_link(match, player),
        "may": {action.value: True for action in may},
        "you": player,
        "entered": player is not None and player.person_id == entered_by,
        "others": [seat for seat in line.seats if seat.side != asked],
        "sheets": sheets,
        "restorable": corrections.restorable_versions(match, sheets),
        "until": match.objections_until,
        "key_link": key_link(request, match, player),
        "rematch": may_rematch(match, player),
        "typed": take_refused_reason(request, match),
    }


def submitted_version(request: HttpRequest) -> int:
    return parse_whole_number(request.POST.get("version", ""))


# Type of functions that perform an action on a match and return the success message.
MatchAction = Callable[[HttpRequest, Match, Player], str]


def perform_action(
    request: HttpRequest, pk: int, action: MatchAction, *, form: str = ""
) -> HttpResponse:
    """Perform an action and redirect to the match.

    If the action is rejected, the `form` is shown again with the reason that the visitor entered.
    """
    match, player = match_of(request, pk)
    try:
        if player is None:
            raise NotAllowed(_("First say who you are."))
        messages.success(request, action(request, match, player))
    except OperationError as error:
        add_refusal_message(request, error)
        if form:
            reason = request.POST.get(REASON_FIELDS[form], "")[:MAX_KEPT_LENGTH]
            request.session[REFUSED_SESSION_KEY] = {"match": pk, "form": form, "reason": reason}
    return redirect(match_url(match))


def take_refused_reason(request: HttpRequest, match: Match) -> dict[str, str]:
    """Return the reason entered for a rejected action, by name of the form, and delete it."""
    refused = request.session.get(REFUSED_SESSION_KEY)
    if not isinstance(refused, dict) or refused.get("match") != match.pk:
        return {}
    del request.session[REFUSED_SESSION_KEY]
    return {refused["form"]: refused["reason"]}


@require_POST
def confirm(request: HttpRequest, pk: int) -> HttpResponse:
    return perform_action(request, pk, _confirm_match)


def _confirm_match(request: HttpRequest, match: Match, player: Player) -> str:
    matches.confirm(match=match, version=submitted_version(request), by=player, at=timezone.now())
    return (
        _("The result has been confirmed and now counts.")
        if match.rated
        else _("The result has been confirmed.")
    )


@require_POST
def dispute(request: HttpRequest, pk: int) -> HttpResponse:
    return perform_action(request, pk, _dispute_match, form="dispute")


def _dispute_match(request: HttpRequest, match: Match, player: Player) -> str:
    corrections.dispute_match(
        match=match,
        version=submitted_version(request),
        by=player,
        at=timezone.now(),
        reason=request.POST.get("reason", ""),
    )
    return _("You have disputed this result. It does not count until the dispute is settled.")


@require_POST
def settle_dispute(request: HttpRequest, pk: int) -> HttpResponse:
    return perform_action(request, pk, _settle_dispute, form="settle")


def _settle_dispute(request: HttpRequest, match: Match, player: Player) -> str:
    void = request.POST.get("verdict") == corrections.DisputeVerdict.VOID.value
    corrections.settle_dispute(
        match=match,
        version=submitted_version(request),
        by=player,
        at=timezone.now(),
        verdict=corrections.DisputeVerdict.VOID if void else corrections.DisputeVerdict.STANDS,
        settlement=request.POST.get("settlement", ""),
    )
    return (
        _("This match is void.")
        if void
        else _("The dispute has been settled: the result does not change.")
    )


@require_POST
def propose(request: HttpRequest, pk: int) -> HttpResponse:
    return perform_action(request, pk, _propose, form="propose")


def _propose(request: HttpRequest, match: Match, player: Player) -> str:
    void = request.POST.get("verdict") == Proposal.Outcome.VOID.value
    corrections.propose(
        match=match,
        version=submitted_version(request),
        by=player,
        at=timezone.now(),
        verdict=Proposal.Outcome.VOID if void else Proposal.Outcome.STANDS,
        reason=request.POST.get("reason", ""),
    )
    return _("Your proposal has been sent. A player on the other side can now agree to it.")


@require_POST
def answer_proposal(request: HttpRequest, pk: int) -> HttpResponse:
    return perform_action(request, pk, _answer_proposal)


def _answer_proposal(request: HttpRequest, match: Match, player: Player) -> str:
    accept = request.POST.get("answer") == "accept"
    corrections.answer_proposal(
        match=match,
        version=submitted_version(request),
        by=player,
        at=timezone.now(),
        accept=accept,
    )
    return _("You have agreed to the proposal.") if accept else _("You have rejected the proposal.")


@require_POST
def void(request: HttpRequest, pk: int) -> HttpResponse:
    return perform_action(request, pk, _void_match, form="void")


def _void_match(request: HttpRequest, match: Match, player: Player) -> str:
    corrections.void_match(
        match=match,
        version=submitted_version(request),
        by=player,
        at=timezone.now(),
        reason=request.POST.get("reason", ""),
    )
    return _("This match is void.")


@require_POST
@form_once
def rematch(request: HttpRequest, pk: int) -> HttpResponse:
    match, player = match_of(request, pk)
    try:
        if player is None:
            raise NotAllowed(_("First say who you are."))
        again = open_rematch(match=match, by=player, at=timezone.now())
    except OperationError as error:
        messages.warning(request, str(error))
        return redirect(match_url(match))
    return redirect(match_url(again))


@never_cache
@require_safe
def match_redirect(request: HttpRequest, pk: int) -> HttpResponse:
    """Redirect to the page of the match in its game.

    Links from an unlisted league contain its slug (`?in=`), which allows the visitor to read the
    match.
    """
    rows = Match.objects.filter(pk=pk, league__visibility=League.Visibility.LINK)
    match = rows.select_related("league").first() if "in" in request.GET else None
    if match is not None and match.league is not None and match.league.slug == request.GET["in"]:
        remember_key(request, match, LINKS_SESSION_KEY)
    viewable_match, _player = match_of(request, pk)
    return redirect(match_url(viewable_match))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def open_by_key(request: HttpRequest, key: str) -> HttpResponse:
    """Open a match by its key. A visitor without a player chooses which of the guests they are."""
    match = get_object_or_404(Match.objects.select_related("league"), key=key)
    remember_key(request, match)
    player = visitor(request)
    guests = _guests_of(match)
    if request.method == "POST":
        return _take_guest_seat(request, match, player, guests)
    seated = player is not None and may_view_match(player, match)
    if seated or not guests:
        return redirect(match_url(match))
    context = {"match": match, "game": games[match.game], "guests": guests, "you": player}
    return render(request, "leagues/who.html", context)


def _guests_of(match: Match) -> list[tuple[int, Player]]:
    seats = match.seats.select_related("player__merged_into").order_by("number")
    persons = [(seat.number, seat.player.merged_into or seat.player) for seat in seats]
    return [(number, player) for number, player in persons if player.is_guest]


def _take_guest_seat(
    request: HttpRequest, match: Match, player: Player | None, guests: list[tuple[int, Player]]
) -> HttpResponse:
    chosen = request.POST.get("guest", "")
    chosen_guest = next((guest for _seat, guest in guests if str(guest.pk) == chosen), None)
    if player is not None:
        messages.warning(
            request,
            _("You are already playing as %(name)s in this browser.") % {"name": player.name},
        )
    elif chosen_guest is None:
        messages.warning(request, _("This guest did not play in this match."))
        return redirect(request.path)
    else:
        remember_guest(request, chosen_guest)
        messages.success(
            request, _("You are now playing as %(name)s.") % {"name": chosen_guest.name}
        )
    return redirect(match_url(match))


# Number of matches that are checked per page of the review.
REVIEW_PAGE_SIZE: Final = 50


@require_safe
def league_review(request: HttpRequest, slug: str) -> HttpResponse:
    league, player = organised_league(request, slug)
    context = {
        **league_context(league, player, "settings"),
        **_review_page(request, league.matches.all()),
    }
    return render(request, "leagues/review.html", context)


@require_safe
def site_review(request: HttpRequest) -> HttpResponse:
    if not is_site_admin(visitor(request)):
        raise Http404("not for you")
    context = _review_page(request, Match.objects.all())
    return render(request, "leagues/review_site.html", context)


class ReviewContext(TypedDict):
    """Template context of a page of the review of stored results, with the matches `first` to
    `last` of `total`.

    `doubts` are the matches whose scoresheet the present referee would reject, with the reasons.
    """

    doubts: list[tuple[ResultLine, tuple[str, ...]]]
    total: int
    first: int
    last: int
    number: int
    more: bool


def _review_page(request: HttpRequest, chosen: QuerySet[Match]) -> ReviewContext:
    number = min(MAX_PAGES, max(1, parse_whole_number(request.GET.get("page", ""), 1)))
    rows = match_queries.handwritten_matches(chosen)
    total, after = rows.count(), (number - 1) * REVIEW_PAGE_SIZE
    stretch = rows[after : after + REVIEW_PAGE_SIZE]
    return {
        "doubts": [
            (result_line(match), reasons)
            for match, reasons in match_queries.review_matches(stretch)
            if reasons
        ],
        "total": total,
        "first": after + 1,
        "last": min(after + REVIEW_PAGE_SIZE, total),
        "number": number,
        "more": after + REVIEW_PAGE_SIZE < total,
    }


@require_safe
def match_record(request: HttpRequest, pk: int) -> HttpResponse:
    match, _player = match_of(request, pk)
    document = _acta_of_match(match)
    return responses.file_response(request, document, name=f"match-{pk}", public=False, final=False)


@require_safe
def match_verdict(request: HttpRequest, pk: int) -> HttpResponse:
    match, _player = match_of(request, pk)
    return responses.verdict_response(
        request,
        _acta_of_match(match),
        of=_("match %(number)s") % {"number": pk},
        back=reverse("match", args=(pk,)),
        record=reverse("match_acta", args=(pk,)),
    )


def _acta_of_match(match: Match) -> Document:
    try:
        return table_actas.acta_of_match(match, at=timezone.now())
    except NotYet as reason:
        raise Http404(str(reason)) from reason
