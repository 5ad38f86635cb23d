"""Labels with a usual and a bloodless form.

Sentences of the story are in the phrasebooks, names of cards in the glossaries. This module holds
the headings, marks and short sentences of the pages.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

    Text = str | _StrPromise


class Label(NamedTuple):
    """Both forms of a label, usual first, with `%(name)s` placeholders."""

    usual: Text
    bloodless: Text


LABELS: Final[Mapping[str, Label]] = {
    "kill": Label(_("Kill"), _("Flower")),
    "the_kill": Label(_("THE KILL"), _("FLOWER")),
    "kill_act": Label(_("kill"), _("flower")),
    "kill_marks": Label(_("The kill: %(marks)s of 5."), _("The flower: %(marks)s of 5.")),
    "kill_modifiers": Label(_("Kill modifiers"), _("Flower modifiers")),
    "oreja": Label(_("one ear"), _("a velvet ear")),
    "dos_orejas": Label(_("two ears"), _("two velvet ears")),
    "rabo": Label(_("two ears and the tail"), _("two velvet ears and the tail")),
    "indulto": Label(_("the bull is spared"), _("the bull goes home for good")),
    "herida": Label(_("the matador is injured"), _("the matador has to leave the ring")),
    "hurt": Label(_("injured"), _("had to leave the ring")),
    "infirmary": Label(_("Infirmary"), _("Days out")),
    "unhurt": Label(_("Not injured so far."), _("No days out so far.")),
    "herida_word": Label("Herida", "Percance"),  # Spanish in both interfaces, as all badges are
    "killed": Label(
        _("Killed in the ring."), _("It walked back to the corral with a flower on its back.")
    ),
    "kill_card": Label(_("Kill card %(number)s"), _("Flower card %(number)s")),
    "ended_killed": Label(_("killed"), _("with the flower")),
    "ended_spared": Label(_("spared"), _("sent home for good")),
    "bull_spared": Label(_("The bull is spared"), _("The bull goes home for good")),
    "who_hurt": Label(
        _("Who was injured in this lidia?"), _("Who had to leave the ring in this lidia?")
    ),
    "stopped_injury": Label(_("a matador was injured"), _("a matador had to leave the ring")),
    "stopped_indulto": Label(_("a bull was spared"), _("a bull went home for good")),
    "sires": Label(
        _("Bulls spared in the ring return to the cows. Their sons are fought five years later."),
        _("Bulls sent home for good return to the cows. Their sons come out five years later."),
    ),
    "herds": Label(
        _(
            "Every herd in the circuit, with its breeding and how many of its bulls were "
            "fought and spared."
        ),
        _(
            "Every herd in the circuit, with its breeding and how many of its bulls came out "
            "and went home for good."
        ),
    ),
    "died": Label(_("Died %(day)s."), _("Until %(day)s.")),
    "died_in": Label(_("Died in %(place)s, %(day)s."), _("Until %(day)s, in %(place)s.")),
    "career_of": Label(
        _("Career of %(name)s: printed card, seasons, form, injuries."),
        _("Career of %(name)s: printed card, seasons, form, days out."),
    ),
    "yearbook": Label(
        _(
            "The season in one volume: standings, awards, records broken, ferias, months and "
            "injuries."
        ),
        _(
            "The season in one volume: standings, awards, records broken, ferias, months and "
            "days out."
        ),
    ),
    "injuries": Label(_("Injuries"), _("Absences")),
    "three_avisos": Label(
        _("Three avisos: the bull went back to the corrals alive."),
        _("Three avisos: the bull went back to the corrals without its flower."),
    ),
    "spared": Label(
        _("%(word)s: it lives on as a stud bull and never fights again."),
        _("%(word)s: it went home to the herd as a stud bull and never fights again."),
    ),
    "son_of": Label(
        _(' Son of <a href="%(way)s">%(name)s</a>, spared in %(year)s.'),
        _(' Son of <a href="%(way)s">%(name)s</a>, sent home for good in %(year)s.'),
    ),
}


def label(key: str, *, bloodless: bool) -> str:
    """Return a label in the language of the page. Raises KeyError for an unknown key."""
    found = LABELS[key]
    return str(found.bloodless if bloodless else found.usual)
