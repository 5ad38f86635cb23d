"""Page of the tracked board of a game with real cards.

Each button submits one entry in notation, which is recorded or rejected.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Final, TypedDict

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from eltoro.engine import RealBoard
from eltoro.models import Keeping
from eltoro.pages.tabletop.board_context import (
    DESTINATION_PLACES,
    SEAT_LETTERS,
    MatchBoard,
    dice_fields,
    entry_context,
    get_match_board,
    panel_context,
)
from eltoro.pages.tabletop.match_sheet import MatchSheet
from eltoro.queries import GAME, begun_matches
from eltoro.tabletop import operations
from fairness import canonical, commitment
from leagues.exceptions import NotAllowed, OperationError
from leagues.members.marks import seat_marks
from leagues.models import Match, Player
from leagues.pages.access import visitor
from leagues.pages.matches.matches import match_url, submitted_version


@require_safe
def boards_page(request: HttpRequest) -> HttpResponse:
    player = visitor(request)
    begun = begun_matches(player) if player else []
    return render(request, "eltoro/keepers.html", {"begun": begun, "game_key": GAME})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def board_page(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the tracked board of a match.

    Users who may enter the match also get controls for the next entry.
    """
    board = get_match_board(request, pk)
    if request.method == "POST":
        return _perform_board_action(board)
    return _render_board(board)


def _render_board(board: MatchBoard) -> HttpResponse:
    with seat_marks(board.at.people):
        return render(board.at.request, "eltoro/keeper.html", _board_context(board))


class RevealedSeed(TypedDict):
    """Template context that shows the seed of the dice after the game, with the data of its
    commitment as JSON.

    `fits`: True if both match the commitment that was published before the game.
    """

    seed: str
    stake: str
    fits: bool


class BoardContext(TypedDict):
    """Template context of the tracked board.

    `keeping` is None before the board is begun. `opened` is None until the match is submitted.
    """

    board: MatchBoard
    at: MatchSheet
    match: Match
    keeping: Keeping | None
    opened: RevealedSeed | None


def _board_context(board: MatchBoard) -> Mapping[str, object]:
    context: BoardContext = {
        "board": board,
        "at": board.at,
        "match": board.match,
        "keeping": board.keeping,
        "opened": _revealed_seed(board),
    }
    if board.kept is None:
        return context
    return {**context, **panel_context(board, board.kept), **entry_context(board, board.kept)}


def _revealed_seed(board: MatchBoard) -> RevealedSeed | None:
    """Return the seed and the data of its commitment once the match is submitted (Ruling F-2)."""
    if board.keeping is None or board.match.state == Match.State.DRAFT:
        return None
    seed, stake = bytes(board.keeping.seed), operations.stake_of(board.match)
    return {
        "seed": seed.hex(),
        "stake": canonical(stake).decode(),
        "fits": commitment(seed, stake).hex() == board.keeping.commitment,
    }


def _perform_board_action(board: MatchBoard) -> HttpResponse:
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


def _begin_tracking(board: MatchBoard, player: Player) -> HttpResponse:
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
    """Record the entry of a form button.

    Buttons for other operations, such as undo, have functions of their own.
    """
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


class ActionArguments(TypedDict):
    """Arguments of every operation on a board. `version` is the version that the page showed."""

    version: int
    by: Player
    at: dt.datetime


def _action_arguments(board: MatchBoard, player: Player) -> ActionArguments:
    return {"version": submitted_version(board.at.request), "by": player, "at": timezone.now()}


_ACTIONS: Final[Mapping[str, Callable[[MatchBoard, Player], HttpResponse]]] = {
    "begin": _begin_tracking,
    "choose": _choose_dice,
    "undo": _undo,
    "hand-in": _hand_in,
}


def read_entry(do: str, sent: QueryDict, kept: RealBoard) -> str:
    """Return the entry that a button and its form fields stand for.

    `do` is the value of the button: a verb, or a verb, a colon and an object. Raises
    `OperationError` if fields are missing or invalid. Long texts are not truncated, because the
    rest could be a valid entry with another meaning. The engine rejects entries that are too long.
    """
    verb, _colon, about = do.partition(":")
    reader = _READERS.get(verb)
    if reader is None:
        return do.replace(":", " ")
    return reader(sent, kept, about)


def _read_lay(sent: QueryDict, _kept: RealBoard, _about: str) -> str:
    keys = [_read_word(sent, place) for place in DESTINATION_PLACES]
    if not all(keys):
        raise OperationError(_("Choose five destinations, or let the site choose them at random."))
    return " ".join(["lay", *keys])


def _read_draw(_sent: QueryDict, _kept: RealBoard, _about: str) -> str:
    return "lay"


def _read_dice(sent: QueryDict, kept: RealBoard, _about: str) -> str:
    fields = dice_fields(kept)
    chosen = _choices_by_name(sent, "die-", [field for field, _letter in fields])
    faces: dict[str, str] = {}
    for field, letter in fields:
        faces[letter] = faces.get(letter, "") + chosen[field]
    return _join_entry("dice", "=", faces)


def _read_bulls(sent: QueryDict, _kept: RealBoard, _about: str) -> str:
    return f"bulls {_read_faces(sent, 'bulls')}"


def _read_runners(sent: QueryDict, kept: RealBoard, _about: str) -> str:
    letters = SEAT_LETTERS[: kept.players]
    return _join_entry(
        "runners", "=", {seat: _read_faces(sent, f"runners-{seat}") for seat in letters}
    )


def _read_start(sent: QueryDict, kept: RealBoard, _about: str) -> str:
    return _join_entry("start", ">", _choices_by_name(sent, "at-", kept.ones))


def _read_charge(sent: QueryDict, kept: RealBoard, _about: str) -> str:
    return _join_entry("charge", "=", _choices_by_name(sent, "die-", kept.charging))


def _read_roll(sent: QueryDict, _kept: RealBoard, _about: str) -> str:
    return " ".join(["roll", *_picked_dice(sent)])


def _read_face(sent: QueryDict, _kept: RealBoard, about: str) -> str:
    return _join_entry("face", "=", dict.fromkeys(_picked_dice(sent), about))


def _read_flip(sent: QueryDict, kept: RealBoard, _about: str) -> str:
    faces = {name: str(7 - _face_of(kept, name)) for name in _picked_dice(sent)}
    return _join_entry("face", "=", faces)


def _read_swap(sent: QueryDict, kept: RealBoard, _about: str) -> str:
    picked = _picked_dice(sent)
    if len(picked) != 2:
        raise OperationError(_("Choose the two dice that will swap faces."))
    faces = [str(_face_of(kept, name)) for name in reversed(picked)]
    return _join_entry("face", "=", dict(zip(picked, faces, strict=True)))


def _read_move(sent: QueryDict, _kept: RealBoard, about: str) -> str:
    verb = "lead" if _read_word(sent, "by-card") else "move"
    return _join_entry(verb, ">", dict.fromkeys(_picked_dice(sent), about))


def _read_add_bull(sent: QueryDict, kept: RealBoard, about: str) -> str:
    if kept.state.rolls:
        return f"addbull {about}"
    face = _read_word(sent, "bull-face")
    if not face:
        raise OperationError(_("Enter the number that the new bull shows."))
    return f"addbull {about}={face}"


def _read_token(sent: QueryDict, _kept: RealBoard, _about: str) -> str:
    seat, sign, moved = (_read_word(sent, name) for name in ("token-seat", "sign", "from"))
    if not seat or not sign:
        raise OperationError(_("Choose the owner of the token and the sign where it is."))
    return f"token {seat} {moved}>{sign}" if moved else f"token {seat} {sign}"


_READERS: Final[Mapping[str, Callable[[QueryDict, RealBoard, str], str]]] = {
    "lay": _read_lay,
    "draw": _read_draw,
    "dice": _read_dice,
    "bulls": _read_bulls,
    "runners": _read_runners,
    "start": _read_start,
    "charge": _read_charge,
    "roll": _read_roll,
    "face": _read_face,
    "flip": _read_flip,
    "swap": _read_swap,
    "move": _read_move,
    "addbull": _read_add_bull,
    "token": _read_token,
}


def _read_word(sent: QueryDict, name: str) -> str:
    return (sent.get(name) or "").strip()


def _picked_dice(sent: QueryDict) -> list[str]:
    """Return the dice that the user selected on the map.

    Raises `OperationError` if no die is selected.
    """
    names = sent.getlist("pick")
    if not names:
        raise OperationError(_("First tap a die on the board."))
    return list(dict.fromkeys(names))


def _face_of(kept: RealBoard, name: str) -> int:
    """Return the face of a selected die, or 1 if it is unknown. The engine rejects unknown dice."""
    return kept.faces.get(name, 1)


def _choices_by_name(sent: QueryDict, prefix: str, names: Iterable[str]) -> dict[str, str]:
    """Return the submitted choice for each name. Raises `OperationError` if a choice is missing."""
    choices = {name: _read_word(sent, f"{prefix}{name}") for name in names}
    if not all(choices.values()):
        raise OperationError(_("An entry for one of the dice is still missing."))
    return choices


def _read_faces(sent: QueryDict, name: str) -> str:
    typed = _read_word(sent, name)
    faces = "".join(sign for sign in typed if sign not in " ,.;-")
    if not faces:
        raise OperationError(_("Enter the number that each die shows, for example: 2 2 4 5."))
    if set(faces) - set("123456"):
        raise OperationError(
            _("A die shows a number from 1 to 6, so “%(typed)s” is not possible.")
            % {"typed": typed}
        )
    return faces


def _join_entry(verb: str, joint: str, parts: Mapping[str, str]) -> str:
    return " ".join([verb, *(f"{name}{joint}{to}" for name, to in parts.items())])
