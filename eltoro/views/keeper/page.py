"""The page of a kept board: every press of a button is one entry, written or refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from eltoro.models import Keeping
from eltoro.operations import keeping as keepers
from eltoro.queries import GAME, begun_by
from eltoro.views.keeper.at_board import AtBoard, at_board
from eltoro.views.keeper.panel import panel
from eltoro.views.keeper.reading import entry_of
from fairness import canonical, commitment
from leagues.exceptions import NotAllowed, OperationError
from leagues.league.access import visitor
from leagues.matches.views.matches import match_url, submitted_version
from leagues.members.marks import seat_marks
from leagues.models import Match, Player


@require_safe
def hall(request: HttpRequest) -> HttpResponse:
    """Matches that wait to be written, each with the way to its board."""
    player = visitor(request)
    begun = begun_by(player) if player else []
    return render(request, "eltoro/keepers.html", {"begun": begun, "game_key": GAME})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: HttpRequest, pk: int) -> HttpResponse:
    """The board as it lies on the table; for who may write the match, what is asked for next."""
    board = at_board(request, pk)
    if request.method == "POST":
        return _act(board)
    return _shown(board)


def _shown(board: AtBoard) -> HttpResponse:
    with seat_marks(board.at.people):
        return render(board.at.request, "eltoro/keeper.html", context(board))


def context(board: AtBoard) -> dict[str, Any]:
    """What the page is drawn from."""
    found: dict[str, Any] = {
        "board": board,
        "at": board.at,
        "match": board.match,
        "keeping": board.keeping,
        "modes": Keeping.Mode,
        "opened": _opened(board),
    }
    return found | (panel(board, board.kept) if board.kept else {})


def _opened(board: AtBoard) -> dict[str, Any] | None:
    """The seed and what it was sealed with, once the match has been handed in (Ruling F-2)."""
    if board.keeping is None or board.match.state == Match.State.DRAFT:
        return None
    seed, stake = bytes(board.keeping.seed), keepers.stake_of(board.match)
    return {
        "seed": seed.hex(),
        "stake": canonical(stake).decode(),
        "fits": commitment(seed, stake).hex() == board.keeping.commitment,
    }


def _act(board: AtBoard) -> HttpResponse:
    """Do what was pressed, or show the page again with why not and all that was typed."""
    request = board.at.request
    do = request.POST.get("do", "")
    try:
        if board.at.player is None:
            raise NotAllowed(_("First say who you are."))
        return _DEEDS.get(do, _write)(board, board.at.player)
    except OperationError as error:
        now = at_board(request, board.match.pk)
        return _shown(replace(now, given=request.POST, refused=error))


def _home(board: AtBoard) -> HttpResponse:
    return redirect(reverse("eltoro_keeper", args=[board.match.pk]) + "#board")


def _kept(board: AtBoard) -> Keeping:
    if board.keeping is None:
        raise OperationError(_("First say who rolls the dice."))
    return board.keeping


def _begin(board: AtBoard, player: Player) -> HttpResponse:
    mode = board.at.request.POST.get("mode", "")
    keepers.begin_keeping(match=board.match, mode=mode, by=player, at=timezone.now())
    return _home(board)


def _choose(board: AtBoard, player: Player) -> HttpResponse:
    keepers.choose_dice(
        keeping=_kept(board), mode=board.at.request.POST.get("mode", ""), **_seen(board, player)
    )
    return _home(board)


def _write(board: AtBoard, player: Player) -> HttpResponse:
    """Any other button is an entry."""
    keeping, kept = _kept(board), board.kept
    assert kept is not None, "a keeping has a board"
    text = entry_of(board.at.request.POST.get("do", ""), board.at.request.POST, kept)
    keepers.record_entry(keeping=keeping, text=text, **_seen(board, player))
    return _home(board)


def _undo(board: AtBoard, player: Player) -> HttpResponse:
    keepers.undo_entry(keeping=_kept(board), **_seen(board, player))
    return _home(board)


def _hand_in(board: AtBoard, player: Player) -> HttpResponse:
    keepers.hand_in_kept(keeping=_kept(board), **_seen(board, player))
    messages.success(
        board.at.request,
        _("The result has been submitted. Another player in this match must now confirm it."),
    )
    return redirect(match_url(board.match))


def _seen(board: AtBoard, player: Player) -> dict[str, Any]:
    """Who acts when, and which version of the board the page showed."""
    return {"version": submitted_version(board.at.request), "by": player, "at": timezone.now()}


_DEEDS: Final[Mapping[str, Callable[[AtBoard, Player], HttpResponse]]] = {
    "begin": _begin,
    "choose": _choose,
    "undo": _undo,
    "hand-in": _hand_in,
}
