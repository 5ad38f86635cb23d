"""What the referee says, in the language of who reads: objections, lines, results."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from dominoes import words
from dominoes.engine import REASONS, IllegalMove, Line, Objection, Rules

Names = Sequence[str]

_SENTENCES: Final[Mapping[str, str]] = {
    "players": gettext_noop("By these rules %(players)s cannot play."),
    "no_seat": gettext_noop("There is no such seat at this table."),
    "seats_held": gettext_noop("The sheet is for another number of players."),
    "out_and_blocked": gettext_noop("%(seat)s went out, and the hand was blocked: only one."),
    "who_out": gettext_noop("Who went out? Or was the hand blocked?"),
    "who_led": gettext_noop("Who set the first tile? Without that the moves are nobody’s."),
    "no_tile": gettext_noop("%(seat)s: there is no tile “%(tile)s” in this set."),
    "twice": gettext_noop("%(seat)s: %(tile)s is there twice. Every tile is in the set once."),
    "shared": gettext_noop(
        "%(seat)s: %(tile)s is in %(other)s’s hand too. Every tile is in the set once. "
        "Whose was it?"
    ),
    "played_and_held": gettext_noop(
        "%(seat)s: %(tile)s lies in the train; nobody can still hold it."
    ),
    "played_twice": gettext_noop("Move %(number)s: %(tile)s lies in the train already."),
    "held_unknown": gettext_noop("What was %(seat)s left with?"),
    "out_holds": gettext_noop("%(seat)s went out, so nothing can be left in that hand."),
    "holds_none": gettext_noop("%(seat)s has nothing left: then %(seat)s went out."),
    "log_out": gettext_noop("By the moves it was %(seat)s who went out."),
    "log_blocked": gettext_noop("By the moves everybody passed, and nobody went out."),
    "log_open": gettext_noop("The hand is not over: %(seat)s still holds tiles."),
    "log_drawing": gettext_noop(
        "The hand is not blocked: %(boneyard)s tiles are left in the boneyard."
    ),
    "not_blocked": gettext_noop(
        "The hand is not blocked: %(seat)s held %(tile)s, which fits. Write down who passed."
    ),
    "nobody_led": gettext_noop("Somebody set the first tile: not everybody can hold %(count)s."),
    "double_led": gettext_noop(
        "%(seat)s cannot still hold %(tile)s: the highest double leads, and no higher one was "
        "dealt."
    ),
    "no_train": gettext_noop("The other tiles do not make a train, however they are laid."),
    "no_block": gettext_noop(
        "The other tiles make no train that these tiles do not fit: the hand was not blocked."
    ),
    "went_on": gettext_noop("Move %(number)s: the hand was over before."),
    "too_many_drawn": gettext_noop(
        "Together they hold %(drawn)s tiles more than were dealt; "
        "only %(most)s can have been drawn."
    ),
    "pips_negative": gettext_noop("%(seat)s: nobody holds less than nothing."),
    "pips_sum": gettext_noop("%(seat)s: the tiles have %(sum)s pips, not %(pips)s."),
    "pips_high": gettext_noop(
        "%(seat)s cannot have %(pips)s pips: the highest tiles left have %(high)s."
    ),
    "pips_low": gettext_noop(
        "%(seat)s cannot have %(pips)s pips: the lowest tiles left have %(low)s."
    ),
    "pips_none": gettext_noop("%(seat)s: no tiles of this set that are left have %(pips)s pips."),
    "pips_together": gettext_noop(
        "%(seats)s: no tiles of one set give all of them these pips at once."
    ),
    "no_move": gettext_noop("Move %(number)s: “%(move)s” is no move."),
    "could_play": gettext_noop(
        "Move %(number)s: %(seat)s held %(tile)s, which fitted and is no matador. "
        "It had to be played."
    ),
    "highest_double": gettext_noop("%(seat)s had to lead with %(tile)s, the highest double held."),
    "highest_double_other": gettext_noop(
        "%(seat)s held %(tile)s, a higher double: then %(seat)s leads."
    ),
    "not_dealt": gettext_noop("%(seat)s was not dealt these tiles."),
    "bad_deal": gettext_noop("That is no deal of this set."),
    "leader_winner": gettext_noop("The winner of the last hand leads, not %(seat)s."),
    "after_target": gettext_noop("The match was won before: somebody had %(target)s points."),
    "two_winners": gettext_noop("Only one can reach %(target)s: the match ends there."),
    "total_absurd": gettext_noop("%(seat)s: a total is from 0 to %(most)s, not %(total)s."),
    "totals_differ": gettext_noop("The totals are not what the hands add up to."),
    "totals_side": gettext_noop("%(seat)s: partners have one total together."),
    "nothing": gettext_noop("Nothing is written down yet."),
    "unreadable": gettext_noop("This cannot be read as a sheet."),
}

_LINES: Final[Mapping[str, str]] = {
    "out": gettext_noop("%(seat)s went out, no tiles left."),
    "blocked": gettext_noop("Nobody could go on: the hand was blocked."),
    "tiles": gettext_noop("%(seat)s: %(tiles)s. That is %(pips)s pips."),
    "pips": gettext_noop("%(seat)s: %(pips)s pips."),
    "only_blank": gettext_noop("%(seat)s: just the 0-0. That counts nothing, and ties at zero."),
    "follows": gettext_noop("%(seat)s: %(tiles)s follows from the moves. That is %(pips)s pips."),
    "undecided": gettext_noop(
        "Nothing contradicts these pips, but the referee found no tiles that have them before "
        "it gave up the search."
    ),
}


def seat_names(seats: int) -> list[str]:
    """Names for seats of which nobody told the names."""
    return [_("seat %(number)s") % {"number": seat + 1} for seat in range(seats)]


def say(objection: Objection, names: Names) -> str:
    """What is wrong, in a sentence; `names` by seat."""
    special = _SPECIAL.get(objection.code)
    if special is not None:
        return special(objection, names)
    params = {name: _shown(name, value, names) for name, value in objection.params.items()}
    number = objection.path.rpartition("/")[2]
    params["number"] = str(int(number) + 1) if number.isdecimal() else "?"
    if objection.code in _SENTENCES:
        return _(_SENTENCES[objection.code]) % {**_BLANK, **params}
    return _refused_move(objection, params)


_BLANK: Final = dict.fromkeys(("seat", "tile", "move", "sentence"), "?")


def _refused_move(objection: Objection, params: Mapping[str, str]) -> str:
    """A move that the train refuses: which, whose, at which end, and why."""
    raw = objection.params
    given = {
        name: value
        for name, value in raw.items()
        if isinstance(value, str | int) and name in {"tile", "inward", "end", "sum"}
    }
    why = words.refusal(IllegalMove(objection.code, **given))
    told = {**params, "why": why}
    if raw.get("end_side") == "left":
        return _("Move %(number)s, %(seat)s on the left: %(why)s") % told
    if raw.get("end_side") == "right":
        return _("Move %(number)s, %(seat)s on the right: %(why)s") % told
    return _("Move %(number)s, %(seat)s: %(why)s") % told


def _shown(name: str, value: object, names: Names) -> str:
    """A parameter as people read it: seats by name, tiles with a hyphen."""
    if name in {"seat", "other", "winner"} and isinstance(value, int):
        return names[value] if 0 <= value < len(names) else "?"
    if name == "seats" and isinstance(value, tuple):
        return _join([_shown("seat", seat, names) for seat in value])
    if name == "tiles" and isinstance(value, tuple):
        return ", ".join(words.hyphened(tile) for tile in value)
    return words.hyphened(str(value)) if name in {"tile", "move"} else str(value)


def _join(parts: Sequence[str]) -> str:
    if len(parts) < 2:
        return "".join(parts)
    return _("%(first)s and %(last)s") % {"first": ", ".join(parts[:-1]), "last": parts[-1]}


def say_line(line: Line, names: Names) -> str:
    """What the referee reads off the sheet, in a sentence."""
    params = {name: _shown(name, value, names) for name, value in line.params.items()}
    if line.code == "log":
        return _log(line)
    return _(_LINES[line.code]) % params


def _log(line: Line) -> str:
    moves, laid = line.params["moves"], line.params["laid"]
    assert isinstance(laid, int)
    return ngettext(
        "%(moves)s moves, %(laid)s tile in the train.",
        "%(moves)s moves, %(laid)s tiles in the train.",
        laid,
    ) % {"moves": moves, "laid": laid}


def side_names(rules: Rules, names: Names) -> list[str]:
    """Names by side: partners together."""
    sides = rules.sides(len(names))
    return [_join([names[seat] for seat in seats]) for seats in sides]


def _count(objection: Objection, names: Names) -> str:
    """More tiles, or fewer, than the moves leave."""
    most, count = objection.params["most"], objection.params["count"]
    assert isinstance(most, int)
    return ngettext(
        "%(seat)s holds %(most)s tile by the moves, not %(count)s.",
        "%(seat)s holds %(most)s tiles by the moves, not %(count)s.",
        most,
    ) % {"seat": _shown("seat", objection.params["seat"], names), "most": most, "count": count}


def _too_many(objection: Objection, names: Names) -> str:
    """More tiles than were dealt and could be drawn."""
    most, count = objection.params["most"], objection.params["count"]
    assert isinstance(most, int)
    return ngettext(
        "%(seat)s can hold %(most)s tile at most, not %(count)s.",
        "%(seat)s can hold %(most)s tiles at most, not %(count)s.",
        most,
    ) % {"seat": _shown("seat", objection.params["seat"], names), "most": most, "count": count}


_SPECIAL: Final[Mapping[str, Callable[[Objection, Names], str]]] = {
    "count": _count,
    "too_many_tiles": _too_many,
}

SAYABLE: Final = frozenset({*_SENTENCES, *_SPECIAL, *REASONS})
"""Every code for which there is a sentence."""
