"""What the referee says, in the language of who reads: objections, lines, results."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, ngettext_lazy

from dominoes import words
from dominoes.engine import REASONS, IllegalMove, Line, Objection, Rules
from leagues.enumeration import all_of

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

Names = Sequence[str]

_SENTENCES: Final[Mapping[str, _StrPromise]] = {
    "players": gettext_lazy("By these rules %(players)s cannot play."),
    "no_seat": gettext_lazy("There is no such seat at this table."),
    "seats_held": gettext_lazy("The sheet is for another number of players."),
    "out_and_blocked": gettext_lazy("%(seat)s went out, and the hand was blocked: only one."),
    "who_out": gettext_lazy("Who went out? Or was the hand blocked?"),
    "who_led": gettext_lazy("Who set the first tile? Without that the moves are nobody’s."),
    "no_tile": gettext_lazy("%(seat)s: there is no tile “%(tile)s” in this set."),
    "twice": gettext_lazy("%(seat)s: %(tile)s is there twice. Every tile is in the set once."),
    "shared": gettext_lazy(
        "%(seat)s: %(tile)s is in %(other)s’s hand too. Every tile is in the set once. "
        "Whose was it?"
    ),
    "played_and_held": gettext_lazy(
        "%(seat)s: %(tile)s lies in the train; nobody can still hold it."
    ),
    "played_twice": gettext_lazy("Move %(number)s: %(tile)s lies in the train already."),
    "held_unknown": gettext_lazy("What was %(seat)s left with?"),
    "out_holds": gettext_lazy("%(seat)s went out, so nothing can be left in that hand."),
    "holds_none": gettext_lazy("%(seat)s has nothing left: then %(seat)s went out."),
    "log_out": gettext_lazy("By the moves it was %(seat)s who went out."),
    "log_blocked": gettext_lazy("By the moves everybody passed, and nobody went out."),
    "log_open": gettext_lazy("The hand is not over: %(seat)s still holds tiles."),
    "log_drawing": gettext_lazy(
        "The hand is not blocked: %(boneyard)s tiles are left in the boneyard."
    ),
    "not_blocked": gettext_lazy(
        "The hand is not blocked: %(seat)s held %(tile)s, which fits. Write down who passed."
    ),
    "nobody_led": gettext_lazy("Somebody set the first tile: not everybody can hold %(count)s."),
    "double_led": gettext_lazy(
        "%(seat)s cannot still hold %(tile)s: the highest double leads, and no higher one was "
        "dealt."
    ),
    "no_train": gettext_lazy("The other tiles do not make a train, however they are laid."),
    "no_block": gettext_lazy(
        "The other tiles make no train that these tiles do not fit: the hand was not blocked."
    ),
    "went_on": gettext_lazy("Move %(number)s: the hand was over before."),
    "too_many_drawn": ngettext_lazy(
        "The players hold %(drawn)s tile more than was dealt, but only %(most)s can have "
        "been drawn.",
        "The players hold %(drawn)s tiles more than were dealt, but only %(most)s can have "
        "been drawn.",
        "drawn",
    ),
    "pips_negative": gettext_lazy("%(seat)s: nobody holds less than nothing."),
    "pips_sum": ngettext_lazy(
        "%(seat)s: the tiles have %(sum)s pip in total, not %(pips)s.",
        "%(seat)s: the tiles have %(sum)s pips in total, not %(pips)s.",
        "sum",
    ),
    "pips_high": ngettext_lazy(
        "%(seat)s can’t have %(pips)s pip: the highest remaining tiles have %(high)s.",
        "%(seat)s can’t have %(pips)s pips: the highest remaining tiles have %(high)s.",
        "pips",
    ),
    "pips_low": ngettext_lazy(
        "%(seat)s can’t have %(pips)s pip: the lowest remaining tiles have %(low)s.",
        "%(seat)s can’t have %(pips)s pips: the lowest remaining tiles have %(low)s.",
        "pips",
    ),
    "pips_none": ngettext_lazy(
        "%(seat)s: no combination of the remaining tiles has %(pips)s pip.",
        "%(seat)s: no combination of the remaining tiles has %(pips)s pips.",
        "pips",
    ),
    "pips_together": gettext_lazy(
        "%(seats)s: no tiles of one set give all of them these pips at once."
    ),
    "no_move": gettext_lazy("Move %(number)s: “%(move)s” is no move."),
    "could_play": gettext_lazy(
        "Move %(number)s: %(seat)s held %(tile)s, which fitted and is no matador. "
        "It had to be played."
    ),
    "highest_double": gettext_lazy("%(seat)s had to lead with %(tile)s, the highest double held."),
    "highest_double_other": gettext_lazy(
        "%(seat)s held %(tile)s, a higher double: then %(seat)s leads."
    ),
    "not_dealt": gettext_lazy("%(seat)s was not dealt these tiles."),
    "bad_deal": gettext_lazy("That is no deal of this set."),
    "leader_winner": gettext_lazy("The winner of the last hand leads, not %(seat)s."),
    "after_target": gettext_lazy("The match was won before: somebody had %(target)s points."),
    "two_winners": gettext_lazy("Only one can reach %(target)s: the match ends there."),
    "total_absurd": gettext_lazy("%(seat)s: a total is from 0 to %(most)s, not %(total)s."),
    "totals_differ": gettext_lazy("The totals are not what the hands add up to."),
    "totals_side": gettext_lazy("%(seat)s: partners have one total together."),
    "nothing": gettext_lazy("Nothing is written down yet."),
    "unreadable": gettext_lazy("This cannot be read as a sheet."),
}

_LINES: Final[Mapping[str, _StrPromise]] = {
    "out": gettext_lazy("%(seat)s went out, no tiles left."),
    "blocked": gettext_lazy("Nobody could go on: the hand was blocked."),
    "tiles": ngettext_lazy(
        "%(seat)s: %(tiles)s, with %(pips)s pip in total.",
        "%(seat)s: %(tiles)s, with %(pips)s pips in total.",
        "pips",
    ),
    "pips": ngettext_lazy("%(seat)s: %(pips)s pip.", "%(seat)s: %(pips)s pips.", "pips"),
    "only_blank": gettext_lazy("%(seat)s: just the 0-0. That counts nothing, and ties at zero."),
    "follows": ngettext_lazy(
        "%(seat)s: the moves show that %(tiles)s was left. That is %(pips)s pip.",
        "%(seat)s: the moves show that %(tiles)s was left. That is %(pips)s pips.",
        "pips",
    ),
    "undecided": gettext_lazy(
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
        return str(_SENTENCES[objection.code] % {**_BLANK, **params})
    return _refused_move(objection, params)


_BLANK: Final = dict.fromkeys(("seat", "tile", "move", "sentence"), "?")


def _refused_move(objection: Objection, params: Mapping[str, object]) -> str:
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


def _shown(name: str, value: object, names: Names) -> object:
    """A parameter as people read it: seats by name, tiles with a hyphen, counts as they are."""
    if name in {"seat", "other", "winner"} and isinstance(value, int):
        return names[value] if 0 <= value < len(names) else "?"
    if name == "seats" and isinstance(value, tuple):
        return all_of([_shown("seat", seat, names) for seat in value])
    if name == "tiles" and isinstance(value, tuple):
        return ", ".join(words.hyphened(tile) for tile in value)
    return words.hyphened(str(value)) if name in {"tile", "move"} else value


def say_line(line: Line, names: Names) -> str:
    """What the referee reads off the sheet, in a sentence."""
    params = {name: _shown(name, value, names) for name, value in line.params.items()}
    if line.code == "log":
        return _log(line)
    return str(_LINES[line.code] % params)


def _log(line: Line) -> str:
    moves, laid = line.params["moves"], line.params["laid"]
    assert isinstance(moves, int)
    assert isinstance(laid, int)
    made = ngettext("%(count)s move", "%(count)s moves", moves) % {"count": moves}
    return ngettext(
        "%(moves)s, %(laid)s tile in the train.", "%(moves)s, %(laid)s tiles in the train.", laid
    ) % {"moves": made, "laid": laid}


def side_names(rules: Rules, names: Names) -> list[str]:
    """Names by side: partners together."""
    sides = rules.sides(len(names))
    return [all_of([names[seat] for seat in seats]) for seats in sides]


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
