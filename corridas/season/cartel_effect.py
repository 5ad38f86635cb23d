"""Describes a director's choice of matadors for a corrida, and suggests up to three changes.

The expected ears say how much a choice changes. They follow from the cards and the category of the
plaza. As long as the chances of a card are not calculated, ratings are compared instead. Form,
rest, style and past results give further hints.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from corridas.chance_text import decimals, percent
from corridas.engine import MATADORS
from corridas.escalafon.queries.chances import expected_ears
from corridas.season.cartel_queries import CartelCandidate
from leagues.text import join_with_and

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


@dataclass(frozen=True, kw_only=True)
class Effect:
    """`expected` are the ears expected from the three matadors, None if they are unknown."""

    title: str
    expected: float | None
    sentences: list[str]
    swaps: list[Swap]


def effect(
    chosen: Sequence[CartelCandidate],
    every: Sequence[CartelCandidate],
    usual: float | None = None,
) -> Effect:
    """Describe the chosen matadors in comparison with all candidates.

    `usual` are the ears expected from a usual cartel in plazas of this category, if known.
    """
    trio = sorted(chosen, key=lambda line: -line.rating)
    if len(trio) != MATADORS:
        return Effect(title=_incomplete(trio), expected=None, sentences=[], swaps=[])
    expected = _expected(trio)
    return Effect(
        title=_title(trio, expected),
        expected=expected,
        sentences=_sentences(trio, every, usual),
        swaps=swaps(trio, every),
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


def _expected(lines: Sequence[CartelCandidate]) -> float | None:
    return expected_ears([line.chances for line in lines])


def _average(lines: Sequence[CartelCandidate]) -> int:
    return round(sum(line.rating for line in lines) / len(lines))


def _title(trio: Sequence[CartelCandidate], expected: float | None) -> str:
    if expected is None:
        return _("Average rating: %s") % _average(trio)
    return _("%s ears expected") % decimals(expected)


def _sentences(
    trio: Sequence[CartelCandidate], every: Sequence[CartelCandidate], usual: float | None
) -> list[str]:
    parts = [
        _unknown(trio),
        _compared(trio, [line for line in every if line.announced], usual),
        _form(trio),
        _rest(trio),
        _styles(trio),
        _past(trio),
    ]
    return [part for part in parts if part]


def _unknown(trio: Sequence[CartelCandidate]) -> str:
    """Return a sentence if the chances of a card are not known."""
    names = [line.name for line in trio if line.chances is None]
    if not names:
        return ""
    return _("The chances of %s have not been calculated yet, so ratings are compared.") % (
        join_with_and(names)
    )


def _compared(
    trio: Sequence[CartelCandidate], announced: Sequence[CartelCandidate], usual: float | None
) -> str:
    """Compare the chosen matadors with the announced ones, and with a usual cartel.

    Without chances, only ratings are compared with the announced cartel.
    """
    expected = _expected(trio)
    changed = {line.pk for line in trio} != {line.pk for line in announced}
    before = announced if changed and len(announced) == MATADORS else []
    if expected is None:
        words = _("The announced cartel has an average rating of %s.")
        return words % _average(before) if before else ""
    figures = []
    if before and (was := _expected(before)) is not None:
        figures.append(_("the announced cartel %s") % decimals(was))
    if usual is not None:
        figures.append(_("a usual cartel in plazas like this one %s") % decimals(usual))
    if not figures:
        return ""
    words = _("Expected ears: this cartel %(figure)s, %(others)s.")
    return words % {"figure": decimals(expected), "others": ", ".join(figures)}


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


def swaps(trio: Sequence[CartelCandidate], every: Sequence[CartelCandidate]) -> list[Swap]:
    """Return up to three suggested changes.

    In this order of preference: the matador with the most expected ears, one in better form, one of
    another style, one with better results in such plazas, one with more rest.
    """
    free = [line for line in every if not line.refusal and line not in trio and line.rating]
    loose = [line for line in trio if not line.bound]
    if not free or not loose:
        return []
    tried = [_most_ears(loose, free), _in_form(loose, free), _other_style(trio, free)]
    tried += [_by_past(loose, free), _fresher(loose, free)]
    found: dict[int, Swap] = {}
    for swap in tried:
        if swap:
            found.setdefault(swap.incoming.pk, swap)
    return list(found.values())[:SWAPS]


def _most_ears(loose: Sequence[CartelCandidate], free: Sequence[CartelCandidate]) -> Swap | None:
    """Suggest the matador with the most expected ears for the one with the fewest.

    Ratings decide if no matadors on either side have chances.
    """
    known = [[line for line in lines if line.chances] for lines in (loose, free)]
    out, incoming = known if all(known) else (loose, free)
    best = max(incoming, key=lambda line: line.promise)
    worst = min(reversed(out), key=lambda line: line.promise)
    if best.expected is None or worst.expected is None:
        better = best.rating > worst.rating
    else:
        better = round(best.expected, 1) > round(worst.expected, 1)
    if not better:
        return None
    words = _("%s. No other change adds more.")
    return Swap(best, worst, words % _difference(best, worst))


def _in_form(trio: Sequence[CartelCandidate], free: Sequence[CartelCandidate]) -> Swap | None:
    known = [line for line in free if line.form]
    chosen = [line for line in trio if line.form]
    if not known or not chosen:
        return None
    best = max(known, key=lambda line: (line.form_value or 0, line.promise))
    worst = min(chosen, key=lambda line: (line.form_value or 0, *(-part for part in line.promise)))
    if (best.form_value or 0) <= (worst.form_value or 0):
        return None
    return Swap(best, worst, _("in better form; %s.") % _difference(best, worst))


def _other_style(trio: Sequence[CartelCandidate], free: Sequence[CartelCandidate]) -> Swap | None:
    present = [line.style for line in trio]
    others = [line for line in free if line.style and line.style not in present]
    if not others:
        return None
    best = max(others, key=lambda line: line.promise)
    loose = [line for line in trio if not line.bound]
    twice = [line for line in loose if present.count(line.style) > 1]
    out = min(reversed(twice or loose), key=lambda line: line.promise)
    words = _("another style (%(style)s); %(difference)s.")
    names = {"style": best.style_name, "difference": _difference(best, out)}
    return Swap(best, out, words % names)


def _by_past(trio: Sequence[CartelCandidate], free: Sequence[CartelCandidate]) -> Swap | None:
    best = max(free, key=lambda line: line.ears_per_bull if line.bulls >= ENOUGH_BULLS else -1)
    worst = min(trio, key=lambda line: line.ears_per_bull)
    if best.bulls < ENOUGH_BULLS or best.ears_per_bull <= worst.ears_per_bull:
        return None
    words = _("more ears per bull so far in plazas like this one; %s.")
    return Swap(best, worst, words % _difference(best, worst))


def _fresher(trio: Sequence[CartelCandidate], free: Sequence[CartelCandidate]) -> Swap | None:
    tired = [line for line in trio if line.journey and line.journey.rest < SHORT_REST]
    rested = [line for line in free if not line.journey or line.journey.rest > SHORT_REST]
    if not tired or not rested:
        return None
    out = min(tired, key=lambda line: line.journey.rest if line.journey else 0)
    best = min(rested, key=lambda line: _distance(line, out))
    return Swap(best, out, _("more days of rest; %s.") % _difference(best, out))


def _distance(one: CartelCandidate, other: CartelCandidate) -> tuple[float, float]:
    """Return how far apart two matadors are in expected ears, and in ratings."""
    return abs(one.promise[0] - other.promise[0]), abs(one.rating - other.rating)


def _difference(incoming: CartelCandidate, outgoing: CartelCandidate) -> str:
    """Return what a swap changes: expected ears and chances, or ratings if these are unknown.

    The chances are left out if they are the same in whole per cent.
    """
    new, old = incoming.chances, outgoing.chances
    if new is None or old is None:
        if incoming.rating == outgoing.rating:
            return _("the same rating (%s)") % incoming.rating
        words = _("a rating of %(new)s instead of %(old)s")
        return words % {"new": incoming.rating, "old": outgoing.rating}
    parts = [
        _changed(
            decimals(incoming.expected),
            decimals(outgoing.expected),
            _("%(new)s instead of %(old)s ears from his two bulls"),
            _("%(new)s ears from his two bulls, as before"),
        ),
        _changed(percent(new.ear), percent(old.ear), _("an ear %(new)s instead of %(old)s")),
        _changed(
            percent(new.two_ears),
            percent(old.two_ears),
            _("two ears %(new)s instead of %(old)s"),
        ),
    ]
    return "; ".join(filter(None, parts))


def _changed(new: str, old: str, words: str, same: str = "") -> str:
    return (same if new == old else words) % {"new": new, "old": old}
