"""Functions that damage a season file: at random, by editing values, or with a recalculated
seal.
"""

import io
import json
import zipfile
from collections.abc import Callable, Iterable
from hashlib import sha256
from typing import Any

from corridas.archive.bundle import MEMBER, OPEN
from fairness import Chance, canonical

DEEP = 5_000
STRANGE: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 2**31, 2**52, -(2**40), "", "=1+1", "-", "\x00", "\ud800"),
    *("../../etc/passwd", "x" * 30_000, [], {}, [[]], {"a": 1}, "2026-13-45", "01", "ñ\n"),
)


def unpacked(data: bytes) -> list[bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        return packed.read(MEMBER).split(b"\n")[:-1]


def packed(lines: Iterable[bytes], name: str = MEMBER) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as holder:
        holder.writestr(name, b"".join(line + b"\n" for line in lines))
    return out.getvalue()


def entries(data: bytes) -> list[dict[str, Any]]:
    """Return the entries of a file without the seal, ready to be changed."""
    return [json.loads(line) for line in unpacked(data)[:-1]]


def sealed(told: Iterable[dict[str, Any]]) -> list[bytes]:
    """Return the lines of a file with hashes and seal recalculated, whatever the entries
    contain.
    """
    lines: list[bytes] = []
    head, number = "", 0
    for entry in told:
        if lines and str(entry.get("kind")) not in OPEN:
            line = line_of({**entry, "n": number, "before": head})
            head, number = sha256(line).hexdigest(), number + 1
        else:
            line = line_of(entry)
        lines.append(line)
    first = sha256(lines[0]).hexdigest()
    seal = {"kind": "seal", "head": head, "header": first, "entries": number}
    return [*lines, canonical(seal)]


def line_of(entry: Any) -> bytes:
    try:
        return canonical(entry)
    except UnicodeEncodeError:
        return json.dumps(entry, sort_keys=True, separators=(",", ":")).encode()


def flip(data: bytes, chance: Chance) -> bytes:
    """Change one byte of the file."""
    at, by = chance.below(len(data)), 1 + chance.below(255)
    return data[:at] + bytes([data[at] ^ by]) + data[at + 1 :]


def flip_inside(data: bytes, chance: Chance) -> bytes:
    """Change one byte of the unpacked text and pack it again."""
    lines = unpacked(data)
    at = chance.below(len(lines))
    lines[at] = flip(lines[at], chance)
    return packed(lines)


def cut(data: bytes, chance: Chance) -> bytes:
    """Cut the file off at a random byte."""
    return data[: chance.below(len(data))]


def cut_inside(data: bytes, chance: Chance) -> bytes:
    """Cut the unpacked text off between or within lines and pack it again."""
    text = b"".join(line + b"\n" for line in unpacked(data))
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as holder:
        holder.writestr(MEMBER, text[: chance.below(len(text))])
    return out.getvalue()


def shuffle_lines(data: bytes, chance: Chance) -> bytes:
    """Swap two lines, delete a line or repeat a line."""
    lines = unpacked(data)
    one, other = chance.below(len(lines)), chance.below(len(lines))
    way = chance.below(3)
    if way == 0:
        lines[one], lines[other] = lines[other], lines[one]
    elif way == 1:
        del lines[one]
    else:
        lines.insert(other, lines[one])
    return packed(lines)


def reseal_without(data: bytes, chance: Chance) -> bytes:
    """Delete or move an entry and recalculate hashes and seal."""
    told = entries(data)
    entry = told.pop(1 + chance.below(len(told) - 1))
    if chance.below(2):
        told.insert(1 + chance.below(len(told)), entry)
    return packed(sealed(told))


def lie(data: bytes, chance: Chance) -> bytes:
    """Change one value, possibly to another type, and recalculate hashes and seal."""
    told = entries(data)
    holder: Any = told[chance.below(len(told))]
    while True:
        keys = sorted(holder) if isinstance(holder, dict) else range(len(holder))
        if not keys:
            return packed(sealed(told))
        key = keys[chance.below(len(keys))]
        inner = holder[key]
        if not isinstance(inner, dict | list) or not inner or chance.below(8) == 0:
            break
        holder = inner
    holder[key] = _other(inner, chance)
    return packed(sealed(told))


def _other(value: Any, chance: Chance) -> Any:
    """Return a value that differs a little from this one, or an unrelated value."""
    if isinstance(value, int) and not isinstance(value, bool) and chance.below(2):
        return value + 1 - 2 * chance.below(2)
    if isinstance(value, str) and value and chance.below(2):
        return flip(value.encode(), chance).decode("utf-8", "replace")
    return chance.pick(STRANGE)


DAMAGES: tuple[Callable[[bytes, Chance], bytes], ...] = (
    *(flip, flip_inside, cut, cut_inside, shuffle_lines, reseal_without, lie, lie, lie, lie),
)


def damaged(data: bytes, chance: Chance) -> tuple[str, bytes]:
    """Return the name of a random kind of damage and the file with that damage."""
    damage = chance.pick(DAMAGES)
    return damage.__name__, damage(data, chance)
