"""The dominoes referee for leagues, with its objections and conclusions in the active language."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, ngettext_lazy

from api.types import JSON
from dominoes import engine
from dominoes.engine import REASONS, IllegalMove, MatchReading, Objection, RefereeConclusion, Rules
from dominoes.stage import sentences
from dominoes.tabletop.sheets.parser import read_sheet
from leagues import games
from leagues.games import name_of_seat
from leagues.text import join_with_and

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

Names = Sequence[str]

_SENTENCES: Final[Mapping[str, _StrPromise]] = {
    "players": gettext_lazy("These rules don’t allow this number of players: %(players)s."),
    "no_seat": gettext_lazy("This table does not have the chosen seat."),
    "seats_held": gettext_lazy("This scoresheet is for a different number of players."),
    "out_and_blocked": gettext_lazy(
        "If the hand was blocked, %(seat)s can’t have gone out. Choose one of the two options."
    ),
    "who_out": gettext_lazy("Which player went out? Or was the hand blocked?"),
    "who_led": gettext_lazy(
        "Who laid the first tile? Without this information, the moves can’t be assigned to players."
    ),
    "no_tile": gettext_lazy("%(seat)s: this set has no tile “%(tile)s”."),
    "twice": gettext_lazy(
        "%(seat)s: %(tile)s appears twice, but the set has only one of each tile."
    ),
    "shared": gettext_lazy(
        "%(seat)s: %(tile)s is also in %(other)s’s hand, but the set has only one of each "
        "tile. Who had it?"
    ),
    "played_and_held": gettext_lazy(
        "%(seat)s: %(tile)s is already in the train, so no player can still hold it."
    ),
    "played_twice": gettext_lazy("Move %(number)s: %(tile)s is already in the train."),
    "held_unknown": gettext_lazy("Which tiles did %(seat)s have left?"),
    "out_holds": gettext_lazy("%(seat)s went out, so this player can’t have any tiles left."),
    "holds_none": gettext_lazy("%(seat)s has no tiles left, so %(seat)s must have gone out."),
    "log_out": gettext_lazy("According to the moves, %(seat)s went out."),
    "log_blocked": gettext_lazy("According to the moves, all players passed and none went out."),
    "log_open": gettext_lazy("The hand is not over: %(seat)s still holds tiles."),
    "log_drawing": gettext_lazy(
        "The hand is not blocked. Tiles left in the boneyard: %(boneyard)s."
    ),
    "not_blocked": gettext_lazy(
        "The hand is not blocked: %(seat)s held the %(tile)s, which fits. Check who passed."
    ),
    "nobody_led": gettext_lazy(
        "One player has laid the first tile, so the players can’t all still hold %(count)s tiles."
    ),
    "double_led": gettext_lazy(
        "%(seat)s can’t still hold %(tile)s: the highest double leads, and no higher double "
        "was dealt."
    ),
    "no_train": gettext_lazy("The other tiles can’t form a train in any order."),
    "no_block": gettext_lazy(
        "The hand was not blocked: in any train made from the other tiles, at least one "
        "of these tiles would fit."
    ),
    "went_on": gettext_lazy("Move %(number)s: the hand was already over."),
    "too_many_drawn": ngettext_lazy(
        "The players hold %(drawn)s more tile than was dealt, but only %(most)s can have "
        "been drawn.",
        "The players hold %(drawn)s more tiles than were dealt, but only %(most)s can "
        "have been drawn.",
        "drawn",
    ),
    "pips_negative": gettext_lazy("%(seat)s: a hand can’t have fewer than 0 tiles or pips."),
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
        "%(seats)s: these pip counts are not possible together with a single set of tiles."
    ),
    "no_move": gettext_lazy("Move %(number)s: “%(move)s” is not a valid move."),
    "could_play": gettext_lazy(
        "Move %(number)s: %(seat)s held %(tile)s, which fitted and is not a matador, so it "
        "had to be played."
    ),
    "highest_double": gettext_lazy(
        "%(seat)s had to lead with %(tile)s, the highest double that this player held."
    ),
    "highest_double_other": gettext_lazy(
        "%(seat)s held %(tile)s, a higher double, so %(seat)s should have led."
    ),
    "not_dealt": gettext_lazy("%(seat)s was not dealt these tiles."),
    "bad_deal": gettext_lazy("These tiles can’t have been dealt from this set."),
    "leader_winner": gettext_lazy("The winner of the last hand leads, so %(seat)s can’t lead."),
    "moves_of_another": gettext_lazy(
        "The moves are only possible if %(seat)s led, but the winner of the last hand leads."
    ),
    "after_target": ngettext_lazy(
        "The match had already been won: one side had %(target)s point.",
        "The match had already been won: one side had %(target)s points.",
        "target",
    ),
    "two_winners": ngettext_lazy(
        "Only one side can reach %(target)s point, because the match ends as soon as one side "
        "does.",
        "Only one side can reach %(target)s points, because the match ends as soon as one side "
        "does.",
        "target",
    ),
    "total_absurd": gettext_lazy(
        "%(seat)s: a total must be between 0 and %(most)s, not %(total)s."
    ),
    "totals_differ": gettext_lazy("The totals don’t match the sum of the hands."),
    "totals_side": gettext_lazy("%(seat)s: partners share one total."),
    "nothing": gettext_lazy("Nothing has been entered yet."),
    "unreadable": gettext_lazy("The data sent can’t be read as a scoresheet."),
}

_LINES: Final[Mapping[str, _StrPromise]] = {
    "out": gettext_lazy("%(seat)s went out, with no tiles left."),
    "blocked": gettext_lazy("No player could continue, so the hand was blocked."),
    "tiles": ngettext_lazy(
        "%(seat)s: %(tiles)s, with %(pips)s pip in total.",
        "%(seat)s: %(tiles)s, with %(pips)s pips in total.",
        "pips",
    ),
    "pips": ngettext_lazy("%(seat)s: %(pips)s pip.", "%(seat)s: %(pips)s pips.", "pips"),
    "only_blank": gettext_lazy("%(seat)s: only the 0-0 is left, which counts zero."),
    "follows": ngettext_lazy(
        "%(seat)s: according to the moves, the tiles left were %(tiles)s, with %(pips)s "
        "pip in total.",
        "%(seat)s: according to the moves, the tiles left were %(tiles)s, with %(pips)s "
        "pips in total.",
        "pips",
    ),
    "undecided": gettext_lazy(
        "Nothing contradicts these pip counts, but the referee stopped searching before "
        "finding tiles that match them."
    ),
}


def objection_sentence(objection: Objection, names: Names) -> str:
    special = _SPECIAL.get(objection.code)
    if special is not None:
        return special(objection, names)
    params = {name: _parameter_text(name, value, names) for name, value in objection.params.items()}
    number = objection.path.rpartition("/")[2]
    params["number"] = str(int(number) + 1) if number.isdecimal() else "?"
    if objection.code in _SENTENCES:
        return str(_SENTENCES[objection.code] % {**_BLANK, **params})
    return _refused_move(objection, params)


_BLANK: Final = dict.fromkeys(("seat", "tile", "move", "sentence"), "?")


def _refused_move(objection: Objection, params: Mapping[str, object]) -> str:
    raw = objection.params
    given = {
        name: value
        for name, value in raw.items()
        if isinstance(value, str | int) and name in {"tile", "inward", "end", "sum"}
    }
    why = sentences.refusal_sentence(IllegalMove(objection.code, **given))
    words = {**params, "why": why}
    if raw.get("end_side") == "left":
        return _("Move %(number)s, %(seat)s on the left: %(why)s") % words
    if raw.get("end_side") == "right":
        return _("Move %(number)s, %(seat)s on the right: %(why)s") % words
    return _("Move %(number)s, %(seat)s: %(why)s") % words


def _parameter_text(name: str, value: object, names: Names) -> object:
    if name in {"seat", "other", "winner"} and isinstance(value, int):
        return name_of_seat(names, value)
    if name == "seats" and isinstance(value, tuple):
        return join_with_and([_parameter_text("seat", seat, names) for seat in value])
    if name == "tiles" and isinstance(value, tuple):
        return ", ".join(sentences.with_hyphen(tile) for tile in value)
    return sentences.with_hyphen(str(value)) if name in {"tile", "move"} else value


def line_sentence(line: RefereeConclusion, names: Names) -> str:
    params = {name: _parameter_text(name, value, names) for name, value in line.params.items()}
    if line.code == "log":
        return _log_sentence(line)
    return str(_LINES[line.code] % params)


def _log_sentence(line: RefereeConclusion) -> str:
    moves, laid = line.params["moves"], line.params["laid"]
    assert isinstance(moves, int)
    assert isinstance(laid, int)
    made = ngettext("%(count)s move", "%(count)s moves", moves) % {"count": moves}
    return ngettext(
        "%(moves)s, %(laid)s tile in the train.", "%(moves)s, %(laid)s tiles in the train.", laid
    ) % {"moves": made, "laid": laid}


def side_names(rules: Rules, names: Names) -> list[str]:
    sides = rules.sides(len(names))
    return [join_with_and([names[seat] for seat in seats]) for seats in sides]


def _count_sentence(objection: Objection, names: Names) -> str:
    most, count = objection.params["most"], objection.params["count"]
    assert isinstance(most, int)
    return ngettext(
        "According to the moves, %(seat)s has %(most)s tile left, not %(count)s.",
        "According to the moves, %(seat)s has %(most)s tiles left, not %(count)s.",
        most,
    ) % {
        "seat": _parameter_text("seat", objection.params["seat"], names),
        "most": most,
        "count": count,
    }


def _too_many_sentence(objection: Objection, names: Names) -> str:
    most, count = objection.params["most"], objection.params["count"]
    assert isinstance(most, int)
    return ngettext(
        "%(seat)s can hold at most %(most)s tile, not %(count)s.",
        "%(seat)s can hold at most %(most)s tiles, not %(count)s.",
        most,
    ) % {
        "seat": _parameter_text("seat", objection.params["seat"], names),
        "most": most,
        "count": count,
    }


_SPECIAL: Final[Mapping[str, Callable[[Objection, Names], str]]] = {
    "count": _count_sentence,
    "too_many_tiles": _too_many_sentence,
}

CODES_WITH_SENTENCE: Final = frozenset({*_SENTENCES, *_SPECIAL, *REASONS})


class DominoReferee(games.SheetReferee[Rules]):
    """Referee of dominoes, which checks recorded matches. Implements `Referee` of `leagues`."""

    def read_rules(self, rules: JSON) -> Rules:
        return Rules.from_options(rules)

    def judge_sheet(self, rules: Rules, names: Sequence[str], sheet: JSON) -> games.Judgement:
        return _judgement(rules, names, read_match(rules, len(names), sheet))


referee = DominoReferee()


def read_match(rules: Rules, players: int, content: object) -> MatchReading:
    sheet = read_sheet(content, players)
    if sheet.faults:
        return MatchReading(objections=sheet.faults)
    return engine.judge_match(rules, players, sheet.hands, sheet.totals, sheet.stopped)


def _judgement(rules: Rules, names: Sequence[str], reading: MatchReading) -> games.Judgement:
    return games.Judgement(
        points=reading.points or (0,) * len(names),
        places=reading.places,
        over=reading.over and not reading.objections,
        evidence=reading.evidence,
        objections=tuple(
            games.Objection(
                path=objection.path,
                sentence=objection_sentence(objection, names),
                ruling=objection.ruling,
            )
            for objection in reading.objections
        ),
        lines=tuple(_lines(rules, reading, names)),
        short=_summary(rules, reading),
    )


def _summary(rules: Rules, reading: MatchReading) -> str:
    if not reading.over or reading.objections or reading.winner is not None:
        return ""
    return below_target(max(reading.totals), rules.target)


def below_target(points: int, target: int) -> str:
    """Return a sentence that a match was stopped, with the best score and the target."""
    sentence = ngettext(
        "The match ended before anyone reached the target: %(points)s of %(target)s point.",
        "The match ended before anyone reached the target: %(points)s of %(target)s points.",
        target,
    )
    return sentence % {"points": points, "target": target}


def _lines(rules: Rules, reading: MatchReading, names: Sequence[str]) -> list[str]:
    lines: list[str] = []
    for hand in reading.hands:
        lines += [line_sentence(line, names) for line in hand.lines]
        if hand.outcome is not None:
            lines.append(sentences.winner_sentence(hand.outcome, side_names(rules, names)))
    return lines
