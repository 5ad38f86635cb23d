"""Files of rosters as programs send and get them: what they hold, would do, and lack."""

from __future__ import annotations

import base64
import binascii
from typing import Any, Final

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.problems import Problem
from corridas.exchange import TABLES, Fault, Step, Verdict, limits
from corridas.operations.exchange import Form, Look

ROWS_TOLD: Final = 300
"""Rows of a preview; what is unchanged is counted alone."""
LONGEST: Final = 6_000_000
"""Signs of a file in Base64; a body of that has some room beside it."""


@extend_schema_field(
    {"type": "string", "contentEncoding": "base64", "minLength": 1, "maxLength": LONGEST}
)
class Base64Field(serializers.CharField):
    """Bytes of a file."""


class TogetherTold(serializers.Serializer[Any]):
    """Rows that were changed together last; `batch` takes them back."""

    batch = serializers.CharField()
    rows = serializers.IntegerField()
    at = serializers.DateTimeField()
    by = serializers.CharField(allow_blank=True)


class LimitsTold(serializers.Serializer[Any]):
    """How much a file may hold."""

    file_bytes = serializers.IntegerField()
    unpacked_bytes = serializers.IntegerField()
    rows = serializers.IntegerField(help_text="Of a table.")
    columns = serializers.IntegerField()
    letters = serializers.IntegerField(help_text="Of a cell.")


class RosterTold(serializers.Serializer[Any]):
    """What a roster can be taken out as, and what was brought in last."""

    tables = serializers.ListField(child=serializers.CharField())
    forms = serializers.ListField(child=serializers.CharField())
    limits = LimitsTold()
    last = TogetherTold(allow_null=True)


class FileAsked(serializers.Serializer[Any]):
    """Which file: a table as CSV, a table or all as a workbook (xlsx), all as a bundle (zip)."""

    form = serializers.ChoiceField(choices=list(Form), required=False)
    table = serializers.ChoiceField(choices=list(TABLES), required=False)


class RosterFile(serializers.Serializer[Any]):
    """A file."""

    name = serializers.CharField()
    type = serializers.CharField()
    content = Base64Field()


class FileSent(serializers.Serializer[Any]):
    """A file to be looked at; its name tells which table a CSV is of (`…-matadors.csv`)."""

    name = serializers.CharField(max_length=200, trim_whitespace=False)
    content = Base64Field(max_length=LONGEST, trim_whitespace=False)
    archive = serializers.BooleanField(
        default=False, help_text="What a table of the file lacks goes into the archive."
    )


class ColumnChange(serializers.Serializer[Any]):
    """A column that changes."""

    column = serializers.CharField()
    before = serializers.CharField(allow_blank=True)
    after = serializers.CharField(allow_blank=True)


class StepTold(serializers.Serializer[Any]):
    """What becomes of one row; `line` null for one that is missing from the file."""

    table = serializers.CharField()
    sheet = serializers.CharField(allow_blank=True)
    line = serializers.IntegerField(allow_null=True)
    name = serializers.CharField(allow_blank=True)
    verdict = serializers.ChoiceField(choices=list(Verdict))
    differences = ColumnChange(many=True)


class LookTold(serializers.Serializer[Any]):
    """What a file would do, the first three hundred rows of it; with the token it is done."""

    name = serializers.CharField(allow_blank=True)
    token = serializers.CharField(
        allow_null=True, help_text="For an hour; null where nothing would change."
    )
    counts = serializers.DictField(
        child=serializers.DictField(child=serializers.IntegerField()),
        help_text="By table, how many rows are new, changed, printing, archived, same.",
    )
    rows = StepTold(many=True)
    more = serializers.IntegerField(help_text="Rows beyond those told.")
    calendar = serializers.BooleanField(help_text="Whether the calendar would be another.")
    aside = serializers.ListField(
        child=serializers.CharField(), help_text="Columns that the office keeps: left out."
    )
    guessed = serializers.ListField(
        child=serializers.CharField(), help_text="Files whose letters were guessed to be Latin."
    )


class TokenAsked(serializers.Serializer[Any]):
    """Of the look whose rows are to be brought in."""

    token = serializers.CharField(max_length=40, trim_whitespace=False)


class BroughtInTold(serializers.Serializer[Any]):
    """What was done; `batch` takes it back."""

    batch = serializers.CharField()
    counts = serializers.DictField(child=serializers.IntegerField())


class BatchAsked(serializers.Serializer[Any]):
    """Of what was changed together."""

    batch = serializers.CharField(max_length=40, trim_whitespace=False)


class RosterTakenBack(serializers.Serializer[Any]):
    """How many rows are as they were."""

    rows = serializers.IntegerField()


def bytes_of(text: str) -> bytes:
    """The file. Raises Problem for what is no Base64, and for more than a file may hold."""
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise Problem(422, _("This is not Base64."), field="content") from error
    most = limits().file_bytes
    if len(data) > most:
        sentence = _("The file is larger than %(most)s MB.") % {"most": most // 2**20}
        raise Problem(413, sentence, field="content")
    return data


def look_told(look: Look) -> dict[str, Any]:
    """A look at a file in which nothing is wrong."""
    moving = look.plan.moving
    counts = look.plan.counts().items()
    return {
        "name": look.name,
        "token": look.token or None,
        "counts": {name: {v.value: n for v, n in of.items()} for name, of in counts},
        "rows": [_step(step) for step in moving[:ROWS_TOLD]],
        "more": max(0, len(moving) - ROWS_TOLD),
        "calendar": look.plan.calendar is not None,
        "aside": list(look.plan.aside),
        "guessed": list(look.plan.guessed),
    }


def _step(step: Step) -> dict[str, Any]:
    parts = ("column", "before", "after")
    return {
        "table": step.table,
        "sheet": step.sheet,
        "line": step.line,
        "name": step.name,
        "verdict": step.verdict.value,
        "differences": [{part: getattr(one, part) for part in parts} for one in step.differences],
    }


def blamed(look: Look) -> dict[str, Any]:
    """Every fault that is told, and how many are not."""
    return {"errors": [_fault(one) for one in look.faults], "untold": look.untold}


def _fault(fault: Fault) -> dict[str, str]:
    line = "" if fault.line is None else str(fault.line)
    place = {"sheet": fault.sheet, "line": line, "column": fault.column, "value": fault.value}
    return {"pointer": "/content", "detail": fault.said} | {k: v for k, v in place.items() if v}
