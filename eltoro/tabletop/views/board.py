"""The page of a real board. Each button is one entry, recorded or refused."""

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
from eltoro.queries import GAME, begun_matches
from eltoro.tabletop import operations
from eltoro.tabletop.views.board_context import panel_context
from eltoro.tabletop.views.board_entry import read_entry
from eltoro.tabletop.views.match_sheet import MatchBoard, get_match_board
from fairness import canonical, commitment
from leagues.exceptions import NotAllowed, OperationError
from leagues.league.access import visitor
from leagues.matches.views.matches import match_url, submitted_version
from leagues.members.marks import seat_marks
from leagues.models import Match, Player


@require_safe
def boards_page(request: HttpRequest) -> HttpResponse:
    """List unfinished matches with links to their boards."""
    player = visitor(request)
    begun = begun_matches(player) if player else []
    return render(request, "eltoro/keepers.html", {"begun": begun, "game_key": GAME})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def board_page(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the board, and controls for the next entry to users who may enter the match."""
    board = get_match_board(request, pk)
    if request.method == "POST":
        return _perform(board)
    return _render_board(board)


def _render_board(board: MatchBoard) -> HttpResponse:
    with seat_marks(board.at.people):
        return render(board.at.request, "eltoro/keeper.html", board_context(board))


def board_context(board: MatchBoard) -> dict[str, Any]:
    found: dict[str, Any] = {
        "board": board,
        "at": board.at,
        "match": board.match,
        "keeping": board.keeping,
        "modes": Keeping.Mode,
        "opened": _revealed_seed(board),
    }
    return found | (panel_context(board, board.kept) if board.kept else {})


def _revealed_seed(board: MatchBoard) -> dict[str, Any] | None:
    """Return the seed and its stake once the match has been submitted (Ruling F-2)."""
    if board.keeping is None or board.match.state == Match.State.DRAFT:
        return None
    seed, stake = bytes(board.keeping.seed), operations.stake_of(board.match)
    return {
        "seed": seed.hex(),
        "stake": canonical(stake).decode(),
        "fits": commitment(seed, stake).hex() == board.keeping.commitment,
    }


def _perform(board: MatchBoard) -> HttpResponse:
    """Perform a button's action, or show the page again with the error and the input."""
    request = board.at.request
    do = request.POST.get("do", "")
    try:
        if board.at.player is None:
            raise NotAllowed(_("First say who you are."))
        return _ACTIONS.get(do, _record_entry)(board, board.at.player)
    except OperationError as error:
        now = get_match_board(request, board.match.pk)
        return _render_board(replace(now, given=request.POST, refused=error))


def _redirect_to_board(board: MatchBoard) -> HttpResponse:
    return redirect(reverse("eltoro_keeper", args=[board.match.pk]) + "#board")


def _keeping_of(board: MatchBoard) -> Keeping:
    if board.keeping is None:
        raise OperationError(_("First say who rolls the dice."))
    return board.keeping


def _begin(board: MatchBoard, player: Player) -> HttpResponse:
    mode = board.at.request.POST.get("mode", "")
    operations.begin_keeping(match=board.match, mode=mode, by=player, at=timezone.now())
    return _redirect_to_board(board)


def _choose_dice(board: MatchBoard, player: Player) -> HttpResponse:
    operations.choose_dice(
        keeping=_keeping_of(board),
        mode=board.at.request.POST.get("mode", ""),
        **_action_arguments(board, player),
    )
    return _redirect_to_board(board)


def _record_entry(board: MatchBoard, player: Player) -> HttpResponse:
    """Record an entry. Used for all buttons without an action of their own."""
    keeping, kept = _keeping_of(board), board.kept
    assert kept is not None, "a keeping has a board"
    text = read_entry(board.at.request.POST.get("do", ""), board.at.request.POST, kept)
    operations.record_entry(keeping=keeping, text=text, **_action_arguments(board, player))
    return _redirect_to_board(board)


def _undo(board: MatchBoard, player: Player) -> HttpResponse:
    operations.undo_entry(keeping=_keeping_of(board), **_action_arguments(board, player))
    return _redirect_to_board(board)


def _hand_in(board: MatchBoard, player: Player) -> HttpResponse:
    operations.hand_in_board(keeping=_keeping_of(board), **_action_arguments(board, player))
    messages.success(
        board.at.request,
        _("The result has been submitted. Another player in this match must now confirm it."),
    )
    return redirect(match_url(board.match))


def _action_arguments(board: MatchBoard, player: Player) -> dict[str, Any]:
    """Return user, time and the version of the board that the page showed."""
    return {"version": submitted_version(board.at.request), "by": player, "at": timezone.now()}


_ACTIONS: Final[Mapping[str, Callable[[MatchBoard, Player], HttpResponse]]] = {
    "begin": _begin,
    "choose": _choose_dice,
    "undo": _undo,
    "hand-in": _hand_in,
}
