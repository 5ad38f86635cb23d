"""What is done at a table: a move, and everything else that is one press of a button."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from leagues import playing
from leagues.forms.numbers import whole
from leagues.models import Player
from leagues.operations import tables
from leagues.operations.errors import NotAllowed, OperationError
from leagues.operations.players import become_guest
from leagues.operations.tables.rematch import rematch
from leagues.views.tables.present import Visit, fresh, show, visit

LONGEST_FIELD: Final = 80
FIELDS: Final = 200
"""Fields of a form that are read at most."""


@require_POST
def move(request: HttpRequest, pk: int) -> HttpResponse:
    """Make a move; refused, the page comes back with the reason and with what was chosen."""
    found = visit(request, pk)
    fields = _fields(request)
    try:
        tables.make_move(
            table_id=pk,
            player=found.player,
            seen=whole(fields.get("seen", "")),
            fields=fields,
            at=timezone.now(),
        )
    except tables.IllegalMove as error:
        refused = {"sentence": str(error), "ruling": error.ruling}
        return show(request, visit(request, pk), status=422, chosen=fields, refused=refused)
    except NotAllowed as error:
        return show(request, visit(request, pk), status=403, stale=str(error))
    except OperationError as error:
        return show(request, visit(request, pk), status=409, chosen=fields, stale=str(error))
    return _done(request, pk)


def _fields(request: HttpRequest) -> dict[str, str]:
    """What the form says, in its first fields, none longer than any move is written."""
    given = list(request.POST.items())[:FIELDS]
    return {str(name): str(value)[:LONGEST_FIELD] for name, value in given}


def _done(request: HttpRequest, pk: int) -> HttpResponse:
    """The present: as a fragment to a script, else by way of the page's own address."""
    if request.headers.get("HX-Request"):
        return show(request, visit(request, pk))
    return fresh(redirect("table", pk))


@require_POST
def act(request: HttpRequest, pk: int, what: str) -> HttpResponse:
    """One of the buttons beside the game; refused, the reason stands on the page."""
    if what not in ACTS:
        raise Http404("no such button")
    found = visit(request, pk)
    try:
        goal = ACTS[what](request, found, _fields(request))
    except OperationError as error:
        if request.headers.get("HX-Request"):
            return show(request, visit(request, pk), status=409, stale=str(error))
        messages.warning(request, str(error))
        return fresh(redirect("table", pk))
    if goal is not None:
        return fresh(redirect("table", goal))
    return _done(request, pk)


@require_safe
def join(request: HttpRequest, pk: int, invitation: str) -> HttpResponse:
    """Come by a table's link: it is remembered, and the table shown."""
    log = playing.find(pk)
    if log is None or not tables.follow_link(request.session, log.table, invitation):
        raise Http404("no such invitation")
    return fresh(redirect("table", pk))


Fields = Mapping[str, str]


def _sit(request: HttpRequest, found: Visit, fields: Fields) -> int | None:
    seat = whole(fields.get("seat", ""))
    player = found.player or become_guest(request, fields.get(f"name-{seat}", ""))
    tables.sit_down(
        table_id=found.log.table.pk,
        player=player,
        at=timezone.now(),
        seat=seat if seat >= 0 else None,
        invited=found.linked,
    )
    return None


def _bot(request: HttpRequest, found: Visit, fields: Fields) -> int | None:
    seat, _, bot = fields.get("bot", "").partition("/")
    tables.ask_bot(
        table_id=found.log.table.pk,
        player=found.player,
        bot=bot,
        seat=whole(seat),
        at=timezone.now(),
    )
    return None


def _free(request: HttpRequest, found: Visit, fields: Fields) -> int | None:
    seat = whole(fields.get("seat", ""))
    tables.free_seat(table_id=found.log.table.pk, player=found.player, seat=seat, at=timezone.now())
    return None


def _rematch(request: HttpRequest, found: Visit, fields: Fields) -> int | None:
    return rematch(table_id=found.log.table.pk, player=found.player, at=timezone.now()).pk


def _plain(operation: Callable[..., Any]) -> Callable[[HttpRequest, Visit, Fields], int | None]:
    """A button that says nothing but who pressed it."""

    def press(request: HttpRequest, found: Visit, fields: Fields) -> int | None:
        player: Player | None = found.player
        operation(table_id=found.log.table.pk, player=player, at=timezone.now())
        return None

    return press


ACTS: Final[Mapping[str, Callable[[HttpRequest, Visit, Fields], int | None]]] = {
    "sit": _sit,
    "stand": _plain(tables.stand_up),
    "bot": _bot,
    "free": _free,
    "begin": _plain(tables.begin),
    "close": _plain(tables.close_table),
    "ready": _plain(tables.say_ready),
    "leave": _plain(tables.leave),
    "back": _plain(tables.come_back),
    "rematch": _rematch,
}
"""What each button asks for; a number in return is the table to go to."""
