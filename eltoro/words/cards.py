"""What an action card does, made of its effect, amount, whose and round (Ruling E-10)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from django.utils.translation import get_language, gettext_noop, ngettext
from django.utils.translation import gettext as _

from eltoro.engine import Card, Effect, Whose


def in_own_language(english: str, spanish: str) -> str:
    """One of two names that the data bring."""
    return spanish if (get_language() or "en").startswith("es") else english


def card_name(card: Card) -> str:
    """The card's name."""
    return in_own_language(card.name, card.name_es)


def card_sentence(card: Card) -> str:
    """What the card does, in a sentence or two."""
    return SENTENCES[card.effect](card)


def kind_of_card(card: Card) -> str:
    """Which of the rulebook's kinds a card is of: `roll`, `face`, `bull`, `sign`, `unsign`,
    `draw` or `points`.
    """
    return KINDS.get(card.effect, "bull" if card.bull else "face")


KINDS: Final[Mapping[Effect, str]] = {
    Effect.ROLL: "roll",
    Effect.ROLL_SPACE: "roll",
    Effect.ROLL_ALL: "roll",
    Effect.SIGN: "sign",
    Effect.UNSIGN: "unsign",
    Effect.DRAW: "draw",
    Effect.POINTS: "points",
    Effect.BRAVE: "points",
}


def _runners(card: Card) -> str:
    """Whom it takes, after a verb: `up to 2 of your runners`."""
    if card.whose is Whose.OWN:
        told = ngettext("one of your runners", "up to %(n)s of your runners", card.amount)
    elif card.whose is Whose.OTHER:
        told = ngettext(
            "one runner of another player", "up to %(n)s runners of other players", card.amount
        )
    else:
        told = ngettext("one of anybody’s runners", "up to %(n)s of anybody’s runners", card.amount)
    return told % {"n": card.amount}


def _bulls(card: Card) -> str:
    return ngettext("one bull", "up to %(n)s bulls", card.amount) % {"n": card.amount}


def _with_runners(text: str) -> Callable[[Card], str]:
    return lambda card: _(text) % {"runners": _runners(card)}


def _with_bulls(text: str) -> Callable[[Card], str]:
    return lambda card: _(text) % {"bulls": _bulls(card)}


def _roll_space(card: Card) -> str:
    if card.whose is Whose.OWN:
        return _("Roll all your runners at one roundabout again.")
    if card.whose is Whose.OTHER:
        return _("Roll all runners of the others at one roundabout again.")
    return _("Roll all runners at one roundabout again, everybody’s.")


def _turn(card: Card) -> str:
    past = (
        _("6 and 1 are neighbours: it goes round.")
        if card.goes_round
        else _("It does not go past 6 or 1.")
    )
    return _("Turn %(runners)s one up or one down.") % {"runners": _runners(card)} + " " + past


def _bull_turn(card: Card) -> str:
    past = (
        _("6 and 1 are neighbours: it goes round.")
        if card.goes_round
        else _("It does not go past 6 or 1.")
    )
    return _("Turn %(bulls)s one up or one down.") % {"bulls": _bulls(card)} + " " + past


def _sign(card: Card) -> str:
    return (
        ngettext(
            "Put a direction token on any sign.",
            "Put up to %(n)s direction tokens on signs.",
            card.amount,
        )
        % {"n": card.amount}
        + " "
        + _("Your runners follow it, odd or even.")
    )


def _unsign(card: Card) -> str:
    return ngettext(
        "Take a direction token off the board, anybody’s.",
        "Take up to %(n)s direction tokens off the board, anybody’s.",
        card.amount,
    ) % {"n": card.amount}


def _draw(card: Card) -> str:
    return ngettext("Draw a card.", "Draw %(n)s cards.", card.amount) % {"n": card.amount}


def _points(card: Card) -> str:
    return ngettext("Take a point.", "Take %(n)s points.", card.amount) % {"n": card.amount}


def _brave(card: Card) -> str:
    return ngettext(
        "Take a point if one of your runners stands beside a bull.",
        "Take a point for each of your runners that stands beside a bull, %(n)s at most.",
        card.amount,
    ) % {"n": card.amount}


def _bull_add(card: Card) -> str:
    return ngettext(
        "Roll one more bull in at a roundabout of the bulls’ row.",
        "Roll up to %(n)s more bulls in at roundabouts of the bulls’ row.",
        card.amount,
    ) % {"n": card.amount}


SENTENCES: Final[Mapping[Effect, Callable[[Card], str]]] = {
    Effect.ROLL: _with_runners(gettext_noop("Roll %(runners)s again.")),
    Effect.ROLL_SPACE: _roll_space,
    Effect.ROLL_ALL: lambda card: _("Roll all your runners again."),
    Effect.TURN: _turn,
    Effect.FLIP: _with_runners(
        gettext_noop("Turn %(runners)s upside down: 6 is 1, 5 is 2, 4 is 3.")
    ),
    Effect.ODD: _with_runners(gettext_noop("Make %(runners)s odd: an even face goes one down.")),
    Effect.EVEN: _with_runners(gettext_noop("Make %(runners)s even: an odd face goes one up.")),
    Effect.SET: _with_runners(gettext_noop("Set %(runners)s to any face you like.")),
    Effect.SWAP: lambda card: _("One of your runners changes faces with one of another player."),
    Effect.BULL_ROLL: _with_bulls(gettext_noop("Roll %(bulls)s again, where it stands.")),
    Effect.BULL_ROLL_SPACE: lambda card: _("Roll all bulls at one roundabout again."),
    Effect.BULL_TURN: _bull_turn,
    Effect.BULL_FLIP: _with_bulls(
        gettext_noop("Turn %(bulls)s upside down: 6 is 1, 5 is 2, 4 is 3.")
    ),
    Effect.BULL_LEAD: _with_bulls(
        gettext_noop("Lead %(bulls)s to a neighbouring roundabout of the same row.")
    ),
    Effect.BULL_ADD: _bull_add,
    Effect.SIGN: _sign,
    Effect.UNSIGN: _unsign,
    Effect.DRAW: _draw,
    Effect.POINTS: _points,
    Effect.BRAVE: _brave,
}
"""What each effect says of a card."""
