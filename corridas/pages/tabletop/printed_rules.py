"""The most important rulings for a real table, each in a few words, for a printed page."""

from __future__ import annotations

from typing import NamedTuple

from django.utils.translation import gettext as _

from corridas.engine import Rules


class PrintedRuling(NamedTuple):
    """A ruling on the printed page: its ids, its subject and its text."""

    rulings: str
    title: str
    text: str


class Chapter(NamedTuple):
    """A section of the printed page of rulings."""

    title: str
    said: tuple[PrintedRuling, ...]


def rulings_of(rules: Rules) -> tuple[Chapter, ...]:
    return (
        Chapter(_("Before the first card"), _before(rules)),
        Chapter(
            _("The three tercios"),
            (_marks(), _scoring(), _answer(rules), _banderillas(), _herida()),
        ),
        Chapter(_("Indulto and kill"), _sword()),
        Chapter(_("The verdict"), _verdict(rules)),
        Chapter(_("When a matador is injured"), _hurt()),
        Chapter(_("In the rulebook"), _book()),
    )


def _before(rules: Rules) -> tuple[PrintedRuling, ...]:
    if rules.shuffle == "each_bull":
        shuffle = _(
            "Shuffle all seventy cards before every bull. If they run out, shuffle all "
            "seventy again."
        )
    else:
        shuffle = _(
            "One deck is used for the whole corrida. If a card is needed and none is left, "
            "shuffle all seventy cards, including the card in your hand."
        )
    return (
        PrintedRuling(
            "I-14",
            _("Order"),
            _(
                "The matador with the highest rating takes bulls 1 and 4, the next one 2 and 5, "
                "and the one with the lowest rating 3 and 6. If ratings are equal, the matador "
                "with the earlier alternativa goes first; after that, names decide in "
                "alphabetical order."
            ),
        ),
        PrintedRuling("I-15", _("The draw"), _("The order of the bulls is drawn by lot.")),
        PrintedRuling("I-3", _("The deck"), shuffle),
        PrintedRuling(
            "I-2",
            _("Numbers"),
            _(
                "Two cards make one number: the first card gives the tens and the second the "
                "units. 00 counts as 100."
            ),
        ),
    )


def _marks() -> PrintedRuling:
    text = _(
        "Every card drawn for the tercio is a mark, whatever it says. Cards drawn to "
        "score points, to decide a question or to form a number are not marks. The first "
        "tercio has ten marks, and so does the faena."
    )
    return PrintedRuling("I-4", _("Marks"), text)


def _scoring() -> PrintedRuling:
    text = _(
        "If a line has + or −, draw one more card at once and add or subtract its "
        "number: for the matador on the line of a tercio, for the bull on the BULL line. "
        "Each of them has a single total for the whole lidia."
    )
    return PrintedRuling("I-5", _("Scoring"), text)


def _answer(rules: Rules) -> PrintedRuling:
    if rules.bull_reading == "same_card":
        text = _("When a card says BULL, read the BULL line of the same card.")
    else:
        text = _(
            "When a card says BULL, draw one more card and read only its BULL line. The "
            "second card is not a mark."
        )
    return PrintedRuling("I-6", _("The bull answers"), text)


def _banderillas() -> PrintedRuling:
    text = _("The second tercio ends with the second CLAVAR, but that card still takes effect.")
    return PrintedRuling("I-8", _("Banderillas"), text)


def _herida() -> PrintedRuling:
    text = _(
        "Draw one more card. If it is a 0, the matador is out of the corrida; otherwise he "
        "continues."
    )
    return PrintedRuling("I-7", "Herida", text)


def _sword() -> tuple[PrintedRuling, ...]:
    return (
        PrintedRuling(
            "I-9",
            "Indulto",
            _(
                "After the tenth card of the faena, if the bull has more than zero points, draw "
                "two cards to form a number and compare it with the INDULTO range. If the number "
                "is within the range, the bull lives and there is no kill."
            ),
        ),
        PrintedRuling(
            "I-10",
            _("The kill"),
            _(
                "Draw five cards one by one and read the KILL line of each. After each of these "
                "cards, draw one more: the number on the first card of the pair gives the tens, "
                "and the number on the second gives the units. If the result is within the AVISO "
                "range, the matador hears an aviso."
            ),
        ),
        PrintedRuling(
            "I-10",
            "Avisos",
            _(
                "The first and second aviso cost nine points each. The third ends the lidia "
                "at once, with no final number, no trophy and no vuelta; the verdict is "
                "bronca."
            ),
        ),
    )


def _verdict(rules: Rules) -> tuple[PrintedRuling, ...]:
    score = {
        "separate": _(
            "The matador’s points less the deductions for the kill and the avisos; the "
            "bull’s points do not count."
        ),
        "against": _(
            "The matador’s points minus the bull’s, less the deductions for the kill and the "
            "avisos."
        ),
        "for": _(
            "The matador’s points plus the bull’s, less the deductions for the kill and the avisos."
        ),
    }[rules.bull_points]
    return (
        PrintedRuling("I-11", _("The score"), score),
        PrintedRuling(
            "I-12",
            _("The plaza"),
            _(
                "Divide the score by the plaza’s category, 1 to 3, and drop the fraction: in "
                "a second-category plaza, +7 becomes +3 and −7 becomes −3."
            ),
        ),
        PrintedRuling(
            "I-13",
            _("The final number"),
            _(
                "Draw two cards for a number and add the score. A result below 1 counts as 1, "
                "and a result above 100 counts as 100. Look this number up on the matador’s card "
                "up to three times: first for a trophy, then always for the vuelta and, if there "
                "is no trophy, for the crowd’s verdict."
            ),
        ),
    )


def _hurt() -> tuple[PrintedRuling, ...]:
    return (
        PrintedRuling(
            "I-16",
            _("Who continues"),
            _(
                "From the next card on, the first matador in order of appearance who can still "
                "fight takes over. Marks and points stay as they are, but the ranges and the "
                "result are now his. He also takes the injured matador’s later bull."
            ),
        ),
        PrintedRuling(
            "I-16",
            _("No matador left who can continue"),
            _(
                "The corrida is suspended at the card that puts the last matador out of action. "
                "The lidia keeps its points but has no result."
            ),
        ),
    )


def _book() -> tuple[PrintedRuling, ...]:
    return (
        PrintedRuling(
            "I-18",
            _("What to enter"),
            _(
                "You can enter the small number of each card, in the order drawn. Alternatively, "
                "copy the scoresheet: points by tercio, five kill modifiers including zeros, "
                "avisos, the number for the indulto and the final number as drawn, before the "
                "score is added."
            ),
        ),
        PrintedRuling(
            "I-17",
            "Escalafón",
            _(
                "Matadors are ranked by number of corridas, then by ears (a tail also counts as "
                "two ears), tails, indultos and fewest avisos. Each result is credited to the "
                "matador who finished the lidia."
            ),
        ),
    )
