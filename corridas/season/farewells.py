"""Sentences that say why a matador retired, or may retire, with his age and figures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from corridas.models import Winter
from corridas.simulation.packed_year import unpack, year_of
from corridas.simulation.winter_queries import Won
from corridas.world.winter import Career
from corridas.world.winter.leaving import reasons, usual_corridas
from corridas.world.winter.outcome import Why

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

# Several wordings for each reason, used in rotation. No two matadors who retire in a winter get the
# same text, unless a reason occurs more often than there are pairs of opening and closing.
OPENINGS: Final[Mapping[Why, tuple[_StrPromise, ...]]] = {
    Why.AGE: (
        _("At %(age)s he puts the sword away, after a last season of %(corridas)s and %(ears)s."),
        _("He is %(age)s, and after %(corridas)s this year he leaves on his own two feet."),
        _(
            "He had promised himself to stop at %(age)s, and he keeps his word: %(corridas)s, "
            "%(ears)s."
        ),
        _("%(age)s years old, %(ears)s in %(corridas)s: he would rather stop than slow down."),
    ),
    Why.INJURIES: (
        _("He was out for %(days)s this season, and at %(age)s every recovery takes longer."),
        _("%(days)s out, only %(corridas)s fought: at %(age)s he listens to his doctors."),
        _("At %(age)s he does not want another year like this one, with %(days)s out."),
        _("The horns had the last word: %(days)s out in one season, at the age of %(age)s."),
    ),
    Why.CONTRACTS: (
        _(
            "The telephone rang for %(corridas)s, when others had %(usual)s. At %(age)s he "
            "stops waiting for it to ring again."
        ),
        _(
            "%(corridas)s in a season in which others had %(usual)s: at %(age)s, he decides "
            "to retire."
        ),
        _(
            "No impresario builds a cartel around a man of %(age)s with %(corridas)s a year, "
            "and he knows it."
        ),
        _(
            "He is %(age)s, and the carteles had other names: %(corridas)s for him, %(usual)s "
            "for most."
        ),
    ),
    Why.DECLINE: (
        _(
            "With a card rating of %(rating)s at %(age)s, he does not want to be seen below "
            "his best."
        ),
        _("He knows what his card once said. It says %(rating)s now, and he is %(age)s."),
        _(
            "%(ears)s in %(corridas)s: that is not what he will be remembered for. He leaves "
            "at %(age)s, with a card rating of %(rating)s."
        ),
        _(
            "At %(age)s his best years are behind him: a rating of %(rating)s, and %(ears)s "
            "this season."
        ),
    ),
    Why.HEIGHT: (
        _(
            "He bows out at the very top, aged %(age)s, with a card rating of %(rating)s and "
            "%(ears)s in his last season."
        ),
        _("Nobody asked him to go. At %(age)s, rated %(rating)s, he wants to be missed."),
        _(
            "%(corridas)s, %(ears)s and a card rating of %(rating)s: at %(age)s, he has "
            "nothing left to prove."
        ),
        _(
            "He goes when he chooses: at the age of %(age)s, with a card rating of "
            "%(rating)s and after cutting %(ears)s in one season."
        ),
    ),
}
CLOSINGS: Final = (
    _("Behind him lie %(seasons)s, %(corridas)s and %(ears)s."),
    _("The record book keeps %(ears)s and %(tails)s from %(corridas)s."),
    _("In %(seasons)s, he cut %(ears)s in %(corridas)s."),
)
CLOSINGS_WITHOUT_EARS: Final = (
    _("Behind him lie %(seasons)s and %(corridas)s."),
    _("He fought %(corridas)s in %(seasons)s."),
    _("The record book keeps %(corridas)s from %(seasons)s."),
)
DOUBTS: Final[Mapping[Why, tuple[_StrPromise, ...]]] = {
    Why.AGE: (
        _("At %(age)s every winter is a question. This season he had %(corridas)s and %(ears)s."),
        _("He is %(age)s, an age at which many stop: %(corridas)s this year, %(ears)s."),
        _("%(ears)s in %(corridas)s at the age of %(age)s: does he want another year?"),
        _("%(corridas)s and %(ears)s this season, but nobody fights for ever, and he is %(age)s."),
        _("At %(age)s he says that he feels well. He cut %(ears)s in %(corridas)s."),
        _(
            "Friends ask him at %(age)s what he is waiting for. His answer: %(ears)s in "
            "%(corridas)s."
        ),
        _("He was already here when others began: %(age)s years old, %(corridas)s, %(ears)s."),
    ),
    Why.INJURIES: (
        _("He was out for %(days)s this season, and he is %(age)s."),
        _("At the age of %(age)s he was out for %(days)s and had %(corridas)s between injuries."),
        _("At %(age)s, after %(days)s out injured, he is thinking it over."),
    ),
    Why.CONTRACTS: (
        _("%(corridas)s this season, when others had %(usual)s: the telephone is quiet."),
        _("He is %(age)s, and few called: %(corridas)s, against %(usual)s for most."),
        _("Only %(corridas)s, when others had %(usual)s. At %(age)s he wonders whether to go on."),
    ),
    Why.DECLINE: (
        _("His card says %(rating)s at %(age)s, well below what he was."),
        _(
            "With a card rating of %(rating)s and %(ears)s in %(corridas)s, at %(age)s his "
            "best years are behind him."
        ),
        _("At %(age)s his rating is down to %(rating)s. This season brought him %(ears)s."),
    ),
}
DOUBTS_WITHOUT_EARS: Final = (
    _("At %(age)s every winter is a question. This season he had %(corridas)s."),
    _("He is %(age)s, an age at which many stop: %(corridas)s this year."),
    _("%(corridas)s this season, but nobody fights for ever, and he is %(age)s."),
    _("He was already here when others began: %(age)s years old, %(corridas)s."),
)


class Farewell(NamedTuple):
    """Why a matador retires, and the totals of his career (empty if they are unknown)."""

    why: str
    leaves: str


def careers_of(winter: Winter) -> dict[str, Career]:
    """Return the careers that were the input of a winter, by slug; empty if they were not
    stored.
    """
    known = bytes(winter.known)
    return {career.slug: career for career in year_of(unpack(known)).careers} if known else {}


def usual(careers: Iterable[Career]) -> int:
    """Return the median number of corridas of the active matadors."""
    return usual_corridas(
        {career.slug: career.count("corridas") for career in careers if career.state == "active"}
    )


def farewells(
    leaving: Iterable[tuple[Career, Why, Won | None]], usual: int, year: int
) -> dict[str, Farewell]:
    """Return sentences about why these matadors retired, by slug, in the current language."""
    sentences: dict[str, Farewell] = {}
    given = dict.fromkeys(Why, year)
    for career, why, won in leaving:
        turn = given[why]
        given[why] += 1
        opening = _worded(OPENINGS[why], turn, _figures(career, usual))
        closing = _worded(CLOSINGS, turn, _totals(won), CLOSINGS_WITHOUT_EARS) if won else ""
        sentences[career.slug] = Farewell(opening, closing)
    return sentences


class Doubt(NamedTuple):
    """A matador who may retire: the reason in words, and the probability in thousandths.

    The probability is not shown.
    """

    career: Career
    odds: int
    words: str


def doubts(careers: Iterable[Career], usual: int, *, least: int, most: int) -> list[Doubt]:
    """Return the matadors who are most likely to retire and why, in the current language.

    Only the published rules are applied. The winter's seed is not used, so no decision is revealed.
    `least` is the lowest probability to include, in thousandths.
    """
    weighed = []
    for career in careers:
        odds_by_reason = reasons(career, usual) if career.state == "active" else {}
        odds = sum(odds_by_reason.values())
        if odds >= least:
            weighed.append((odds, career, max(DOUBTS, key=lambda why: odds_by_reason[why])))
    weighed.sort(key=lambda line: (-line[0], line[1].slug))
    given = dict.fromkeys(Why, 0)
    lines = []
    for odds, career, why in weighed[:most]:
        words = _worded(DOUBTS[why], given[why], _figures(career, usual), DOUBTS_WITHOUT_EARS)
        given[why] += 1
        lines.append(Doubt(career, odds, words))
    return lines


def _worded(
    wordings: Sequence[_StrPromise],
    turn: int,
    figures: Mapping[str, _Figure],
    without: Sequence[_StrPromise] = (),
) -> str:
    """Return the wording at position `turn`, or the next one that fits.

    A wording that names ears or tails does not fit a matador without any.
    """
    ordered = [str(wordings[(turn + skipped) % len(wordings)]) for skipped in range(len(wordings))]
    trophies = {name: figures[name] for name in ("ears", "tails") if name in figures}
    missing = [f"%({name})s" for name, figure in trophies.items() if not figure.number]
    fitting = (wording for wording in ordered if not any(name in wording for name in missing))
    otherwise = str(without[turn % len(without)]) if without else ordered[0]
    wording = next(fitting, otherwise)
    return wording % {name: figure.text for name, figure in figures.items()}


def _figures(career: Career, usual: int) -> dict[str, _Figure]:
    hurt = career.hurt_days
    return {
        "age": _number(career.age),
        "rating": _number(career.card.rating),
        "usual": _number(usual),
        "corridas": _corridas(career.count("corridas")),
        "ears": _ears(career.count("ears")),
        "days": _Figure(hurt, ngettext("%(count)s day", "%(count)s days", hurt)),
    }


def _totals(won: Won) -> dict[str, _Figure]:
    seasons, tails = won.seasons, won.tails
    return {
        "seasons": _Figure(seasons, ngettext("%(count)s season", "%(count)s seasons", seasons)),
        "corridas": _corridas(won.corridas),
        "ears": _ears(won.ears),
        "tails": _Figure(tails, ngettext("%(count)s tail", "%(count)s tails", tails)),
    }


class _Figure(NamedTuple):
    number: int
    phrase: str

    @property
    def text(self) -> str:
        return self.phrase % {"count": intcomma(self.number)}


def _number(count: int) -> _Figure:
    return _Figure(count, "%(count)s")


def _corridas(count: int) -> _Figure:
    return _Figure(count, ngettext("%(count)s corrida", "%(count)s corridas", count))


def _ears(count: int) -> _Figure:
    return _Figure(count, ngettext("%(count)s ear", "%(count)s ears", count))
