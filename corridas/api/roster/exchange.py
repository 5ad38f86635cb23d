"""Export, preview and import of roster files, for the director of a circuit and administrators."""

from __future__ import annotations

import base64
import binascii
from functools import cached_property
from typing import Final

from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field, extend_schema_view
from rest_framework import serializers
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from api.parsing import BoundedFileParser
from api.problems import Problem
from api.throttling import FILE_THROTTLES
from api.types import JSONObject
from api.views import DetailView, idempotent
from core.spreadsheets.limits import Limits
from corridas.api.mixins import OfCircuit, signed_in_user
from corridas.api.schema import op
from corridas.errors import OperationError
from corridas.models import Circuit
from corridas.roster.exchange import commit, export, preview
from corridas.roster.exchange.export import Form
from corridas.roster.exchange.preview import Moved
from corridas.roster.exchange.preview import Preview as Look
from corridas.roster.files import TABLES, Fault, RowVerdict, Step, limits

# Maximum number of characters of a file in Base64, and of a request body that contains it.
MAX_LENGTH: Final = 6_000_000


@extend_schema_field(
    {"type": "string", "contentEncoding": "base64", "minLength": 1, "maxLength": MAX_LENGTH}
)
class Base64Field(serializers.CharField):
    """A serializer field for the bytes of a file, encoded in Base64."""


class TogetherTold(serializers.Serializer[commit.Together]):
    """The last import. Its `batch` is the key with which it can be undone."""

    batch = serializers.CharField()
    rows = serializers.IntegerField()
    at = serializers.DateTimeField()
    by = serializers.CharField(allow_blank=True)


class LimitsTold(serializers.Serializer[Limits]):
    """The maximum size of a roster file."""

    file_bytes = serializers.IntegerField()
    unpacked_bytes = serializers.IntegerField()
    rows = serializers.IntegerField(help_text="Of a table.")
    columns = serializers.IntegerField()
    letters = serializers.IntegerField(help_text="Of a cell.")


class RosterTold(serializers.Serializer[JSONObject]):
    """The formats in which a roster can be exported, and the last import."""

    tables = serializers.ListField(child=serializers.CharField())
    forms = serializers.ListField(child=serializers.CharField())
    limits = LimitsTold()
    last = TogetherTold(allow_null=True)


class FileAsked(serializers.Serializer[JSONObject]):
    """The part of a roster to export, and the format.

    A CSV file (csv) has one table, a workbook (xlsx) one table or all, and a bundle (zip) all.
    """

    form = serializers.ChoiceField(choices=list(Form), required=False)
    table = serializers.ChoiceField(choices=list(TABLES), required=False)


class RosterFile(serializers.Serializer[JSONObject]):
    """A roster file with its name, media type and content."""

    name = serializers.CharField()
    type = serializers.CharField()
    content = Base64Field()


class FileSent(serializers.Serializer[JSONObject]):
    """A roster file to preview.

    The name of a CSV file must end with its table, as in `…-matadors.csv`.
    """

    name = serializers.CharField(max_length=200, trim_whitespace=False)
    content = Base64Field(max_length=MAX_LENGTH, trim_whitespace=False)
    archive = serializers.BooleanField(
        default=False, help_text="What a table of the file lacks goes into the archive."
    )


class ColumnChange(serializers.Serializer[JSONObject]):
    """A column of a row, before and after the import."""

    column = serializers.CharField()
    before = serializers.CharField(allow_blank=True)
    after = serializers.CharField(allow_blank=True)


class StepTold(serializers.Serializer[JSONObject]):
    """The effect of an import on one row.

    `line` is null for a row that the file does not contain.
    """

    table = serializers.CharField()
    sheet = serializers.CharField(allow_blank=True)
    line = serializers.IntegerField(allow_null=True)
    name = serializers.CharField(allow_blank=True)
    verdict = serializers.ChoiceField(choices=list(RowVerdict))
    differences = ColumnChange(
        many=True, help_text="Of a new row all columns with a value, which was empty before."
    )


class LookTold(serializers.Serializer[JSONObject]):
    """The effect of a roster file before it is imported.

    It lists the first three hundred changed rows. `token` is needed to commit the import.
    """

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
        child=serializers.CharField(), help_text="Columns only for administrators: left out."
    )
    guessed = serializers.ListField(
        child=serializers.CharField(),
        help_text="Files whose encoding was taken to be Windows-1252.",
    )


class TokenAsked(serializers.Serializer[JSONObject]):
    """The token of the preview to commit."""

    token = serializers.CharField(max_length=40, trim_whitespace=False)


class BroughtInTold(serializers.Serializer[JSONObject]):
    """The number of imported rows. Its `batch` is the key with which they can be undone."""

    batch = serializers.CharField()
    counts = serializers.DictField(child=serializers.IntegerField())


class BatchAsked(serializers.Serializer[JSONObject]):
    """The batch of changes to undo."""

    batch = serializers.CharField(max_length=40, trim_whitespace=False)


class RosterTakenBack(serializers.Serializer[JSONObject]):
    """The number of rows that were restored."""

    rows = serializers.IntegerField()


def bytes_of(text: str) -> bytes:
    """Decode a file from Base64.

    Raise `Problem` for invalid Base64 and for a file that is too large.
    """
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise Problem(422, _("This value is not encoded in Base64."), field="content") from error
    most = limits().file_bytes
    if len(data) > most:
        sentence = _("The file is larger than %(most)s MB.") % {"most": most // 2**20}
        raise Problem(413, sentence, field="content")
    return data


def preview_data(look: Look) -> JSONObject:
    """Return the data of a preview that has no faults, for the response."""
    moving = look.plan.moving
    counts = look.plan.counts().items()
    return {
        "name": look.name,
        "token": look.token or None,
        "counts": {name: {v.value: n for v, n in of.items()} for name, of in counts},
        "rows": [_step(step) for step in moving[: preview.MAX_ROWS]],
        "more": max(0, len(moving) - preview.MAX_ROWS),
        "calendar": look.plan.calendar is not None,
        "aside": list(look.plan.aside),
        "guessed": list(look.plan.guessed),
    }


def _step(step: Step) -> JSONObject:
    parts = ("column", "before", "after")
    return {
        "table": step.table,
        "sheet": step.sheet,
        "line": step.line,
        "name": step.name,
        "verdict": step.verdict.value,
        "differences": [
            {part: getattr(difference, part) for part in parts} for difference in step.details
        ],
    }


def faults_data(look: Look) -> JSONObject:
    errors = [_fault(fault) for fault in look.faults]
    return {"errors": errors, "untold": look.unlisted, "unchecked": look.unread}


def _fault(fault: Fault) -> dict[str, str]:
    line = "" if fault.line is None else str(fault.line)
    place = {"sheet": fault.sheet, "line": line, "column": fault.column, "value": fault.value}
    return {"pointer": "/content", "detail": fault.said} | {k: v for k, v in place.items() if v}


FORMS: Final = {
    Form.CSV: "text/csv; charset=utf-8",
    Form.XLSX: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    Form.BUNDLE: "application/zip",
}


class RosterView(OfCircuit):
    """Base class of views of a circuit's roster, for its director and administrators."""

    queryset = Circuit.objects.none()

    @cached_property
    def kept(self) -> Circuit:
        """Return the circuit whose roster the user may edit.

        Raise `Http404`, `NotAuthenticated` or `PermissionDenied` otherwise.
        """
        circuit = self.circuit
        if self.person is None:
            raise NotAuthenticated(_("Sign in or send an API key."))
        preview.check_may_exchange(self.person, circuit)
        return circuit


@extend_schema_view(get=op("rosters_read", RosterTold, problems=(403,)))
class Roster(RosterView, DetailView):
    """The roster of a circuit as files.

    POST commits the import of a preview, all of it or nothing.
    """

    serializer_class = RosterTold
    throttle_classes = FILE_THROTTLES

    def get_object(self) -> Circuit:
        return self.kept

    def represent(self, row: Circuit) -> JSONObject:
        """Return the available formats, the limits and the last import."""
        representation = {"tables": list(TABLES), "forms": list(Form), "limits": limits()}
        return RosterTold(representation | {"last": commit.last_import(row)}).data

    @op("rosters_bring_in", BroughtInTold)
    @idempotent(TokenAsked)
    def post(self, request: Request, *args: str, **kwargs: str | int) -> Response:
        """Commit the import of a preview.

        If the roster has changed since the preview, the response 409 contains the present effect of
        the file.
        """
        circuit, token = self.kept, self.read(request)["token"]
        try:
            done = commit.commit_import(
                circuit=circuit, token=token, by=signed_in_user(self), at=timezone.now()
            )
        except Moved as error:
            if error.look.wrong:
                raise Problem(409, str(error), extra=faults_data(error.look)) from error
            extra = {"look": preview_data(error.look)}
            raise Problem(409, str(error), field="token", extra=extra) from error
        except OperationError as error:
            raise Problem(409, str(error), field="token" if error.field else "") from error
        counts = {verdict.value: number for verdict, number in done.counts.items()}
        return Response({"batch": done.batch, "counts": counts})


@extend_schema_view(get=op("rosters_file", RosterFile, problems=(403, 422)))
class File(RosterView, DetailView):
    """The roster of a circuit as a file in Base64.

    Without parameters this is the whole roster as a bundle.
    """

    serializer_class = RosterFile
    query_serializer_class = FileAsked

    def get_object(self) -> Circuit:
        return self.kept

    def represent(self, row: Circuit) -> JSONObject:
        """Return the file. Raise `Problem` if the format cannot contain the requested table."""
        query = self.read_query(self.request)
        form, table = Form(query.get("form", Form.BUNDLE)), query.get("table", "")
        if form is Form.CSV and not table:
            raise Problem(
                422, _("A CSV file contains a single table. Choose the table."), field="table"
            )
        if form is Form.BUNDLE and table:
            raise Problem(
                422, _("A bundle contains all tables, so don’t choose a table."), field="table"
            )
        body = export.export_roster(circuit=row, by=signed_in_user(self), form=form, table=table)
        name = export.file_name(row, form, table)
        return {"name": name, "type": FORMS[form], "content": base64.b64encode(body).decode()}


class Preview(RosterView):
    """Shows what a file would change in the roster of a circuit, without changing anything.

    The response 422 lists every fault with sheet, line, column and value.
    """

    parser_classes = [BoundedFileParser]
    throttle_classes = FILE_THROTTLES
    look: Look

    def prepare(self, request: Request) -> None:
        """Read the file and compare it with the roster before the transaction begins."""
        circuit, sent = self.kept, self.read(request)
        data = bytes_of(sent.pop("content"))
        self.look = preview.preview_import(
            circuit=circuit, data=data, by=signed_in_user(self), **sent
        )

    @op("rosters_look", LookTold)
    @idempotent(FileSent)
    def post(self, request: Request, *args: str, **kwargs: str | int) -> Response:
        """Return what the file would change in the roster."""
        look = self.look
        if look.wrong:
            raise Problem(422, _("Nothing in this file can be imported."), extra=faults_data(look))
        return Response(preview_data(look))


class Back(RosterView):
    """Undoes the last import or other batch of changes in a roster."""

    @op("rosters_take_back", RosterTakenBack)
    @idempotent(BatchAsked)
    def post(self, request: Request, *args: str, **kwargs: str | int) -> Response:
        """Undo a batch of changes.

        This fails if other rows depend on the changed rows.
        """
        circuit, batch = self.kept, self.read(request)["batch"]
        rows = commit.undo_import(
            circuit=circuit, batch=batch, by=signed_in_user(self), at=timezone.now()
        )
        return Response({"rows": rows})
