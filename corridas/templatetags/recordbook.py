"""Template tags that show parts of the record book on other pages."""

from __future__ import annotations

from datetime import date

from django import template

from corridas import calendar
from corridas.escalafon.queries import awards, careers, records
from corridas.escalafon.queries.profiles import SeasonLine
from corridas.models import Corrida, Feria, Matador, Season

register = template.Library()

# Number of coming corridas that are searched for records within reach.
AHEAD = 12
# Maximum number of corridas with records within reach that are shown.
FEW = 8


@register.inclusion_tag("corridas/_recordbook.html#years", takes_context=True)
def years_of(
    context: template.Context, matador: Matador, until: date | None, career: list[SeasonLine]
) -> dict[str, object]:
    years = careers.years_of(matador, until, career)
    return {"years": years, "matador": matador, **_where(context)}


@register.inclusion_tag("corridas/_recordbook.html#given", takes_context=True)
def awards_of(context: template.Context, feria: Feria) -> dict[str, object]:
    """Render the awards of a feria, or nothing before the feria is over. One query."""
    return {"given": awards.of_feria(feria.pk), "year": feria.season.year, **_where(context)}


@register.inclusion_tag("corridas/_recordbook.html#near", takes_context=True)
def in_reach(context: template.Context, corrida: Corrida) -> dict[str, object]:
    """Render the records that matadors of this corrida may soon break. At most four queries."""
    lines = records.sentences_before([corrida]).get(corrida.pk, [])
    return {"posters": [(None, lines)] if lines else [], **_where(context)}


@register.inclusion_tag("corridas/_recordbook.html#near", takes_context=True)
def coming_in_reach(context: template.Context, season: Season) -> dict[str, object]:
    """Render the records that matadors may break in the next corridas. At most five queries.

    Each matador is named once.
    """
    corridas = calendar.coming(season, AHEAD)
    sentences = records.sentences_before(corridas, 2)
    posters, named = [], set()
    for corrida in corridas:
        lines = []
        for line in sentences.get(corrida.pk, []):
            if line.slug not in named:
                named.add(line.slug)
                lines.append(line)
        if lines:
            posters.append((corrida, lines))
    return {"posters": posters[:FEW], "coming": True, **_where(context)}


def _where(context: template.Context) -> dict[str, object]:
    named = ("circuit", "request")
    return {name: context.get(name, "") for name in named}
