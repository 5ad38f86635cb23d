"""What is wrong with a board, in a sentence that names the line and the ruling."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from eltoro.engine import DataError

SENTENCES: Final[Mapping[str, str]] = {
    "columns": gettext_noop("The first line must contain these column names: %(wanted)s."),
    "cells": gettext_noop("There are more cells than columns."),
    "empty_file": gettext_noop("There are no rows below the column names."),
    "key": gettext_noop(
        "“%(key)s” is not a valid key. Use only lower-case letters, digits and hyphens."
    ),
    "key_twice": gettext_noop("Two spaces have the key “%(key)s”."),
    "number": gettext_noop("“%(value)s” is not a whole number (%(column)s)."),
    "row": gettext_noop("Rows must be numbered from 0 without gaps. Check row %(row)s."),
    "starts": gettext_noop("Row 0 must contain the starts 2, 3, 4, 5 and 6, in this order."),
    "ends": gettext_noop("The last row must contain d1, d2, d3, d4 and d5, in this order."),
    "rows": gettext_noop(
        "A board must have at least one row of starts and one row of destinations."
    ),
    "spaces": gettext_noop("A board can have at most %(most)s spaces."),
    "way": gettext_noop(
        "A fork must have one even and one odd path; any other space must have a single path."
    ),
    "no_way": gettext_noop("No path leads on from “%(space)s”."),
    "way_from_end": gettext_noop("A destination can’t have a path leading on from it."),
    "same_ways": gettext_noop(
        "The even and odd paths lead to the same space, but a fork must lead to two "
        "different spaces."
    ),
    "way_to": gettext_noop("A path leads to the space “%(space)s”, which does not exist."),
    "way_rows": gettext_noop("“%(space)s” is not in the next row down: a path can’t skip a row."),
    "unreachable": gettext_noop("No path leads to “%(space)s”."),
}
"""The sentences for a board's mistakes, by the engine's code."""


def data_refusal(error: DataError) -> str:
    """Line, what is wrong there, and the ruling, in the language of who reads."""
    sentence = _(SENTENCES[error.code]) % error.params if error.code in SENTENCES else ""
    told = {"line": error.line, "sentence": sentence or error.sentence, "ruling": error.ruling}
    if error.line:
        return _("Line %(line)s: %(sentence)s (Ruling %(ruling)s)") % told
    return _("%(sentence)s (Ruling %(ruling)s)") % told
