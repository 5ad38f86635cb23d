"""The file of a season, damaged: by chance, by hand, and by somebody who seals it again."""

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
    """Header, entries and all but the seal, as they can be changed."""
    return [json.loads(line) for line in unpacked(data)[:-1]]


def sealed(told: Iterable[dict[str, Any]]) -> list[bytes]:
    """Lines that hang together again, whatever they say."""
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
    """One byte is another."""
    at, by = chance.below(len(data)), 1 + chance.below(255)
    return data[:at] + bytes([data[at] ^ by]) + data[at + 1 :]


def flip_inside(data: bytes, chance: Chance) -> bytes:
    """One byte of the text is another, and it is packed again."""
    lines = unpacked(data)
    at = chance.below(len(lines))
    lines[at] = flip(lines[at], chance)
    return packed(lines)


def cut(data: bytes, chance: Chance) -> bytes:
    """It breaks off."""
    return data[: chance.below(len(data))]


def cut_inside(data: bytes, chance: Chance) -> bytes:
    """The text breaks off, between lines or within one."""
    text = b"".join(line + b"\n" for line in unpacked(data))
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as holder:
        holder.writestr(MEMBER, text[: chance.below(len(text))])
    return out.getvalue()


def shuffle_lines(data: bytes, chance: Chance) -> bytes:
    """Two lines change places, one is left out, or one stands twice."""
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
    """A line is left out, or moved, and the chain is made anew."""
    told = entries(data)
    entry = told.pop(1 + chance.below(len(told) - 1))
    if chance.below(2):
        told.insert(1 + chance.below(len(told)), entry)
    return packed(sealed(told))


def lie(data: bytes, chance: Chance) -> bytes:
    """Some value is another, of any type, and the chain is made anew."""
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
    """A value near the one that stood there, or one far from anything."""
    if isinstance(value, int) and not isinstance(value, bool) and chance.below(2):
        return value + 1 - 2 * chance.below(2)
    if isinstance(value, str) and value and chance.below(2):
        return flip(value.encode(), chance).decode("utf-8", "replace")
    return chance.pick(STRANGE)


DAMAGES: tuple[Callable[[bytes, Chance], bytes], ...] = (
    *(flip, flip_inside, cut, cut_inside, shuffle_lines, reseal_without, lie, lie, lie, lie),
)


def damaged(data: bytes, chance: Chance) -> tuple[str, bytes]:
    """The file with one damage, and which it was."""
    damage = chance.pick(DAMAGES)
    return damage.__name__, damage(data, chance)
