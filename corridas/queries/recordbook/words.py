"""What the kinds of records, the awards and their terms are called, and what each means."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


class Words(NamedTuple):
    """A name and a sentence that explains it."""

    label: _StrPromise
    gloss: _StrPromise


KINDS: Final[dict[str, Words]] = {
    "lidia_score": Words(
        _("Highest score of a lidia"),
        _("The final score of one bull, as it is added to the number drawn."),
    ),
    "lidia_bull": Words(
        _("Bravest bull"), _("The most points a bull scored itself, over all its lidia.")
    ),
    "share_ears": Words(
        _("Most ears in an afternoon"),
        _("Ears cut by one matador in one corrida; a tail comes with two ears."),
    ),
    "share_tails": Words(
        _("Most tails in an afternoon"), _("Tails cut by one matador in one corrida.")
    ),
    "share_indultos": Words(
        _("Most indultos in an afternoon"), _("Indultos won by one matador in one corrida.")
    ),
    "share_bulls": Words(
        _("Most bulls finished in an afternoon"),
        _("Two are his own; more where others could not go on."),
    ),
    "share_avisos": Words(
        _("Most avisos in an afternoon"), _("Warnings heard by one matador in one corrida.")
    ),
    "corrida_ears": Words(
        _("Most ears in a corrida"), _("Ears cut by all three matadors together.")
    ),
    "corrida_tails": Words(
        _("Most tails in a corrida"), _("Tails cut by all three matadors together.")
    ),
    "corrida_indultos": Words(_("Most indultos in a corrida"), _("Of the six of one herd.")),
    "corrida_vueltas": Words(_("Most laps of honour in a corrida"), _("Vueltas of all three.")),
    "corrida_avisos": Words(_("Most avisos in a corrida"), _("Warnings to all three.")),
    "season_corridas": Words(
        _("Most corridas in a season"), _("Afternoons on which one matador made the paseíllo.")
    ),
    "season_ears": Words(_("Most ears in a season"), _("Cut by one matador.")),
    "season_tails": Words(_("Most tails in a season"), _("Cut by one matador.")),
    "season_indultos": Words(_("Most indultos in a season"), _("Won by one matador.")),
    "season_rate": Words(
        _("Most ears a corrida in a season"),
        _("Over ten corridas or more; told when the season is over."),
    ),
    "year_ears": Words(_("Most ears of a whole season"), _("Cut by everybody together.")),
    "year_tails": Words(_("Most tails of a whole season"), _("Cut by everybody together.")),
    "year_indultos": Words(_("Most indultos of a whole season"), _("By everybody together.")),
    "career_corridas": Words(
        _("Most corridas in a career"), _("Afternoons on which one matador made the paseíllo.")
    ),
    "career_ears": Words(_("Most ears in a career"), _("Cut by one matador.")),
    "career_tails": Words(_("Most tails in a career"), _("Cut by one matador.")),
    "career_indultos": Words(_("Most indultos in a career"), _("Won by one matador.")),
    "career_seasons": Words(
        _("Longest career"), _("Seasons in which he was announced at least once.")
    ),
    "career_leads": Words(
        _("Most seasons in first place"), _("Seasons that he ended at the head of the escalafón.")
    ),
}

GROUPS: Final[dict[str, _StrPromise]] = {
    "corrida": _("Of an afternoon"),
    "season": _("Of a season"),
    "career": _("Of a career"),
}

AWARDS: Final[dict[str, Words]] = {
    "triumph": Words(
        _("Triumphant matador"),
        _("Most points for what he cut and what he was warned for."),
    ),
    "lidia": Words(_("Best lidia"), _("One bull, from first cape to last verdict.")),
    "bull": Words(_("Best bull"), _("What it scored itself, and what was won with it.")),
    "herd": Words(_("Best herd"), _("A mean a bull; over a season, of twelve bulls or more.")),
    "revelation": Words(
        _("Revelation"),
        _(
            "The triumphant matador among those in the first two seasons after their alternativa;"
            " nobody, where none of them appeared."
        ),
    ),
}

TERMS: Final[dict[str, _StrPromise]] = {
    "ears": _("ears"),
    "tails": _("tails"),
    "indultos": _("indultos"),
    "vueltas": _("vueltas"),
    "avisos": _("avisos"),
    "three_avisos": _("third avisos"),
    "score": _("final score"),
    "bull_points": _("points of the bull"),
    "bulls": _("bulls"),
    "number": _("final number"),
    "corridas": _("corridas"),
    "leads": _("seasons in first place"),
    "season_awards": _("awards of a season"),
    "feria_awards": _("ferias won"),
}

TIES: Final[dict[str, _StrPromise]] = {
    "ears": _("more ears"),
    "tails": _("more tails"),
    "indultos": _("more indultos"),
    "bulls": _("more bulls"),
    "number": _("the higher final number"),
    "score": _("the higher score"),
    "bull_points": _("the bull with more points"),
    "-corridas": _("fewer corridas"),
    "-avisos": _("fewer avisos"),
    "-day": _("the earlier day"),
    "-corrida": _("the corrida set down first"),
    "-turn": _("the earlier turn"),
    "-seniority": _("whoever came to the circuit first"),
}

VOID: Final = _("unawarded")
