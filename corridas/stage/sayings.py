"""Bloodless equivalents for messages of lower layers.

The referee of sheets, the operations and the labels of choices do not know the reader. Pages
translate their messages with this table.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Final

from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from corridas.stage.table import FLOWER
from corridas.stage.wording import LABELS, Label

# Pairs of usual and bloodless text, the usual one exactly as the lower layers write it
SAYINGS: Final = (
    *(LABELS[key] for key in ("kill_act", "ended_killed", "ended_spared")),
    Label("KILL", FLOWER),
    Label(_("kill card %(stroke)s"), _("flower card %(stroke)s")),
    Label(_("injured"), _("out of the ring")),
    Label(
        _("Kill, card %(stroke)s of %(of)s: read its KILL line."),
        _("Flower, card %(stroke)s of %(of)s: read its last line."),
    ),
    Label(
        _("Herida: draw one more card. If it is a 0, %(name)s is out."),
        _("Percance: draw one more card. If it is a 0, %(name)s is out."),
    ),
    Label(_("%(name)s is injured"), _("%(name)s has to leave the ring")),
    Label(_("%(number)s: the bull is spared"), _("%(number)s: the bull goes home for good")),
    Label(
        _("A bull that was killed had 0 to 2 avisos."),
        _("A bull that was given its flower had 0 to 2 avisos."),
    ),
    Label(
        _("A bull that is spared is not killed."),
        _("A bull that goes home for good is given no flower."),
    ),
    Label(
        _("The card of this matador can’t spare a bull, because its INDULTO range is empty."),
        _("The card of this matador can’t send a bull home, because its INDULTO range is empty."),
    ),
    Label(
        _("The kill takes five cards; only a third aviso ends it earlier."),
        _("The flower takes five cards; only a third aviso ends it earlier."),
    ),
    Label(
        _(
            "With these kill cards, the AVISO range of %(name)s, %(range)s, can’t have come "
            "up this many times."
        ),
        _(
            "With these flower cards, the AVISO range of %(name)s, %(range)s, can’t have "
            "come up this many times."
        ),
    ),
    Label(
        _("%(name)s was injured by bull %(bull)s and is out, so %(starter)s starts here."),
        _("%(name)s had to leave the ring because of bull %(bull)s, so %(starter)s starts here."),
    ),
    Label(
        _("Enter the order in which the matadors were injured."),
        _("Enter the order in which the matadors had to leave the ring."),
    ),
    Label(
        _("Only the matador in the ring can be injured, in this case %(name)s."),
        _("Only the matador in the ring can leave it, in this case %(name)s."),
    ),
    Label(
        _("Under these rules, no card in this deck can injure anyone."),
        _("Under these rules, no card in this deck can send anyone out of the ring."),
    ),
    Label(
        _("%s is injured and can’t appear on that day."),
        _("%s had to leave the ring in an earlier corrida and can’t appear on that day."),
    ),
    Label(_("a matador is injured"), _("a matador has to leave the ring")),
    Label(_("a bull is spared"), _("a bull goes home for good")),
    Label(
        _("The horns had the last word: too many days in the infirmary."),
        _("The horns had the last word: too many days out."),
    ),
)

PLACE: Final = re.compile(r"%(?:\((\w+)\))?s")


def retold(text: str, *, bloodless: bool) -> str:
    """Return a message in the wording of the page. Text that is not in the table stays as it is."""
    if bloodless:
        for usual, other in _by_language(get_language() or "en").items():
            text = usual.sub(other, text)
    return text


@cache
def _by_language(language: str) -> Mapping[re.Pattern[str], str]:
    """Return patterns and replacements, longest first because they contain shorter ones."""
    told = sorted(((str(one.usual), str(one.bloodless)) for one in SAYINGS), key=_length)
    return {_pattern(usual): _filled(other) for usual, other in told}


def _length(pair: tuple[str, str]) -> int:
    return -len(pair[0])


def _pattern(usual: str) -> re.Pattern[str]:
    parts = PLACE.split(usual)
    texts, names = map(re.escape, parts[::2]), parts[1::2]
    places = [f"(?P<{name or 'value'}>.+?)" for name in names]
    joined = "".join(part for pair in zip(texts, [*places, ""], strict=True) for part in pair)
    return re.compile(rf"(?<!\w){joined}(?!\w)")


def _filled(other: str) -> str:
    return PLACE.sub(lambda place: rf"\g<{place[1] or 'value'}>", other.replace("\\", r"\\"))
