"""How the rulebook is read, for the table: every ruling that decides something, in a few words."""

from __future__ import annotations

from typing import NamedTuple

from django.utils.translation import gettext as _

from corridas.engine import Rules


class Said(NamedTuple):
    """A ruling as it is printed: its numbers, what it is about, what holds."""

    rulings: str
    title: str
    text: str


class Chapter(NamedTuple):
    """Rulings that are needed together."""

    title: str
    said: tuple[Said, ...]


def rulings_of(rules: Rules) -> tuple[Chapter, ...]:
    """All chapters, as this rule set has them."""
    return (
        Chapter(_("Before the first card"), _before(rules)),
        Chapter(_("The three tercios"), _tercios(rules)),
        Chapter(_("Indulto and sword"), _sword()),
        Chapter(_("The verdict"), _verdict(rules)),
        Chapter(_("When a matador is hurt"), _hurt()),
        Chapter(_("In the book"), _book()),
    )


def _before(rules: Rules) -> tuple[Said, ...]:
    if rules.shuffle == "each_bull":
        shuffle = _(
            "Shuffle all seventy before every bull. Should they run out, shuffle all seventy again."
        )
    else:
        shuffle = _(
            "One deck runs through the whole corrida. When no card is left and one is needed, "
            "shuffle all seventy, the one in hand too."
        )
    return (
        Said(
            "I-14",
            _("Order"),
            _(
                "The highest rating takes bulls 1 and 4, the next 2 and 5, the lowest 3 and 6. "
                "Level ratings: the earlier alternativa, then the name."
            ),
        ),
        Said("I-15", _("The lot"), _("Which bull comes out in which turn is drawn by lot.")),
        Said("I-3", _("The deck"), shuffle),
        Said(
            "I-2",
            _("Numbers"),
            _("Two cards make a number: the first is the tens, the second the units; 00 is 100."),
        ),
    )


def _tercios(rules: Rules) -> tuple[Said, ...]:
    return (_marks(), _scoring(), _answer(rules), _banderillas(), _herida())


def _marks() -> Said:
    text = _(
        "A card drawn for the tercio is a mark, whatever it reads. Cards drawn to score, "
        "to answer or for a number are none. First tercio ten marks, faena ten marks."
    )
    return Said("I-4", _("Marks"), text)


def _scoring() -> Said:
    text = _(
        "A line with + or − draws one more card at once: its number is added or taken "
        "away, for the matador under a tercio, for the bull under BULL. Each has one "
        "total for the whole lidia."
    )
    return Said("I-5", _("Scoring"), text)


def _answer(rules: Rules) -> Said:
    if rules.bull_reading == "same_card":
        text = _("BULL is answered by the BULL line of the very same card.")
    else:
        text = _("BULL draws one more card, and only its BULL line is read; it is no mark.")
    return Said("I-6", _("The bull answers"), text)


def _banderillas() -> Said:
    text = _("The second tercio is over with its second CLAVAR; that card is still resolved.")
    return Said("I-8", _("Banderillas"), text)


def _herida() -> Said:
    text = _("Draw one more card. On a 0 the matador is out of the corrida; else he goes on.")
    return Said("I-7", "Herida", text)


def _sword() -> tuple[Said, ...]:
    return (
        Said(
            "I-9",
            "Indulto",
            _(
                "After the tenth card of the faena, if the bull has more than nought: two cards "
                "against the INDULTO range. Inside it the bull lives, and there is no kill."
            ),
        ),
        Said(
            "I-10",
            _("The kill"),
            _(
                "Five cards, each with its KILL line. After each draw one more: the number of the "
                "kill card is the tens, that of the new one the units. Inside AVISO it is a "
                "warning."
            ),
        ),
        Said(
            "I-10",
            "Avisos",
            _(
                "The first and the second cost nine points each. The third ends the lidia at "
                "once: no final number, no trophy, no vuelta, bronca."
            ),
        ),
    )


def _verdict(rules: Rules) -> tuple[Said, ...]:
    score = {
        "separate": _("The matador's points, the sword and the warnings; not the bull's points."),
        "against": _("The matador's points less the bull's, the sword and the warnings."),
        "for": _("The matador's points and the bull's, the sword and the warnings."),
    }[rules.bull_points]
    return (
        Said("I-11", _("The score"), score),
        Said(
            "I-12",
            _("The plaza"),
            _(
                "Divide the score by the plaza's category, 1 to 3, and drop the fraction: +7 in "
                "the second is +3, −7 is −3."
            ),
        ),
        Said(
            "I-13",
            _("The final number"),
            _(
                "Two cards, plus the score; below 1 is 1, above 100 is 100. Read this one number "
                "three times: for a trophy, always for the vuelta, and without a trophy for the "
                "crowd."
            ),
        ),
    )


def _hurt() -> tuple[Said, ...]:
    return (
        Said(
            "I-16",
            _("Who goes on"),
            _(
                "From the very next card the first matador still able, in the order of "
                "appearance. Marks and points stay; ranges and result are now his. He takes the "
                "hurt man's later bull too."
            ),
        ),
        Said(
            "I-16",
            _("Nobody left"),
            _("The corrida is suspended at that card; that lidia has points and no result."),
        ),
    )


def _book() -> tuple[Said, ...]:
    return (
        Said(
            "I-18",
            _("What to hand in"),
            _(
                "Either the cards in the order drawn, by their small number, or the sheet: points "
                "by tercio, five kill modifiers with noughts written, warnings, the number for "
                "the indulto and the final number as drawn, before the score is added."
            ),
        ),
        Said(
            "I-17",
            "Escalafón",
            _(
                "It goes by corridas, then ears (a tail counts two ears and a tail), tails, "
                "indultos, fewest avisos. A result is his who finished the bull."
            ),
        ),
    )
