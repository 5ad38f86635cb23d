"""The totals alone: the weakest evidence, taken on trust where nothing speaks against it."""

from __future__ import annotations

from django.utils.translation import gettext as _

from dominoes.engine import Reading
from dominoes.forms import Writing
from dominoes.sheets import read_match, say
from dominoes.views.answering import Answer, AnswerLine
from dominoes.views.at_match import AtMatch


def score_answer(at: AtMatch, writing: Writing) -> Answer:
    """The answer to totals written down without a hand."""
    lines = _lines(at, writing)
    bad = any(line.state != "good" for line in lines)
    return Answer(
        lines=tuple(lines),
        reading=Reading(),
        outcome=None,
        title="",
        headline="",
        points=0,
        sum="",
        rows=(),
        ready=not bad,
        wins=False,
        waiting=_("One line still needs to be corrected.") if bad else "",
    )


def _lines(at: AtMatch, writing: Writing) -> list[AnswerLine]:
    if not any(writing.totals):
        return [AnswerLine(state="asked", text=_("Enter each side’s final score."))]
    totals, why = writing.read_totals()
    if why:
        return [AnswerLine(state="bad", text=why)]
    reading = read_match(at.rules, at.players, {"totals": totals})
    if reading.objections:
        return [
            AnswerLine(state="bad", text=say(fault, at.names), ruling=fault.ruling)
            for fault in reading.objections
        ]
    return _taken(at, reading.winner)


def _taken(at: AtMatch, winner: int | None) -> list[AnswerLine]:
    trust = AnswerLine(
        state="good",
        text=_(
            "The totals can’t be checked without the individual hands, so they are accepted "
            "as entered."
        ),
    )
    if winner is None:
        text = _("No side has reached %(target)s points.") % {"target": at.rules.target}
        return [AnswerLine(state="good", text=text), trust]
    text = _("%(name)s wins the match.") % {"name": at.sides[winner]}
    return [AnswerLine(state="good", text=text), trust]
