"""What was pressed and typed, as an entry in notation; the engine says whether it can be."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from django.http import QueryDict
from django.utils.translation import gettext as _

from eltoro.engine import Kept
from leagues.exceptions import OperationError

SEATS: Final = "abcdef"
LONGEST: Final = 200
PLACES: Final = ("d1", "d2", "d3", "d4", "d5")


def entry_of(do: str, sent: QueryDict, kept: Kept) -> str:
    """The entry that a button and its fields stand for. Raises `OperationError`.

    `do` is the value of the button: a verb, and after a colon what it is about.
    """
    verb, _colon, about = do[:LONGEST].partition(":")
    reader = _READERS.get(verb)
    if reader is None:
        return do[:LONGEST].replace(":", " ")
    return reader(sent, kept, about)


def _lay(sent: QueryDict, _kept: Kept, _about: str) -> str:
    keys = [_word(sent, place) for place in PLACES]
    if not all(keys):
        raise OperationError(_("Choose five destinations, or let the site draw them."))
    return " ".join(["lay", *keys])


def _draw(_sent: QueryDict, _kept: Kept, _about: str) -> str:
    return "lay"


def dice_fields(kept: Kept) -> list[tuple[str, str]]:
    """A field for each die of the morning, `b`, `b-2`, and whose it is."""
    found: list[tuple[str, str]] = []
    for letter in kept.state.due_dice():
        number = 1 + sum(owner == letter for _field, owner in found)
        found.append((letter if number == 1 else f"{letter}-{number}", letter))
    return found


def _dice(sent: QueryDict, kept: Kept, _about: str) -> str:
    fields = dice_fields(kept)
    chosen = _asked(sent, "die-", [field for field, _letter in fields])
    faces: dict[str, str] = {}
    for field, letter in fields:
        faces[letter] = faces.get(letter, "") + chosen[field]
    return _joined("dice", "=", faces)


def _bulls(sent: QueryDict, _kept: Kept, _about: str) -> str:
    return f"bulls {_faces(sent, 'bulls')}"


def _runners(sent: QueryDict, kept: Kept, _about: str) -> str:
    letters = SEATS[: kept.players]
    return _joined("runners", "=", {seat: _faces(sent, f"runners-{seat}") for seat in letters})


def _start(sent: QueryDict, kept: Kept, _about: str) -> str:
    return _joined("start", ">", _asked(sent, "at-", kept.ones))


def _charge(sent: QueryDict, kept: Kept, _about: str) -> str:
    return _joined("charge", "=", _asked(sent, "die-", kept.charging))


def _roll(sent: QueryDict, _kept: Kept, _about: str) -> str:
    return " ".join(["roll", *_picked(sent)])


def _face(sent: QueryDict, _kept: Kept, about: str) -> str:
    return _joined("face", "=", dict.fromkeys(_picked(sent), about))


def _flip(sent: QueryDict, kept: Kept, _about: str) -> str:
    faces = {name: str(7 - _shown(kept, name)) for name in _picked(sent)}
    return _joined("face", "=", faces)


def _swap(sent: QueryDict, kept: Kept, _about: str) -> str:
    picked = _picked(sent)
    if len(picked) != len(("one", "other")):
        raise OperationError(_("Choose the two dice that will swap faces."))
    faces = [str(_shown(kept, name)) for name in reversed(picked)]
    return _joined("face", "=", dict(zip(picked, faces, strict=True)))


def _move(sent: QueryDict, _kept: Kept, about: str) -> str:
    verb = "lead" if _word(sent, "by-card") else "move"
    return _joined(verb, ">", dict.fromkeys(_picked(sent), about))


def _add_bull(sent: QueryDict, kept: Kept, about: str) -> str:
    if kept.state.rolls:
        return f"addbull {about}"
    face = _word(sent, "bull-face")
    if not face:
        raise OperationError(_("Enter the number that the new bull shows."))
    return f"addbull {about}={face}"


def _token(sent: QueryDict, _kept: Kept, _about: str) -> str:
    seat, sign, moved = (_word(sent, name) for name in ("token-seat", "sign", "from"))
    if not seat or not sign:
        raise OperationError(_("Choose the owner of the token and the sign where it is."))
    return f"token {seat} {moved}>{sign}" if moved else f"token {seat} {sign}"


_READERS: Final[Mapping[str, Callable[[QueryDict, Kept, str], str]]] = {
    "lay": _lay,
    "draw": _draw,
    "dice": _dice,
    "bulls": _bulls,
    "runners": _runners,
    "start": _start,
    "charge": _charge,
    "roll": _roll,
    "face": _face,
    "flip": _flip,
    "swap": _swap,
    "move": _move,
    "addbull": _add_bull,
    "token": _token,
}


def _word(sent: QueryDict, name: str) -> str:
    return (sent.get(name) or "").strip()[:LONGEST]


def _picked(sent: QueryDict) -> list[str]:
    """The dice chosen on the map. Raises `OperationError` where none is."""
    found = [name[:LONGEST] for name in sent.getlist("pick")]
    if not found:
        raise OperationError(_("First tap a die on the board."))
    return list(dict.fromkeys(found))


def _shown(kept: Kept, name: str) -> int:
    """The face of a die that was tapped; what is none is left to the engine to refuse."""
    return kept.faces.get(name, 1)


def _asked(sent: QueryDict, prefix: str, names: Iterable[str]) -> dict[str, str]:
    """What was chosen for each of these. Raises `OperationError` where something is missing."""
    found = {name: _word(sent, f"{prefix}{name}") for name in names}
    if not all(found.values()):
        raise OperationError(_("One of the dice is still missing."))
    return found


def _faces(sent: QueryDict, name: str) -> str:
    """Faces typed one after the other, with or without something between them."""
    typed = _word(sent, name)
    faces = "".join(sign for sign in typed if sign not in " ,.;-")
    if not faces:
        raise OperationError(_("Enter the number that each die shows, for example: 2 2 4 5."))
    if set(faces) - set("123456"):
        raise OperationError(
            _("A die shows a number from 1 to 6, so “%(typed)s” is not possible.")
            % {"typed": typed}
        )
    return faces


def _joined(verb: str, joint: str, parts: Mapping[str, str]) -> str:
    return " ".join([verb, *(f"{name}{joint}{to}" for name, to in parts.items())])
