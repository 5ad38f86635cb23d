"""What is wrong with a board, in a sentence that names the line and the ruling."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from eltoro.engine import DataError

SENTENCES: Final[Mapping[str, str]] = {
    "columns": gettext_noop("The first line names the columns: %(wanted)s."),
    "cells": gettext_noop("There are more cells than columns."),
    "empty_file": gettext_noop("There is nothing below the names of the columns."),
    "key": gettext_noop("“%(key)s” is no key: small letters, digits and hyphens."),
    "key_twice": gettext_noop("There are two spaces “%(key)s”."),
    "number": gettext_noop("“%(value)s” is no whole number (%(column)s)."),
    "row": gettext_noop("Rows are numbered from 0, and none is left out: look at %(row)s."),
    "starts": gettext_noop("Row 0 holds the starts 2, 3, 4, 5 and 6, in this order."),
    "ends": gettext_noop("The last row holds d1, d2, d3, d4 and d5, in this order."),
    "rows": gettext_noop("A board has a row of starts and a row of destinations at least."),
    "spaces": gettext_noop("A board has %(most)s spaces at most."),
    "way": gettext_noop("A fork has one even and one odd way; any other space has one way."),
    "no_way": gettext_noop("No way leads on from “%(space)s”."),
    "way_from_end": gettext_noop("No way leads on from a destination."),
    "same_ways": gettext_noop("Even and odd lead to the same space: a fork leads to two."),
    "way_to": gettext_noop("There is no space “%(space)s” to go to."),
    "way_rows": gettext_noop("“%(space)s” is not one row further down: no path skips a row."),
    "unreachable": gettext_noop("No way leads to “%(space)s”."),
}
"""The sentences for a board's mistakes, by the engine's code."""


def data_refusal(error: DataError) -> str:
    """Line, what is wrong there, and the ruling, in the language of who reads."""
    sentence = _(SENTENCES[error.code]) % error.params if error.code in SENTENCES else ""
    told = {"line": error.line, "sentence": sentence or error.sentence, "ruling": error.ruling}
    if error.line:
        return _("Line %(line)s: %(sentence)s (Ruling %(ruling)s)") % told
    return _("%(sentence)s (Ruling %(ruling)s)") % told
