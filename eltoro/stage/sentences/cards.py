"""Names and effects of action cards and destinations in words (Rulings E-7, E-10)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from django.utils.translation import get_language, gettext_noop, ngettext
from django.utils.translation import gettext as _

from eltoro.engine import Bonus, Card, Destination, Effect, Rules, RunnerOwner


def localized_name(english: str, spanish: str) -> str:
    return spanish if (get_language() or "en").startswith("es") else english


def card_name(card: Card) -> str:
    return localized_name(card.name, card.name_es)


def card_sentence(card: Card) -> str:
    return CARD_SENTENCES[card.effect](card)


def card_kind(card: Card) -> str:
    """Return the kind of a card as named by the rulebook.

    It is one of `roll`, `face`, `bull`, `sign`, `unsign`, `draw` and `points`.
    """
    return CARD_KINDS.get(card.effect, "bull" if card.bull else "face")


CARD_KINDS: Final[Mapping[Effect, str]] = {
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
    """Return a phrase for the runners that a card affects, for use after a verb: `up to 2 of your
    runners`.
    """
    if card.whose is RunnerOwner.OWN:
        sentence = ngettext("one of your runners", "up to %(n)s of your runners", card.amount)
    elif card.whose is RunnerOwner.OTHER:
        sentence = ngettext(
            "one of another player’s runners",
            "up to %(n)s of the other players’ runners",
            card.amount,
        )
    else:
        sentence = ngettext(
            "one runner of any player", "up to %(n)s runners of any player", card.amount
        )
    return sentence % {"n": card.amount}


def _bulls(card: Card) -> str:
    return ngettext("one bull", "up to %(n)s bulls", card.amount) % {"n": card.amount}


def _with_runners(text: str) -> Callable[[Card], str]:
    return lambda card: _(text) % {"runners": _runners(card)}


def _with_bulls(text: str) -> Callable[[Card], str]:
    return lambda card: _(text) % {"bulls": _bulls(card)}


def _roll_space(card: Card) -> str:
    if card.whose is RunnerOwner.OWN:
        return _("Reroll all your runners at one roundabout.")
    if card.whose is RunnerOwner.OTHER:
        return _("Reroll all other players’ runners at one roundabout.")
    return _("Reroll all runners at one roundabout, no matter whose they are.")


def _turn(card: Card) -> str:
    past = (
        _("A 6 can be turned to a 1, and a 1 to a 6.")
        if card.goes_round
        else _("The face can’t go above 6 or below 1.")
    )
    return (
        _("Turn the face of %(runners)s up or down by one.") % {"runners": _runners(card)}
        + " "
        + past
    )


def _bull_turn(card: Card) -> str:
    past = (
        _("A 6 can be turned to a 1, and a 1 to a 6.")
        if card.goes_round
        else _("The face can’t go above 6 or below 1.")
    )
    return _("Turn the face of %(bulls)s up or down by one.") % {"bulls": _bulls(card)} + " " + past


def _sign(card: Card) -> str:
    return (
        ngettext(
            "Put a direction token on any sign.",
            "Put up to %(n)s direction tokens on signs.",
            card.amount,
        )
        % {"n": card.amount}
        + " "
        + _("Your runners follow the token, whether they show an odd or an even number.")
    )


def _unsign(card: Card) -> str:
    return ngettext(
        "Remove any player’s direction token from the board.",
        "Remove up to %(n)s direction tokens of any players from the board.",
        card.amount,
    ) % {"n": card.amount}


def _draw(card: Card) -> str:
    return ngettext("Draw a card.", "Draw %(n)s cards.", card.amount) % {"n": card.amount}


def _points(card: Card) -> str:
    return ngettext("Gain a point.", "Gain %(n)s points.", card.amount) % {"n": card.amount}


def _brave(card: Card) -> str:
    return ngettext(
        "Gain a point if one of your runners is beside a bull.",
        "Gain a point for each of your runners that is beside a bull, up to %(n)s points.",
        card.amount,
    ) % {"n": card.amount}


def _bull_add(card: Card) -> str:
    return ngettext(
        "Roll one more bull and place it at a roundabout in the bulls’ row.",
        "Roll up to %(n)s more bulls and place them at roundabouts in the bulls’ row.",
        card.amount,
    ) % {"n": card.amount}


CARD_SENTENCES: Final[Mapping[Effect, Callable[[Card], str]]] = {
    Effect.ROLL: _with_runners(gettext_noop("Roll %(runners)s again.")),
    Effect.ROLL_SPACE: _roll_space,
    Effect.ROLL_ALL: lambda card: _("Roll all your runners again."),
    Effect.TURN: _turn,
    Effect.FLIP: _with_runners(
        gettext_noop(
            "Turn %(runners)s upside down: 6 becomes 1, 5 becomes 2, 4 becomes 3, and vice versa."
        )
    ),
    Effect.ODD: _with_runners(
        gettext_noop("Make the face of %(runners)s odd: an even face goes down by one.")
    ),
    Effect.EVEN: _with_runners(
        gettext_noop("Make the face of %(runners)s even: an odd face goes up by one.")
    ),
    Effect.SET: _with_runners(gettext_noop("Turn %(runners)s to any face you like.")),
    Effect.SWAP: lambda card: _(
        "Swap the face of one of your runners with that of another player’s runner."
    ),
    Effect.BULL_ROLL: _with_bulls(
        gettext_noop("Roll %(bulls)s again without moving the dice to another space.")
    ),
    Effect.BULL_ROLL_SPACE: lambda card: _("Reroll all bulls at one roundabout."),
    Effect.BULL_TURN: _bull_turn,
    Effect.BULL_FLIP: _with_bulls(
        gettext_noop(
            "Turn %(bulls)s upside down: 6 becomes 1, 5 becomes 2, 4 becomes 3, and vice versa."
        )
    ),
    Effect.BULL_LEAD: _with_bulls(
        gettext_noop("Move %(bulls)s to a neighbouring roundabout in the same row.")
    ),
    Effect.BULL_ADD: _bull_add,
    Effect.SIGN: _sign,
    Effect.UNSIGN: _unsign,
    Effect.DRAW: _draw,
    Effect.POINTS: _points,
    Effect.BRAVE: _brave,
}


def destination_name(destination: Destination) -> str:
    return localized_name(destination.name, destination.name_es)


def destination_effect(destination: Destination) -> str:
    """Return a destination's effect on the next day in two or three words, for its card
    on the map.
    """
    n = destination.amount
    if destination.effect is None:
        return _("no effect")
    sentences = {
        Bonus.RUNNER: ngettext("%(n)s runner", "%(n)s runners", abs(n)),
        Bonus.CARD: ngettext("%(n)s card", "%(n)s cards", abs(n)),
        Bonus.BULL: ngettext("%(n)s bull", "%(n)s bulls", abs(n)),
        Bonus.POINTS: ngettext("%(n)s point", "%(n)s points", abs(n)),
        Bonus.FIRST: _("first player"),
        Bonus.DIE: _("a die"),
    }[destination.effect]
    return sentences % {"n": signed_number(n)}


def destination_sentence(destination: Destination) -> str:
    n, kind = destination.amount, destination.effect
    if kind is Bonus.RUNNER:
        sentence = (
            ngettext("One more runner tomorrow.", "%(n)s more runners tomorrow.", n)
            if n > 0
            else ngettext("One fewer runner tomorrow.", "%(n)s fewer runners tomorrow.", -n)
        )
    elif kind is Bonus.CARD:
        sentence = (
            ngettext("One more card tomorrow.", "%(n)s more cards tomorrow.", n)
            if n > 0
            else ngettext("One fewer card tomorrow.", "%(n)s fewer cards tomorrow.", -n)
        )
    elif kind is Bonus.BULL:
        sentence = ngettext(
            "One more bull tomorrow for all players.",
            "%(n)s more bulls tomorrow for all players.",
            n,
        )
    elif kind is Bonus.POINTS:
        sentence = ngettext("One more point tomorrow.", "%(n)s more points tomorrow.", n)
    else:
        sentence = _other_effect(kind)
    return sentence % {"n": abs(n)}


def _other_effect(kind: Bonus | None) -> str:
    if kind is Bonus.FIRST:
        return _("You will be the first player tomorrow.")
    if kind is Bonus.DIE:
        return _(
            "Roll a die tomorrow: if it is even, gain that many points; if it is odd, lose "
            "one point."
        )
    return _("Points only.")


def signed_number(number: int) -> str:
    """Return a number with its sign. Negative numbers have a typographic minus."""
    return f"+{number}" if number > 0 else f"\N{MINUS SIGN}{-number}"


def space_name(rules: Rules, space: int, laid: tuple[int, ...] = ()) -> str:
    """Return the name of a space.

    On the last row it is the name of the destination there, if `laid` (indexes of destinations from
    left to right) is given.
    """
    board_space = rules.board.spaces[space]
    if board_space.row == rules.board.steps and laid:
        place = rules.board.rows[-1].index(space)
        return destination_name(rules.destinations[laid[place]])
    return board_space.name or board_space.key.upper()
