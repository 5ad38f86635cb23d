"""What the referee reads off a sheet, line by line."""

from __future__ import annotations

from dominoes.engine.referee.course import Course
from dominoes.engine.referee.figures import only_blank
from dominoes.engine.referee.hands import Hands
from dominoes.engine.referee.written import Line, Written
from dominoes.engine.tiles import bits, write_tile


def read_off(
    written: Written, hands: Hands, course: Course | None, out: int | None, ended: str | None
) -> tuple[Line, ...]:
    """The lines in the order of a sheet: the moves, the end, then seat by seat."""
    lines = []
    if course is not None:
        laid = course.played.bit_count()
        params = {"moves": len(course.events), "laid": laid, "drawn": sum(course.drawn)}
        lines.append(Line("moves", "log", params))
    if ended == "blocked":
        lines.append(Line("out", "blocked"))
    if out is not None:
        lines.append(Line("out", "out", {"seat": out}))
    lines += [_seat(written, hands, seat) for seat in range(len(hands.pips)) if _told(hands, seat)]
    return tuple(line for line in lines if line.params.get("seat") != out or line.code == "out")


def _told(hands: Hands, seat: int) -> bool:
    return hands.pips[seat] is not None


def _seat(written: Written, hands: Hands, seat: int) -> Line:
    tiles, pips, path = hands.tiles[seat], hands.pips[seat] or 0, f"held/{seat}"
    if only_blank(hands, seat):
        return Line(path, "only_blank", {"seat": seat})
    if tiles is None:
        return Line(path, "pips", {"seat": seat, "pips": pips})
    names = tuple(map(write_tile, bits(tiles)))
    follows = written.held[seat].tiles is None
    code = "follows" if follows else "tiles"
    return Line(path, code, {"seat": seat, "tiles": names, "pips": pips})
