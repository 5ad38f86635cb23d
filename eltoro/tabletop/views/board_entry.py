"""Converts input from the page of a real board into an entry in notation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from django.http import QueryDict
from django.utils.translation import gettext as _

from eltoro.engine import RealBoard
from leagues.exceptions import OperationError

SEAT_LETTERS: Final = "abcdef"
MAX_TEXT: Final = 200
DESTINATION_PLACES: Final = ("d1", "d2", "d3", "d4", "d5")


def read_entry(do: str, sent: QueryDict, kept: RealBoard) -> str:
    """Return the entry for a button and its fields. Raises `OperationError`.

    `do` is the button's value: a verb, and after a colon its object.
    """
    verb, _colon, about = do[:MAX_TEXT].partition(":")
    reader = _READERS.get(verb)
    if reader is None:
        return do[:MAX_TEXT].replace(":", " ")
    return reader(sent, kept, about)


def _read_lay(sent: QueryDict, _kept: RealBoard, _about: str) -> str:
    keys = [_read_word(sent, place) for place in DESTINATION_PLACES]
    if not all(keys):
        raise OperationError(_("Choose five destinations, or let the site draw them."))
    return " ".join(["lay", *keys])


def _read_draw(_sent: QueryDict, _kept: RealBoard, _about: str) -> str:
    return "lay"


def dice_fields(kept: RealBoard) -> list[tuple[str, str]]:
    """Return field name (`b`, `b-2`) and player of each die of the morning."""
    found: list[tuple[str, str]] = []
    for letter in kept.state.due_dice():
        number = 1 + sum(owner == letter for _field, owner in found)
        found.append((letter if number == 1 else f"{letter}-{number}", letter))
    return found


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
    faces = {name: str(7 - _shown_face(kept, name)) for name in _picked_dice(sent)}
    return _join_entry("face", "=", faces)


def _read_swap(sent: QueryDict, kept: RealBoard, _about: str) -> str:
    picked = _picked_dice(sent)
    if len(picked) != len(("one", "other")):
        raise OperationError(_("Choose the two dice that will swap faces."))
    faces = [str(_shown_face(kept, name)) for name in reversed(picked)]
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
    return (sent.get(name) or "").strip()[:MAX_TEXT]


def _picked_dice(sent: QueryDict) -> list[str]:
    """Return the dice selected on the map. Raises `OperationError` if there are none."""
    found = [name[:MAX_TEXT] for name in sent.getlist("pick")]
    if not found:
        raise OperationError(_("First tap a die on the board."))
    return list(dict.fromkeys(found))


def _shown_face(kept: RealBoard, name: str) -> int:
    """Return the face of a tapped die. The engine refuses unknown ones."""
    return kept.faces.get(name, 1)


def _choices_by_name(sent: QueryDict, prefix: str, names: Iterable[str]) -> dict[str, str]:
    """Return the choice for each name. Raises `OperationError` if one is missing."""
    found = {name: _read_word(sent, f"{prefix}{name}") for name in names}
    if not all(found.values()):
        raise OperationError(_("One of the dice is still missing."))
    return found


def _read_faces(sent: QueryDict, name: str) -> str:
    """Return faces typed with or without separators."""
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
