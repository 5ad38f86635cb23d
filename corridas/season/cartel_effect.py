"""Describes a director's choice of matadors for a corrida, and suggests up to three changes.

No probabilities are given. Ratings show who is expected to win; form, rest, style and past results
give further hints.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from corridas.engine import MATADORS
from corridas.season.cartel_queries import CartelCandidate
from leagues.text import join_with_and

# Ratings that differ by no more than this count as equal. If the highest and lowest differ by more
# than twice as much, the text speaks of a favourite.
LEVEL: Final = 4
# Limits of good and bad form, on a scale from -100 to 100.
GOOD_FORM, BAD_FORM = 25, -25
# A matador's rest is mentioned if it lasted fewer days than this.
SHORT_REST: Final = 2
# Minimum number of bulls in a category of plaza for a comparison of ears per bull.
ENOUGH_BULLS: Final = 6
SWAPS: Final = 3


class Swap(NamedTuple):
    """A suggested change of a cartel: one matador in place of another, and the effect in words."""

    incoming: CartelCandidate
    outgoing: CartelCandidate
    words: str

    @property
    def value(self) -> str:
        return f"{self.outgoing.pk}-{self.incoming.pk}"


class RatingMark(NamedTuple):
    """A matador in the chart of ratings, a line that is 270 units wide.

    `row` is 0 if his name is above the line, 1 if it is below.
    """

    candidate: CartelCandidate
    x: float
    label_x: float
    row: int


@dataclass(frozen=True, kw_only=True)
class Effect:
    title: str
    sentences: list[str]
    swaps: list[Swap]
    marks: list[RatingMark]


def effect(chosen: Sequence[CartelCandidate], every: Sequence[CartelCandidate]) -> Effect:
    """Describe the chosen matadors in comparison with all candidates."""
    trio = sorted(chosen, key=lambda line: -line.rating)
    whole = len(trio) == MATADORS
    return Effect(
        title=_title(trio, every) if whole else _incomplete(trio),
        sentences=_sentences(trio, every) if whole else [],
        swaps=swaps(trio, every) if whole else [],
        marks=_marks(trio),
    )


def _incomplete(trio: Sequence[CartelCandidate]) -> str:
    missing = MATADORS - len(trio)
    if missing < 0:
        return ngettext(
            "Take %(count)s matador off the cartel",
            "Take %(count)s matadors off the cartel",
            -missing,
        ) % {"count": -missing}
    return ngettext("Choose %(count)s more matador", "Choose %(count)s more matadors", missing) % {
        "count": missing
    }


def _average(lines: Sequence[CartelCandidate]) -> float:
    return sum(line.rating for line in lines) / len(lines)


def _title(trio: Sequence[CartelCandidate], every: Sequence[CartelCandidate]) -> str:
    even = trio[0].rating - trio[-1].rating <= 2 * LEVEL
    # If no matador has a card yet, the corrida is described as modest.
    ratings = sorted((line.rating for line in every if line.rating), reverse=True) or [1]
    strong, fair = ratings[len(ratings) // 4], ratings[len(ratings) // 2]
    average = _average(trio)
    if average >= strong:
        return _("Strong and even cartel") if even else _("Strong cartel with a favourite")
    if average >= fair:
        return _("Good and even cartel") if even else _("Good cartel with a favourite")
    return _("Modest and even cartel") if even else _("Modest cartel with a favourite")


def _sentences(trio: Sequence[CartelCandidate], every: Sequence[CartelCandidate]) -> list[str]:
    parts = [
        _balance(trio),
        _form(trio),
        _rest(trio),
        _styles(trio),
        _past(trio),
        _compared(trio, [line for line in every if line.announced]),
    ]
    return [part for part in parts if part]


def _balance(trio: Sequence[CartelCandidate]) -> str:
    first, second, third = trio
    names = {"first": first.name, "second": second.name, "third": third.name}
    if first.rating - third.rating <= LEVEL:
        return _("Any of the three could win the afternoon.")
    if first.rating - second.rating > LEVEL:
        return _("%(first)s has a clearly higher rating than the other two.") % names
    if second.rating - third.rating > LEVEL:
        return _("%(first)s and %(second)s are closely matched. %(third)s is the outsider.") % names
    return _("%(first)s is the slight favourite, and %(third)s is the outsider.") % names


def _form(trio: Sequence[CartelCandidate]) -> str:
    known = [(line.form_value, line) for line in trio if line.form_value is not None and line.form]
    if not known:
        return ""
    best, line = max(known, key=lambda pair: pair[0])
    worst, other = min(known, key=lambda pair: pair[0])
    names = {"best": line.name, "worst": other.name}
    if best >= GOOD_FORM and worst <= BAD_FORM:
        return _("%(best)s is in good form, %(worst)s in bad form.") % names
    if best >= GOOD_FORM:
        return _("%(best)s is in the best form of the three.") % names
    if worst <= BAD_FORM:
        return _("%(worst)s is in bad form.") % names
    return ""


def _rest(trio: Sequence[CartelCandidate]) -> str:
    tired = [line for line in trio if line.journey and line.journey.rest < SHORT_REST]
    if not tired:
        return ""
    line = min(tired, key=lambda line: line.journey.rest if line.journey else 0)
    assert line.journey
    names = {"name": line.name, "city": line.journey.city}
    if line.journey.rest:
        return _("%(name)s comes from %(city)s with one day’s rest.") % names
    if not line.journey.km:
        return _("%(name)s has no day of rest after %(city)s.") % names
    names["km"] = intcomma(line.journey.km)
    return _("%(name)s travels %(km)s km from %(city)s overnight.") % names


def _styles(trio: Sequence[CartelCandidate]) -> str:
    styles = [line.style for line in trio if line.style]
    names = [line.style_name for line in trio if line.style]
    if len(styles) < MATADORS:
        return ""
    if len(set(styles)) == 1:
        return _("All three have the same style: %s.") % names[0]
    if len(set(styles)) == MATADORS:
        return _("Three different styles: %s.") % join_with_and(names)
    twice = next(line for line in trio if styles.count(line.style) > 1)
    return _("Two of the three have the same style: %s.") % twice.style_name


def _past(trio: Sequence[CartelCandidate]) -> str:
    first, second = trio[0], trio[1]
    for one, other in ((first, second), (first, trio[2]), (second, trio[2])):
        met = next((met for rival, met in one.meetings if rival is other), None)
        if met and met.won != met.lost:
            ahead, behind = (one, other) if met.won > met.lost else (other, one)
            return _(
                "%(ahead)s leads %(behind)s %(won)s–%(lost)s in the afternoons that they have "
                "shared."
            ) % {
                "ahead": ahead.name,
                "behind": behind.name,
                "won": max(met.won, met.lost),
                "lost": min(met.won, met.lost),
            }
    return ""


def _compared(trio: Sequence[CartelCandidate], announced: Sequence[CartelCandidate]) -> str:
    """Compare the chosen matadors with the announced ones.

    Returns an empty text if the same matadors are chosen, or if no three are announced.
    """
    if len(announced) != MATADORS or {line.pk for line in trio} == {line.pk for line in announced}:
        return ""
    change = round(_average(trio) - _average(announced))
    before = [line.rating for line in announced]
    gap, was = trio[0].rating - trio[-1].rating, max(before) - min(before)
    if change > 0:
        strength = ngettext(
            "The average rating is %(points)s point higher than in the announced cartel",
            "The average rating is %(points)s points higher than in the announced cartel",
            change,
        )
    elif change < 0:
        strength = ngettext(
            "The average rating is %(points)s point lower than in the announced cartel",
            "The average rating is %(points)s points lower than in the announced cartel",
            -change,
        )
    else:
        strength = _("The average rating is the same as in the announced cartel")
    spread = (
        _("and the three are closer together")
        if gap < was
        else _("and the three are further apart")
        if gap > was
        else _("and the three are as close as before")
    )
    return f"{strength % {'points': abs(change)}}, {spread}."


def swaps(trio: Sequence[CartelCandidate], every: Sequence[CartelCandidate]) -> list[Swap]:
    """Return up to three suggested changes.

    In this order of preference: a stronger matador, one in better form, one of another style, one
    with better results in such plazas, one with more rest.
    """
    free = [line for line in every if not line.refusal and line not in trio and line.rating]
    loose = [line for line in trio if not line.bound]
    if not free or not loose:
        return []
    tried = [_stronger(loose, free), _in_form(loose, free), _other_style(trio, free)]
    tried += [_by_past(loose, free), _fresher(loose, free)]
    found: dict[int, Swap] = {}
    for swap in tried:
        if swap:
            found.setdefault(swap.incoming.pk, swap)
    return list(found.values())[:SWAPS]


def _stronger(trio: Sequence[CartelCandidate], free: Sequence[CartelCandidate]) -> Swap | None:
    best, weakest = max(free, key=lambda line: line.rating), trio[-1]
    if best.rating <= weakest.rating:
        return None
    words = ngettext(
        "stronger by %s point, the most that one change can add.",
        "stronger by %s points, the most that one change can add.",
        best.rating - weakest.rating,
    ) % (best.rating - weakest.rating)
    return Swap(best, weakest, words)


def _in_form(trio: Sequence[CartelCandidate], free: Sequence[CartelCandidate]) -> Swap | None:
    known = [line for line in free if line.form]
    chosen = [line for line in trio if line.form]
    if not known or not chosen:
        return None
    best = max(known, key=lambda line: (line.form_value or 0, line.rating))
    worst = min(chosen, key=lambda line: (line.form_value or 0, -line.rating))
    if (best.form_value or 0) <= (worst.form_value or 0):
        return None
    return Swap(best, worst, _("in better form, and %s.") % _strength(best, worst))


def _other_style(trio: Sequence[CartelCandidate], free: Sequence[CartelCandidate]) -> Swap | None:
    present = [line.style for line in trio]
    others = [line for line in free if line.style and line.style not in present]
    if not others:
        return None
    best = max(others, key=lambda line: line.rating)
    loose = [line for line in trio if not line.bound]
    twice = [line for line in loose if present.count(line.style) > 1]
    out = (twice or loose)[-1]
    words = _("another style (%(style)s), and %(strength)s.")
    return Swap(best, out, words % {"style": best.style_name, "strength": _strength(best, out)})


def _by_past(trio: Sequence[CartelCandidate], free: Sequence[CartelCandidate]) -> Swap | None:
    best = max(free, key=lambda line: line.ears_per_bull if line.bulls >= ENOUGH_BULLS else -1)
    worst = min(trio, key=lambda line: line.ears_per_bull)
    if best.bulls < ENOUGH_BULLS or best.ears_per_bull <= worst.ears_per_bull:
        return None
    words = _("more ears per bull in plazas like this one, and %s.")
    return Swap(best, worst, words % _strength(best, worst))


def _fresher(trio: Sequence[CartelCandidate], free: Sequence[CartelCandidate]) -> Swap | None:
    tired = [line for line in trio if line.journey and line.journey.rest < SHORT_REST]
    rested = [line for line in free if not line.journey or line.journey.rest > SHORT_REST]
    if not tired or not rested:
        return None
    out = min(tired, key=lambda line: line.journey.rest if line.journey else 0)
    best = min(rested, key=lambda line: abs(line.rating - out.rating))
    return Swap(best, out, _("more days of rest, and %s.") % _strength(best, out))


def _strength(incoming: CartelCandidate, outgoing: CartelCandidate) -> str:
    change = incoming.rating - outgoing.rating
    if abs(change) <= LEVEL // 2:
        return _("about as strong")
    if change > 0:
        words = ngettext("stronger by %s point", "stronger by %s points", change)
        return words % change
    words = ngettext("weaker by %s point", "weaker by %s points", -change)
    return words % -change


LEFT: Final = 6
WIDTH: Final = 258
# Half the width that a matador's name needs in the chart of ratings.
NAME: Final = 52.0


def _marks(trio: Sequence[CartelCandidate]) -> list[RatingMark]:
    """Place the matadors in the chart of ratings.

    The line of the chart begins at a multiple of ten below the lowest rating. Names are alternately
    above and below the line, and names that would overlap are moved apart.
    """
    if not trio:
        return []
    low = min(80, min(line.rating for line in trio) // 10 * 10)
    first, last = LEFT + NAME, LEFT + WIDTH - NAME
    marks: list[RatingMark] = []
    for place, line in enumerate(sorted(trio, key=lambda line: line.rating)):
        x = round(LEFT + WIDTH * (line.rating - low) / (100 - low), 1)
        label = min(max(x, first), last)
        if place > 1 and label - marks[place - 2].label_x < 2 * NAME:
            middle = (label + marks[place - 2].label_x) / 2
            middle = min(max(middle, first + NAME), last - NAME)
            marks[place - 2] = marks[place - 2]._replace(label_x=round(middle - NAME, 1))
            label = middle + NAME
        marks.append(RatingMark(line, x, round(label, 1), place % 2))
    return marks
