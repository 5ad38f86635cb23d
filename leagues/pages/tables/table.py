"""Views of a live table: its page, actions, replay and the records of its rounds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypedDict

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_POST, require_safe

from actas import Document, NotYet, responses
from fairness import canonical
from leagues.exceptions import NotAllowed, OperationError, is_accepted
from leagues.games import Game
from leagues.members.marks import seat_marks
from leagues.models import Player, Table
from leagues.pages.access import visitor
from leagues.pages.forms import parse_whole_number
from leagues.pages.matches.matches import knows_link
from leagues.permissions import may_view_match
from leagues.players import become_guest
from leagues.tables import actas as table_actas
from leagues.tables import broadcast, visibility
from leagues.tables import log as table_log
from leagues.tables import permissions as table_permissions
from leagues.tables.log import TableLog
from leagues.tables.operations import lobby
from leagues.tables.operations import moves as table_moves
from leagues.tables.operations.moves import RematchOffer, rematch, rematch_offer
from leagues.tables.visibility import RoundCommitment, TableView

CACHE_CONTROL: Final = "max-age=86400, stale-while-revalidate=604800"
# Part of the ETag of the steps of a replay. Increase it when their design changes, because browsers
# cache the steps.
FRAGMENT_VERSION: Final = "1"
# Maximum number of lines about the rules on the page of a table.
MAX_RULES: Final = 6


@dataclass(frozen=True, kw_only=True)
class TableVisit:
    log: TableLog
    player: Player | None
    linked: bool

    @property
    def seat(self) -> int | None:
        return self.log.seat_of(self.player)

    @property
    def is_host(self) -> bool:
        host = self.log.people[self.log.table.host_id]
        return self.player is not None and host.person == self.player.person_id


@dataclass(frozen=True, kw_only=True)
class Replay:
    table: int
    round: int
    move: int
    last: int

    @property
    def url(self) -> str:
        return self._address(self.move)

    @property
    def previous_url(self) -> str:
        return self._address(self.move - 1) if self.move else ""

    @property
    def next_url(self) -> str:
        return self._address(self.move + 1) if self.move < self.last else ""

    def _address(self, move: int) -> str:
        return reverse("table_replay", args=(self.table, self.round, move))


def visit_table(request: HttpRequest, pk: int) -> TableVisit:
    log = table_log.find_log(pk)
    player = visitor(request)
    linked = log is not None and table_permissions.has_link(request.session, log.table)
    if log is None or not table_permissions.may_see(log, player, linked=linked):
        raise Http404("no such table")
    return TableVisit(log=log, player=player, linked=linked)


@require_safe
@ensure_csrf_cookie
def table_page(request: HttpRequest, pk: int) -> HttpResponse:
    return show_table(request, visit_table(request, pk))


def show_table(
    request: HttpRequest,
    table_visit: TableVisit,
    *,
    status: int = 200,
    chosen: Mapping[str, str] | None = None,
    **extra: object,
) -> HttpResponse:
    """Render the present state of a table as a page, or as a fragment for htmx.

    `extra` are messages (`refused`, `stale`, `refused_name`). `chosen` are the fields of a rejected
    move.
    """
    view = broadcast.current_view(table_visit.log, table_visit.seat)
    extra["lobby"] = _lobby(request, table_visit, view) if view.is_open else None
    extra["may_open"] = view.is_over and _may_open(request, table_visit)
    extra["rematch"] = _rematch_offer(table_visit, view)
    stage = broadcast.render_fragment(view, request.LANGUAGE_CODE, chosen, **extra)
    if request.headers.get("HX-Request"):
        return never_stored(HttpResponse(stage, status=status))
    context = _page(request, table_visit, view) | {"stage": stage}
    with seat_marks(view.players):
        return never_stored(render(request, _templates(view), context, status=status))


def _templates(view: TableView) -> list[str]:
    """Return the names of the page's templates. A game's own template may add a style sheet."""
    return [f"{view.game.key}/table.html", "leagues/table.html"]


def _may_open(request: HttpRequest, table_visit: TableVisit) -> bool:
    """Return whether a spectator may open the match that resulted from the table.

    Returns False for players, because they may always open it.
    """
    if table_visit.seat is not None:
        return False
    match = Table.objects.select_related("match__league").get(pk=table_visit.log.table.pk).match
    return match is not None and may_view_match(
        table_visit.player, match, knows_link=knows_link(request, match)
    )


def _rematch_offer(table_visit: TableVisit, view: TableView) -> RematchOffer | None:
    if view.state != Table.State.OVER or table_visit.player is None or table_visit.seat is None:
        return None
    return rematch_offer(table_visit.log, table_visit.player)


class LobbyContext(TypedDict):
    """Template context of a table before the game: who may take a seat, and the link to invite
    others.
    """

    is_host: bool
    host: str
    sits: bool
    may_sit: bool
    asks_name: bool
    bots: Sequence[tuple[str, str]]
    link: str


def _may_sit(table: Table, player: Player | None, *, invited: bool) -> bool:
    """Return whether a visitor can take a free seat. A visitor without a player becomes a guest."""
    if player is None:
        return table.league_id is None and invited
    return is_accepted(lambda: lobby.check_may_sit(table, player, invited=invited))


def _lobby(request: HttpRequest, table_visit: TableVisit, view: TableView) -> LobbyContext:
    table = table_visit.log.table
    sits = table_visit.seat is not None
    invited = table.seating == Table.Seating.ANYBODY or table_visit.linked or table_visit.is_host
    link = reverse("table_join", args=(table.pk, table.invitation))
    return {
        "is_host": table_visit.is_host,
        "host": table_visit.log.people[table.host_id].name,
        "sits": sits,
        "may_sit": not sits and _may_sit(table, table_visit.player, invited=invited),
        "asks_name": table_visit.player is None,
        "bots": () if table.league_id else view.game.bots,
        "link": request.build_absolute_uri(link) if sits or table_visit.is_host else "",
    }


@dataclass(frozen=True, kw_only=True)
class RoundCheck:
    """Comparison of a finished round with the published digest of its seed.

    `recorded` means that there is a verifiable record of the round.
    """

    number: int
    differs: list[str]
    recorded: bool
    stake: str


class TableContext(TypedDict):
    """Template context of a table's page, except for the game itself.

    `feed` is the URL of live updates, empty if there are no more.
    """

    table: TableView
    game: Game
    described: list[str]
    league_url: str
    address: str
    feed: str
    watching: bool
    delay: int
    may_leave: bool
    may_close: bool
    watch_link: str
    promises: tuple[RoundCommitment, ...]
    checks: list[RoundCheck]


def _page(request: HttpRequest, table_visit: TableVisit, view: TableView) -> TableContext:
    table = table_visit.log.table
    watching = table_visit.seat is None and not view.is_open
    playing_on = not view.is_over  # as seen by this visitor
    return {
        "table": view,
        "game": view.game,
        "described": list(view.game.describe(table.rules))[:MAX_RULES],
        "league_url": reverse("league", args=(table.league.slug,)) if table.league else "",
        "address": reverse("table", args=(table.pk,)),
        "feed": _feed(request, table_visit, view) if playing_on else "",
        "watching": watching and playing_on,
        "delay": table.delay,
        "may_leave": table_visit.seat is not None and view.state == Table.State.PLAYING,
        "may_close": table_visit.is_host and view.is_alone,
        "watch_link": _watch_link(request, table_visit, view),
        "promises": view.promises[:-3:-1],
        "checks": _checks(table_visit.log, [p.number for p in view.promises if p.seed][-1:]),
    }


def _feed(request: HttpRequest, table_visit: TableVisit, view: TableView) -> str:
    language, table = request.LANGUAGE_CODE, table_visit.log.table
    if table_visit.seat is not None and view.moment.round:
        return f"/live/seat-{language}/{table.pk}-{table_visit.seat}/"
    return f"/live/table-{language}/{table.pk}/"


def _watch_link(request: HttpRequest, table_visit: TableVisit, view: TableView) -> str:
    table = table_visit.log.table
    if view.is_open or table_visit.seat is None or table.watch == Table.Watch.NOBODY:
        return ""
    if table.watch == Table.Watch.LINK:
        return request.build_absolute_uri(reverse("table_join", args=(table.pk, table.invitation)))
    return request.build_absolute_uri(reverse("table", args=(table.pk,)))


def _checks(log: TableLog, rounds: list[int]) -> list[RoundCheck]:
    """Return the verification of finished rounds against the digests of their seeds (Ruling F-2).

    There is a record only once spectators have seen the end of a round, and there is no record of a
    round that was broken off.
    """
    over = table_actas.rounds_over(log, at=timezone.now()) if rounds else 0
    return [
        RoundCheck(
            number=number,
            differs=[
                f"{differs.name}: {differs.claimed}, {differs.found}"
                for differs in table_actas.verify_round(log, number)
            ],
            recorded=number <= over,
            stake=canonical(log.rounds[number - 1].stake).decode(),
        )
        for number in rounds
    ]


@require_safe
def replay(request: HttpRequest, pk: int, round_number: int, move: int) -> HttpResponse:
    visit = visit_table(request, pk)
    view = visibility.view_replay(
        visit.log, round_number=round_number, move=move, at=timezone.now()
    )
    if view is None:
        return _not_yet(request, visit, round_number)
    last = sum(made.round == round_number for made in visit.log.moves)
    step = Replay(table=pk, round=round_number, move=move, last=last)
    if request.headers.get("HX-Request"):
        return _cacheable_fragment(request, visit, view, step)
    kept = visit.log.rounds[round_number - 1]
    context = _page(request, visit, view) | {
        "stage": broadcast.render_fragment(view, request.LANGUAGE_CODE, replay=step),
        "replay": step,
        "watching": False,
        "feed": "",
        "may_leave": False,
        "watch_link": "",
        "address": step.url,
        "promises": [RoundCommitment(kept.number, kept.commitment.hex(), kept.seed.hex())],
        "checks": _checks(visit.log, [round_number]),
    }
    with seat_marks(view.players):
        return never_stored(render(request, _templates(view), context))


def _not_yet(request: HttpRequest, table_visit: TableVisit, round_number: int) -> HttpResponse:
    """Handle a replay step that cannot be shown.

    Show a notice if the step is not public yet, and raise `Http404` if it does not exist.
    """
    watched = broadcast.current_view(table_visit.log, None)
    opened = {promise.number for promise in watched.promises if promise.seed}
    if watched.is_over or round_number < 1 or round_number in opened:
        raise Http404("no such step")
    if request.headers.get("HX-Request"):
        return never_stored(HttpResponse(status=404))
    messages.info(
        request,
        _("You can see this step once all players have seen the end of the hand or evening."),
    )
    return never_stored(redirect("table", table_visit.log.table.pk))


def _cacheable_fragment(
    request: HttpRequest, table_visit: TableVisit, view: TableView, step: Replay
) -> HttpResponse:
    table = table_visit.log.table
    language = request.LANGUAGE_CODE
    tag = f'"table-{table.pk}-{step.round}-{step.move}-{language}-{FRAGMENT_VERSION}"'
    if request.headers.get("If-None-Match") == tag:
        response: HttpResponse = HttpResponseNotModified()
    else:
        response = HttpResponse(broadcast.render_fragment(view, language, replay=step))
    owner = "public" if table.watch == Table.Watch.ANYBODY and not table.league_id else "private"
    response["ETag"], response["Cache-Control"] = tag, f"{owner}, {CACHE_CONTROL}"
    patch_vary_headers(response, ("HX-Request", "Accept-Language", "Cookie"))
    return response


def never_stored(response: HttpResponse) -> HttpResponse:
    response["Cache-Control"] = "no-store"
    patch_vary_headers(response, ("HX-Request",))
    return response


MAX_FIELD_LENGTH: Final = 80
# Maximum number of form fields that are read.
MAX_FIELDS: Final = 200


@require_POST
def move_page(request: HttpRequest, pk: int) -> HttpResponse:
    visit = visit_table(request, pk)
    fields = _fields(request)
    try:
        table_moves.make_move(
            table_id=pk,
            player=visit.player,
            seen=parse_whole_number(fields.get("seen", "")),
            fields=fields,
            at=timezone.now(),
        )
    except lobby.IllegalMove as error:
        refused = {"sentence": str(error), "ruling": error.ruling}
        return show_table(
            request, visit_table(request, pk), status=422, chosen=fields, refused=refused
        )
    except NotAllowed as error:
        return show_table(request, visit_table(request, pk), status=403, stale=str(error))
    except OperationError as error:
        return show_table(
            request, visit_table(request, pk), status=409, chosen=fields, stale=str(error)
        )
    return _redirect_to_table(request, pk)


def _refused_name(request: HttpRequest, error: OperationError) -> dict[str, object]:
    """Return the name that a visitor entered for a free seat, and why it was rejected."""
    seat = parse_whole_number(request.POST.get("seat", ""))
    return {"seat": seat, "name": request.POST.get(f"name-{seat}", ""), "error": str(error)}


def _fields(request: HttpRequest) -> dict[str, str]:
    given = list(request.POST.items())[:MAX_FIELDS]
    return {str(name): str(value)[:MAX_FIELD_LENGTH] for name, value in given}


def _redirect_to_table(request: HttpRequest, pk: int) -> HttpResponse:
    if request.headers.get("HX-Request"):
        return show_table(request, visit_table(request, pk))
    return never_stored(redirect("table", pk))


@require_POST
def perform_action(request: HttpRequest, pk: int, what: str) -> HttpResponse:
    if what not in ACTIONS:
        raise Http404("no such button")
    visit = visit_table(request, pk)
    try:
        goal = ACTIONS[what](request, visit, _fields(request))
    except OperationError as error:
        if what == "sit" and error.field == "name":
            again = visit_table(request, pk)
            return show_table(
                request, again, status=422, refused_name=_refused_name(request, error)
            )
        if request.headers.get("HX-Request"):
            return show_table(request, visit_table(request, pk), status=409, stale=str(error))
        messages.warning(request, str(error))
        return never_stored(redirect("table", pk))
    if goal is not None:
        return never_stored(redirect("table", goal))
    return _redirect_to_table(request, pk)


@require_safe
def follow_invitation(request: HttpRequest, pk: int, invitation: str) -> HttpResponse:
    log = table_log.find_log(pk)
    if log is None or not table_permissions.follow_link(request.session, log.table, invitation):
        raise Http404("no such invitation")
    return never_stored(redirect("table", pk))


Fields = Mapping[str, str]


def _take_seat(request: HttpRequest, table_visit: TableVisit, fields: Fields) -> int | None:
    seat = parse_whole_number(fields.get("seat", ""))
    player = table_visit.player or become_guest(request, fields.get(f"name-{seat}", ""))
    lobby.sit_down(
        table_id=table_visit.log.table.pk,
        player=player,
        at=timezone.now(),
        seat=seat if seat >= 0 else None,
        invited=table_visit.linked,
    )
    return None


def _bot(request: HttpRequest, table_visit: TableVisit, fields: Fields) -> int | None:
    seat, _, bot = fields.get("bot", "").partition("/")
    lobby.seat_bot(
        table_id=table_visit.log.table.pk,
        player=table_visit.player,
        bot=bot,
        seat=parse_whole_number(seat),
        at=timezone.now(),
    )
    return None


def _free_seat(request: HttpRequest, table_visit: TableVisit, fields: Fields) -> int | None:
    seat = parse_whole_number(fields.get("seat", ""))
    lobby.free_seat(
        table_id=table_visit.log.table.pk, player=table_visit.player, seat=seat, at=timezone.now()
    )
    return None


def _rematch(request: HttpRequest, table_visit: TableVisit, fields: Fields) -> int | None:
    return rematch(
        table_id=table_visit.log.table.pk, player=table_visit.player, at=timezone.now()
    ).pk


def _action_without_fields(
    operation: Callable[..., object],
) -> Callable[[HttpRequest, TableVisit, Fields], int | None]:
    def press(request: HttpRequest, table_visit: TableVisit, fields: Fields) -> int | None:
        player: Player | None = table_visit.player
        operation(table_id=table_visit.log.table.pk, player=player, at=timezone.now())
        return None

    return press


# Functions that perform the actions of the buttons. If one returns a number, the response redirects
# to the table with this number.
ACTIONS: Final[Mapping[str, Callable[[HttpRequest, TableVisit, Fields], int | None]]] = {
    "sit": _take_seat,
    "stand": _action_without_fields(lobby.stand_up),
    "bot": _bot,
    "free": _free_seat,
    "begin": _action_without_fields(lobby.begin_table),
    "close": _action_without_fields(lobby.close_table),
    "ready": _action_without_fields(table_moves.say_ready),
    "leave": _action_without_fields(table_moves.leave_game),
    "back": _action_without_fields(table_moves.come_back),
    "rematch": _rematch,
}


@require_safe
def round_record(request: HttpRequest, pk: int, round_number: int) -> HttpResponse:
    """Download the acta (verifiable record) of a round that all spectators have seen.

    It is not cached, because names may change.
    """
    document = _acta_of_round(visit_table(request, pk), round_number)
    name = f"table-{pk}-round-{round_number}"
    return responses.file_response(request, document, name=name, public=False, final=False)


@require_safe
def round_verdict(request: HttpRequest, pk: int, round_number: int) -> HttpResponse:
    visit = visit_table(request, pk)
    words = {"round": visit.log.game.round_name, "number": round_number, "table": pk}
    return responses.verdict_response(
        request,
        _acta_of_round(visit, round_number),
        of=_("table %(table)s, %(round)s %(number)s") % words,
        back=reverse("table_replay", args=(pk, round_number, 0)),
        record=reverse("round_acta", args=(pk, round_number)),
    )


def _acta_of_round(table_visit: TableVisit, number: int) -> Document:
    try:
        return table_actas.acta_of_round(table_visit.log, number, at=timezone.now())
    except NotYet as reason:
        raise Http404(str(reason)) from reason
