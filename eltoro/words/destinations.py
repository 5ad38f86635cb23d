"""Destinations and roundabouts by name, and what a destination brings (Rulings E-7, E-10)."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from eltoro.engine import Bonus, Destination, Rules
from eltoro.words.cards import in_own_language


def destination_name(destination: Destination) -> str:
    """The destination's name."""
    return in_own_language(destination.name, destination.name_es)


def destination_effect(destination: Destination) -> str:
    """What it brings the day after in two or three words, for a card on the map."""
    n = destination.amount
    if destination.effect is None:
        return _("no effect")
    told = {
        Bonus.RUNNER: ngettext("%(n)s runner", "%(n)s runners", abs(n)),
        Bonus.CARD: ngettext("%(n)s card", "%(n)s cards", abs(n)),
        Bonus.BULL: ngettext("%(n)s bull", "%(n)s bulls", abs(n)),
        Bonus.POINTS: ngettext("%(n)s point", "%(n)s points", abs(n)),
        Bonus.FIRST: _("first player"),
        Bonus.DIE: _("a die"),
    }[destination.effect]
    return told % {"n": signed(n)}


def destination_sentence(destination: Destination) -> str:
    """What it brings the day after, in a sentence."""
    n, kind = destination.amount, destination.effect
    if kind is Bonus.RUNNER:
        told = (
            ngettext("One more runner tomorrow.", "%(n)s more runners tomorrow.", n)
            if n > 0
            else ngettext("One fewer runner tomorrow.", "%(n)s fewer runners tomorrow.", -n)
        )
    elif kind is Bonus.CARD:
        told = (
            ngettext("One more card tomorrow.", "%(n)s more cards tomorrow.", n)
            if n > 0
            else ngettext("One fewer card tomorrow.", "%(n)s fewer cards tomorrow.", -n)
        )
    elif kind is Bonus.BULL:
        told = ngettext(
            "One more bull tomorrow for all players.",
            "%(n)s more bulls tomorrow for all players.",
            n,
        )
    elif kind is Bonus.POINTS:
        told = ngettext("One more point tomorrow.", "%(n)s more points tomorrow.", n)
    else:
        told = _other(kind)
    return told % {"n": abs(n)}


def _other(kind: Bonus | None) -> str:
    if kind is Bonus.FIRST:
        return _("You will be the first player tomorrow.")
    if kind is Bonus.DIE:
        return _(
            "Roll a die tomorrow: if it is even, gain that many points; if it is odd, lose "
            "one point."
        )
    return _("Points only.")


def signed(number: int) -> str:
    """A whole number with its sign, the minus as wide as the plus."""
    return f"+{number}" if number > 0 else f"\N{MINUS SIGN}{-number}"


def space_name(rules: Rules, space: int, laid: tuple[int, ...] = ()) -> str:
    """A roundabout, or the destination that lies there (`laid`: indexes by place)."""
    found = rules.board.spaces[space]
    if found.row == rules.board.steps and laid:
        place = rules.board.rows[-1].index(space)
        return destination_name(rules.destinations[laid[place]])
    return found.name or found.key.upper()
