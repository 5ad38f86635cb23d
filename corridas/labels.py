"""Display names of records, of awards and their formulas, and of conditions that stop a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


class Words(NamedTuple):
    label: _StrPromise
    gloss: _StrPromise


class StopWords(NamedTuple):
    """Texts of a condition that stops the simulation of a season.

    They are used in a form, as a reason in a list, and as a heading.
    """

    condition: _StrPromise
    reason: _StrPromise
    heading: _StrPromise


KINDS: Final[dict[str, Words]] = {
    "lidia_score": Words(
        _("Highest score in a lidia"),
        _("The final score for one bull, which is added to the number drawn."),
    ),
    "lidia_bull": Words(
        _("Bravest bull"), _("The most points that a bull has scored in a whole lidia.")
    ),
    "share_ears": Words(
        _("Most ears in an afternoon"),
        _("Ears cut by one matador in one corrida; a tail is always awarded with two ears."),
    ),
    "share_tails": Words(
        _("Most tails in an afternoon"), _("Tails cut by one matador in one corrida.")
    ),
    "share_indultos": Words(
        _("Most indultos in an afternoon"), _("Indultos won by one matador in one corrida.")
    ),
    "share_bulls": Words(
        _("Most bulls finished in an afternoon"),
        _("A matador has two bulls of his own, and more if other matadors could not continue."),
    ),
    "share_avisos": Words(
        _("Most avisos in an afternoon"), _("Avisos given to one matador in one corrida.")
    ),
    "corrida_ears": Words(
        _("Most ears in a corrida"), _("Ears cut by all three matadors together.")
    ),
    "corrida_tails": Words(
        _("Most tails in a corrida"), _("Tails cut by all three matadors together.")
    ),
    "corrida_indultos": Words(
        _("Most indultos in a corrida"), _("Applies to corridas with six bulls from the same herd.")
    ),
    "corrida_vueltas": Words(
        _("Most vueltas in a corrida"), _("Total number of vueltas by the three matadors.")
    ),
    "corrida_avisos": Words(
        _("Most avisos in a corrida"), _("Total number of avisos given to the three matadors.")
    ),
    "season_corridas": Words(
        _("Most corridas in a season"), _("Afternoons on which a matador appeared.")
    ),
    "season_ears": Words(_("Most ears in a season"), _("Total cut by one matador.")),
    "season_tails": Words(_("Most tails in a season"), _("Total cut by one matador.")),
    "season_indultos": Words(_("Most indultos in a season"), _("Won by one matador.")),
    "season_rate": Words(
        _("Most ears per corrida in a season"),
        _(
            "Open to matadors with ten corridas or more. The award is decided at the end of "
            "the season."
        ),
    ),
    "year_ears": Words(_("Most ears cut in a whole season"), _("Total cut by all matadors.")),
    "year_tails": Words(_("Most tails cut in a whole season"), _("Total cut by all matadors.")),
    "year_indultos": Words(_("Most indultos in a whole season"), _("Total for all matadors.")),
    "career_corridas": Words(
        _("Most corridas in a career"), _("Afternoons on which a matador appeared.")
    ),
    "career_ears": Words(_("Most ears in a career"), _("Total cut by one matador.")),
    "career_tails": Words(_("Most tails in a career"), _("Total cut by one matador.")),
    "career_indultos": Words(_("Most indultos in a career"), _("Won by one matador.")),
    "career_seasons": Words(
        _("Longest career"), _("Seasons in which the matador was announced at least once.")
    ),
    "career_leads": Words(
        _("Most seasons in first place"),
        _("Seasons that the matador finished at the head of the escalafón."),
    ),
}

GROUPS: Final[dict[str, _StrPromise]] = {
    "corrida": _("Afternoon"),
    "season": _("Season"),
    "career": _("Career"),
}

AWARDS: Final[dict[str, Words]] = {
    "triumph": Words(
        _("Triumphant matador"),
        _("Most points, counting trophies and avisos."),
    ),
    "lidia": Words(
        _("Best lidia"),
        _("For the lidia of a single bull, from the first cape pass to the verdict."),
    ),
    "bull": Words(_("Best bull"), _("The bull’s own points and the trophies won with it.")),
    "herd": Words(
        _("Best herd"),
        _("Average per bull. Over a season, only herds with at least twelve bulls count."),
    ),
    "revelation": Words(
        _("Revelation"),
        _(
            "The matador with the most points, counting trophies and avisos, among those in "
            "their first two seasons after the alternativa. If none of them appeared, nobody "
            "receives the award."
        ),
    ),
}

TERM_LABELS: Final[dict[str, _StrPromise]] = {
    "ears": _("ears"),
    "tails": _("tails"),
    "indultos": _("indultos"),
    "vueltas": _("vueltas"),
    "avisos": _("avisos"),
    "three_avisos": _("third avisos"),
    "score": _("final score"),
    "bull_points": _("the bull’s points"),
    "bulls": _("bulls"),
    "number": _("final number"),
    "corridas": _("corridas"),
    "leads": _("seasons in first place"),
    "season_awards": _("awards for a season"),
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
    "-day": _("the earlier date"),
    "-corrida": _("the corrida entered first"),
    "-turn": _("the earlier lidia in the corrida"),
    "-seniority": _("the matador who joined the circuit first"),
}

# Texts of the conditions that stop the simulation of a season, by the value of
# `world.stops.StopOn`.
STOPS: Final[dict[str, StopWords]] = {
    "injury": StopWords(
        _("a matador is injured"),
        _("a matador was injured"),
        _("The season stopped because a matador was injured:"),
    ),
    "indulto": StopWords(
        _("a bull is spared"),
        _("a bull was spared"),
        _("The season stopped because a bull was spared:"),
    ),
    "leader": StopWords(
        _("the lead changes"),
        _("the lead changed"),
        _("The season stopped because the lead changed:"),
    ),
    "record": StopWords(
        _("a record falls"),
        _("a record fell"),
        _("The season stopped because a record was broken:"),
    ),
    "carteles": StopWords(
        _("carteles are about to be contracted"),
        _("carteles were about to be contracted"),
        _("Stopped because carteles were about to be contracted:"),
    ),
    # Nobody chooses this one: runs always stop at the gates of a reserved corrida.
    "gate": StopWords(
        _("it is your turn to sign matadors"),
        _("it is your turn to sign matadors"),
        _("Stopped because it is your turn to sign matadors:"),
    ),
}

# How full a plaza is, by the name of the word (`HouseWord`) in small letters.
HOUSES: Final[dict[str, _StrPromise]] = {
    "full": _("Full house"),
    "nearly_full": _("Nearly full"),
    "three_quarters": _("Three quarters full"),
    "half": _("Half full"),
    "third": _("A third full"),
    "quarter": _("A quarter full"),
}
