"""Sentences about moves, ends of the train, results and errors of dominoes, in the active
language.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext, pgettext

from dominoes.engine import (
    REASONS,
    End,
    HandOutcome,
    IllegalMove,
    Move,
    MoveKind,
    PublicMove,
    Rules,
    Side,
    domino_set,
)
from leagues.text import join_with_or

_NUMBERS: Final = (
    *(gettext_noop("zero"), gettext_noop("one"), gettext_noop("two"), gettext_noop("three")),
    *(gettext_noop("four"), gettext_noop("five"), gettext_noop("six"), gettext_noop("seven")),
    *(gettext_noop("eight"), gettext_noop("nine"), gettext_noop("ten"), gettext_noop("eleven")),
    *(gettext_noop("twelve"), gettext_noop("thirteen"), gettext_noop("fourteen")),
    *(gettext_noop("fifteen"), gettext_noop("sixteen"), gettext_noop("seventeen")),
    *(gettext_noop("eighteen"), gettext_noop("nineteen")),
)
# Numbers that take “an” instead of “a” in English.
_VOWELS: Final = frozenset({8, 11, 18})


def refusal_sentence(error: IllegalMove) -> str:
    """Return the message for an illegal move, with tiles written as `6-3`."""
    params = {name: with_hyphen(value) for name, value in error.params.items()}
    return _(REASONS[error.code][1]) % params


def with_hyphen(value: str | int) -> str:
    """Return a tile or move with hyphens instead of notation: `6-3` for `6|3`."""
    return str(value).replace("|", "-")


def number_word(number: int) -> str:
    return _(_NUMBERS[number]) if 0 <= number < len(_NUMBERS) else str(number)


def half_with_article(half: int) -> str:
    """Return a half of a tile with its article: `a 6`, `an 8`, `a blank`."""
    if half == 0:
        return _("a blank")
    wanted = _("an %(half)s") if half in _VOWELS else _("a %(half)s")
    return wanted % {"half": half}


def tile_name(rules: Rules, tile: int) -> str:
    """Return the name of a tile, the higher half first: `6-3`."""
    low, high = domino_set(rules.highest).tiles[tile]
    return f"{high}-{low}"


def laid_tile_name(rules: Rules, move: Move) -> str:
    """Return the name of a played tile, beginning with the half that touches the train."""
    assert move.tile is not None
    if move.inward is None:
        return tile_name(rules, move.tile)
    return f"{move.inward}-{move.outward}"


def end_flag(end: End) -> str:
    if not end.needs:
        return _("matadors only")
    wanted = [pgettext("half of a tile", "blank") if not half else str(half) for half in end.needs]
    return _("needs %(halves)s") % {"halves": join_with_or(wanted)}


def end_need(end: End) -> str:
    """Return what an end of the train needs, as the end of a sentence: `needs a 6`."""
    if not end.needs:
        return _("takes only matadors")
    return _("needs %(halves)s") % {
        "halves": join_with_or([half_with_article(half) for half in end.needs])
    }


def end_name(end: End) -> str:
    """Return the open halves of an end of the train, for use after “on”:

    `the 1`, `the 2-5 across`.
    """
    if end.across:
        return _("the crosswise %(tile)s") % {"tile": "-".join(map(str, end.halves))}
    if end.halves == (0,):
        return _("the blank")
    return _("the %(half)s") % {"half": end.halves[0]}


def side_name(side: Side) -> str:
    return _("Left end") if side is Side.LEFT else _("Right end")


def lay_label(side: Side, end: End) -> str:
    if side is Side.LEFT:
        return _("Play the chosen tile at the left end: %(flag)s") % {"flag": end_flag(end)}
    return _("Play the chosen tile at the right end: %(flag)s") % {"flag": end_flag(end)}


def move_sentence(rules: Rules, public_move: PublicMove, who: str) -> str:
    move = public_move.move
    if move.kind is MoveKind.DRAW:
        return _("%(who)s drew a tile.") % {"who": who}
    if move.kind is MoveKind.PASS:
        return _("%(who)s passed.") % {"who": who}
    if move.kind is MoveKind.LEAD:
        return _("%(who)s laid the %(tile)s as the first tile.") % {
            "who": who,
            "tile": laid_tile_name(rules, move),
        }
    return _laid_sentence(rules, public_move, who)


def _laid_sentence(rules: Rules, public_move: PublicMove, who: str) -> str:
    move = public_move.move
    assert move.tile is not None
    assert public_move.ends is not None
    end = public_move.ends[0] if move.side is Side.LEFT else public_move.ends[1]
    words = {"who": who, "tile": laid_tile_name(rules, move), "end": end_name(end)}
    left = move.side is Side.LEFT
    if move.across:
        text = (
            _("%(who)s laid the matador %(tile)s crosswise on the left, next to %(end)s.")
            if left
            else _("%(who)s laid the matador %(tile)s crosswise on the right, next to %(end)s.")
        )
    elif domino_set(rules.highest).is_matador(move.tile):
        text = (
            _("%(who)s laid the matador %(tile)s on the left, next to %(end)s.")
            if left
            else _("%(who)s laid the matador %(tile)s on the right, next to %(end)s.")
        )
    else:
        return _sum_sentence(rules, public_move, words)
    return text % words


def _sum_sentence(rules: Rules, public_move: PublicMove, words: Mapping[str, str]) -> str:
    move, ends = public_move.move, public_move.ends
    assert ends is not None
    total = domino_set(rules.highest).N
    end = ends[0] if move.side is Side.LEFT else ends[1]
    sums = (half for half in end.halves if move.inward is not None and half + move.inward == total)
    half = next(sums, None)  # None at a blank, where no sum is possible
    if half is None:
        text = (
            _("%(who)s laid %(tile)s on the left, with its blank next to %(end)s.")
            if move.side is Side.LEFT
            else _("%(who)s laid %(tile)s on the right, with its blank next to %(end)s.")
        )
        return text % words
    text = (
        _("%(who)s laid %(tile)s on the left: %(inward)s and %(half)s make %(total)s.")
        if move.side is Side.LEFT
        else _("%(who)s laid %(tile)s on the right: %(inward)s and %(half)s make %(total)s.")
    )
    return text % {**words, "inward": move.inward, "half": half, "total": number_word(total)}


def end_sentence(end: End) -> str:
    """Return a sentence about an end of the train after a move:

    `That end is now 1 and needs a 6.`
    """
    if end.across:
        halves = join_with_or(end.halves)
        return _(
            "Both halves of the tile at this end are open (%(halves)s), so this end %(wants)s."
        ) % {
            "halves": halves,
            "wants": end_need(end),
        }
    half = pgettext("half of a tile", "blank") if end.halves == (0,) else str(end.halves[0])
    return _("The new end is %(half)s and %(wants)s.") % {"half": half, "wants": end_need(end)}


def ends_sentence(ends: tuple[End, End]) -> str:
    return _("The left end %(left)s; the right end %(right)s.") % {
        "left": end_need(ends[0]),
        "right": end_need(ends[1]),
    }


def tile_word(count: int) -> str:
    return ngettext("tile", "tiles", count)


def laid_name(left: int, right: int, *, matador: bool, lie: str, first: bool) -> str:
    """Return a description of a tile in the train for screen readers: `2-5, matador across`."""
    name = f"{left}-{right}"
    if first:
        return _("%(tile)s, the first tile") % {"tile": name}
    if lie != "inline":
        return _("%(tile)s, matador, crosswise") % {"tile": name}
    return _("%(tile)s, matador") % {"tile": name} if matador else name


def ending_sentence(outcome: HandOutcome, names: Sequence[str]) -> str:
    if outcome.out is None:
        return _("All players have passed: the hand is blocked.")
    return _("%(who)s has no tiles left.") % {"who": names[outcome.out]}


def winner_sentence(outcome: HandOutcome, sides: Sequence[str]) -> str:
    if outcome.winner is None:
        return _("The lowest hands are tied, so no points are scored.")
    points = outcome.points[outcome.winner]
    return ngettext(
        "%(who)s won the hand and scored %(points)s point.",
        "%(who)s won the hand and scored %(points)s points.",
        points,
    ) % {"who": sides[outcome.winner], "points": points}


def points_sum(outcome: HandOutcome) -> str:
    """Return the calculation of a hand's points: `25 + 13 + 9 − 4 = 43`. Empty if nobody scored."""
    if outcome.winner is None:
        return ""
    others = [p for side, p in enumerate(outcome.side_pips) if side != outcome.winner]
    own = outcome.side_pips[outcome.winner]
    added = " + ".join(map(str, others))
    if sum(others) < own:
        return _("%(sum)s: a score can’t go below 0") % {"sum": f"{added} − {own}"}
    return f"{added} − {own} = {outcome.points[outcome.winner]}"
