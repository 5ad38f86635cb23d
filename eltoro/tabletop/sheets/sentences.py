"""Messages for the referee's objections, days and results, in the active language."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext, pgettext

from eltoro.engine import IllegalMove, Rules
from eltoro.stage import sentences
from eltoro.stage.sentences.cards import signed_number
from eltoro.tabletop.sheets.reading import (
    SEAT_LETTERS,
    DayReading,
    Ending,
    Objection,
    ScoresheetReading,
    SheetKind,
)
from eltoro.tabletop.sheets.sheet_rules import FIRST_BULLS, HAND_SIZE, Morning, SheetRules
from leagues.games import name_of_seat
from leagues.text import count_points, join_with_and

Names = Sequence[str]

_SENTENCES: Final[Mapping[str, str]] = {
    "players": gettext_noop("This game is for two to six players, not %(players)s."),
    "unreadable": gettext_noop("The data sent can’t be read as a scoresheet."),
    "nothing": gettext_noop("Nothing has been entered yet."),
    "no_destination": gettext_noop("Day %(day)s: the game has no destination “%(key)s”."),
    "five": gettext_noop(
        "Day %(day)s: five destinations must be laid out, not %(laid)s. Which ones were they?"
    ),
    "too_many_laid": gettext_noop("Day %(day)s: five destinations must be laid out, not %(laid)s."),
    "negative": gettext_noop(
        "Day %(day)s, %(seat)s: the number can’t be below 0, so it can’t be %(given)s."
    ),
    "die_missing": gettext_noop(
        "Day %(day)s: %(seat)s had reached a destination that gives a die. What did the die show?"
    ),
    "die_undue": gettext_noop(
        "Day %(day)s: %(seat)s had no die to roll, because none of their runners had reached "
        "a destination that gives one."
    ),
    "die_face": gettext_noop("Day %(day)s, %(seat)s: a die can’t show %(face)s."),
    "points_high": gettext_noop(
        "Day %(day)s, %(seat)s: a player can score at most %(most)s in a day, but "
        "you entered %(points)s."
    ),
    "points_low": gettext_noop(
        "Day %(day)s, %(seat)s: a player’s score for a day must be at least %(least)s, "
        "but you entered %(points)s."
    ),
    "points_missing": gettext_noop("Day %(day)s: how many points did %(seat)s score?"),
    "gained_high": gettext_noop(
        "Day %(day)s, %(seat)s: cards can earn at most %(most)s in a day, not %(given)s."
    ),
    "total_high": gettext_noop(
        "%(seat)s: a player can score at most %(most)s in an evening, but you entered %(points)s."
    ),
    "total_low": gettext_noop(
        "%(seat)s: a player’s score for an evening must be at least %(least)s, "
        "but you entered %(points)s."
    ),
    "total_none": gettext_noop("%(seat)s: runners and cards can’t earn %(points)s in an evening."),
    "deck_day": gettext_noop(
        "Day %(day)s: the cards in this deck can’t give a player so many points in a single day."
    ),
    "no_seed": gettext_noop("This is not a valid seed: a seed has 64 hexadecimal digits."),
    "no_move": gettext_noop("Move %(number)s: “%(move)s” is not a valid move."),
    "went_on": gettext_noop("Move %(number)s: the evening was already over."),
}

# Codes of objections whose parameters are numbers of points.
_OF_POINTS: Final = frozenset(
    {"points_high", "points_low", "points_none", "gained_high"}
    | {"total_high", "total_low", "total_none"}
)


def objection_sentence(rules: Rules, objection: Objection, names: Names) -> str:
    params: dict[str, Any] = {**objection.params, **_parameter_texts(objection.params, names)}
    if objection.code in _OF_POINTS:
        counts = {"points", "most", "least", "given"} & params.keys()
        params |= {name: count_points(params[name]) for name in counts}
    special = _SPECIAL.get(objection.code)
    if special is not None:
        return special(rules, params)
    return _(_SENTENCES[objection.code]) % params


def _parameter_texts(params: Mapping[str, Any], names: Names) -> dict[str, str]:
    texts = {}
    seat = params.get("seat")
    if isinstance(seat, int):
        texts["seat"] = name_of_seat(names, seat)
    for name in ("day", "number"):
        if name in params:
            texts[name] = str(params[name] + 1)
    return texts


def _too_many_days(_rules: Rules, params: Mapping[str, Any]) -> str:
    return (
        ngettext(
            "Under these rules, an evening has %(days)s day.",
            "Under these rules, an evening has %(days)s days.",
            params["days"],
        )
        % params
    )


def _deck_points(_rules: Rules, params: Mapping[str, Any]) -> str:
    return (
        ngettext(
            "The cards in one deck can’t score this many points on the first day.",
            "The cards in one deck can’t score this many points in the first %(days)s days.",
            params["days"],
        )
        % params
    )


def _too_often(rules: Rules, params: Mapping[str, Any]) -> str:
    words = {**params, "name": destination_name_of(rules, params["key"])}
    return (
        ngettext(
            "Day %(day)s: there is only one card for %(name)s, but it has been laid out "
            "%(times)s times.",
            "Day %(day)s: there are only %(count)s cards for %(name)s, but %(times)s have "
            "been laid out.",
            params["count"],
        )
        % words
    )


def _runners(_rules: Rules, params: Mapping[str, Any]) -> str:
    return (
        ngettext(
            "Day %(day)s: %(seat)s had %(runners)s runner, so the number that reached a "
            "destination can’t be %(arrived)s.",
            "Day %(day)s: %(seat)s had %(runners)s runners, so the number that reached a "
            "destination can’t be %(arrived)s.",
            params["runners"],
        )
        % params
    )


def _points_none(_rules: Rules, params: Mapping[str, object]) -> str:
    # `day` is shown from 1. Before day 1 there is no other day to mention.
    if params["day"] == "1":
        sentence = _(
            "Day %(day)s, %(seat)s: this player’s runners and cards can’t earn %(points)s."
        )
    else:
        sentence = _(
            "Day %(day)s, %(seat)s: given the results of the previous days, this player’s "
            "runners and cards can’t earn %(points)s."
        )
    return sentence % params


def _refused_move(_rules: Rules, params: Mapping[str, Any]) -> str:
    given = {
        name.removeprefix("why_"): value
        for name, value in params.items()
        if name.startswith("why_")
    }
    why = sentences.refusal_sentence(IllegalMove(params["why"], **given))
    return _("Move %(number)s, “%(move)s”: %(reason)s") % {**params, "reason": why}


_SPECIAL: Final[Mapping[str, Callable[[Rules, Mapping[str, object]], str]]] = {
    "too_many_days": _too_many_days,
    "too_often": _too_often,
    "runners": _runners,
    "refused": _refused_move,
    "deck_points": _deck_points,
    "points_none": _points_none,
}

# All error codes that have a message.
CODES_WITH_SENTENCE: Final = frozenset({*_SENTENCES, *_SPECIAL})


def destination_name_of(rules: Rules, key: str) -> str:
    """Return the name of a destination, or the key itself if it is unknown."""
    kind = SheetRules.of(rules, 2).kinds.get(key)
    return sentences.destination_name(kind.destination) if kind else key


def reading_lines(reading: ScoresheetReading, names: Names) -> list[str]:
    lines = []
    if reading.way is SheetKind.LOG and reading.moves:
        text = ngettext("%(n)s move replayed.", "%(n)s moves replayed.", reading.moves)
        lines.append(text % {"n": reading.moves})
    for number, day in enumerate(reading.days, start=1):
        scores = ", ".join(f"{name} {n}" for name, n in zip(names, day.points, strict=True))
        lines.append(_("Day %(day)s: %(scores)s.") % {"day": number, "scores": scores})
    lines += aside_lines(reading, names)
    if reading.ending:
        lines.append(ending_sentence(reading.ending, names))
    return lines


def aside_lines(reading: ScoresheetReading, names: Names) -> list[str]:
    lines = []
    for number, day in enumerate(reading.days, start=1):
        led = dict.fromkeys((text[0], text[1:].partition(">")[0]) for text in day.aside)
        runners = [
            _("%(name)s’s runner %(number)s")
            % {"name": names[SEAT_LETTERS.index(seat)], "number": runner}
            for seat, runner in led
        ]
        if runners:
            words = {"day": number, "runners": ", ".join(runners)}
            lines.append(
                _("On day %(day)s, a card moved these runners sideways: %(runners)s.") % words
            )
    return lines


def ending_sentence(end: Ending, names: Names) -> str:
    """Return a sentence about the end of a game, including a tie and what settled it (E-9)."""
    words = {
        "winners": join_with_and([names[seat] for seat in end.winners]),
        "level": join_with_and([names[seat] for seat in end.level]),
        "total": count_points(max(end.totals)),
        "last": end.last_day[end.winners[0]],
    }
    if len(end.level) == 1:
        return _("%(winners)s wins with %(total)s.") % words
    if end.by_last_day:
        return _tie_sentence(end) % words
    if end.totals == end.last_day:  # the game has only one day
        return _("%(level)s share the victory with %(total)s each.") % words
    return (
        _(
            "%(level)s share the victory with %(total)s each, having scored %(last)s "
            "each on the last day."
        )
        % words
    )


def _tie_sentence(end: Ending) -> str:
    if len(end.winners) == 1:
        return _(
            "%(level)s are tied on %(total)s; %(winners)s wins, having scored "
            "%(last)s on the last day."
        )
    return _(
        "%(level)s are tied on %(total)s; %(winners)s share the victory, having "
        "scored %(last)s each on the last day."
    )


def day_summary(day: DayReading, seat: int) -> str:
    ran, arrived = day.began[seat].runners, day.arrived[seat]
    words = {"ran": ran, "arrived": arrived, "trampled": ran - arrived}
    if arrived == ran:
        return (
            ngettext(
                "%(ran)s runner reached a destination.",
                "All %(ran)s runners reached a destination.",
                ran,
            )
            % words
        )
    reached = ngettext(
        "%(arrived)s of %(ran)s runner reached a destination.",
        "%(arrived)s of %(ran)s runners reached a destination.",
        ran,
    )
    return reached % words


def tomorrow_lines(law: SheetRules, mornings: Sequence[Morning], names: Names) -> list[str]:
    """Return sentences about what differs on the next day. Empty if nothing differs."""
    lines = []
    for name, morning in zip(names, mornings, strict=True):
        changes = _changes_for(law, morning)
        if changes:
            lines.append(f"{name}: {', '.join(changes)}.")
    return lines + _changes_for_all(law, mornings, names)


def _changes_for(law: SheetRules, morning: Morning) -> list[str]:
    changes = []
    if morning.runners != law.runners:
        text = ngettext("%(n)s runner", "%(n)s runners", morning.runners)
        changes.append(text % {"n": morning.runners})
    if morning.cards != HAND_SIZE:
        text = ngettext(
            "hand topped up to %(n)s card", "hand topped up to %(n)s cards", morning.cards
        )
        changes.append(text % {"n": morning.cards})
    if morning.points:
        text = ngettext("%(n)s point immediately", "%(n)s points immediately", abs(morning.points))
        changes.append(text % {"n": signed_number(morning.points)})
    if morning.dice:
        changes.append(
            ngettext("rolls a die first", "rolls %(n)s dice first", morning.dice)
            % {"n": morning.dice}
        )
    return changes


def _changes_for_all(law: SheetRules, mornings: Sequence[Morning], names: Names) -> list[str]:
    lines = []
    first = [name for name, morning in zip(names, mornings, strict=True) if morning.first]
    if len(first) == 1:
        lines.append(_("%(name)s takes the first-player token.") % {"name": first[0]})
    elif first:
        text = _(
            "The first-player token goes to the first of these players, counting round from "
            "its current holder: %(names)s."
        )
        lines.append(text % {"names": pgettext("one of", " / ").join(first)})
    bulls = law.bulls(mornings)
    if bulls != FIRST_BULLS:
        lines.append(ngettext("%(n)s bull runs.", "%(n)s bulls run.", bulls) % {"n": bulls})
    return lines
