"""Rosters as files: out, looked at row by row, in, and back; for who keeps the roster."""

from __future__ import annotations

import base64
from functools import cached_property
from typing import Any, Final

from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from api.parsing import BoundedFile
from api.problems import Problem
from api.throttling import CHECKING
from api.views import Act, Detail
from corridas.api.acting import POST, READ_AND_POST
from corridas.api.described import Operation, described
from corridas.api.rosterfiles import (
    BatchAsked,
    BroughtInTold,
    FileAsked,
    FileSent,
    LookTold,
    RosterFile,
    RosterTakenBack,
    RosterTold,
    TokenAsked,
    blamed,
    bytes_of,
    look_told,
)
from corridas.api.seen import OfCircuit, who
from corridas.exchange import TABLES, limits
from corridas.models import Circuit
from corridas.operations import OperationError, exchange
from corridas.operations.exchange import Form, Look, Moved

FORMS: Final = {
    Form.CSV: "text/csv; charset=utf-8",
    Form.XLSX: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    Form.BUNDLE: "application/zip",
}


class Kept(OfCircuit):
    """A circuit's roster, for who keeps it: its director, or the office."""

    queryset = Circuit.objects.none()

    @cached_property
    def kept(self) -> Circuit:
        """The circuit. Raises Http404, NotAuthenticated, PermissionDenied."""
        circuit = self.circuit
        if self.person is None:
            raise NotAuthenticated(_("Sign in or send an API key."))
        exchange.check_may_exchange(self.person, circuit)
        return circuit


@described(
    get=Operation("rosters_read", RosterTold, problems=(403,)),
    post=Operation("rosters_bring_in", BroughtInTold),
)
class Roster(Kept, Act, Detail):
    """A roster as files; a POST does what a look showed, all of it or nothing."""

    http_method_names = READ_AND_POST
    serializer_class = RosterTold
    throttle_classes = CHECKING
    asks_for = TokenAsked

    def get_object(self) -> Circuit:
        """The circuit."""
        return self.kept

    def represent(self, row: Circuit) -> Any:
        """What there is."""
        told = {"tables": list(TABLES), "forms": list(Form), "limits": limits()}
        return RosterTold(told | {"last": exchange.last_together(row)}).data

    def act(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Bring it in; where the roster has changed since, 409 shows what would be done now."""
        circuit, token = self.kept, self.read(request)["token"]
        try:
            done = exchange.bring_in(circuit=circuit, token=token, by=who(self), at=timezone.now())
        except Moved as error:
            raise _moved(error) from error
        except OperationError as error:
            raise Problem(409, str(error), field="token" if error.field else "") from error
        counts = {verdict.value: number for verdict, number in done.counts.items()}
        return Response({"batch": done.batch, "counts": counts})


def _moved(error: Moved) -> Problem:
    if error.look.wrong:
        return Problem(409, str(error), extra=blamed(error.look))
    return Problem(409, str(error), field="token", extra={"look": look_told(error.look)})


@described(get=Operation("rosters_file", RosterFile, problems=(403, 422)))
class File(Kept, Detail):
    """A roster as a file, its bytes in Base64; all of it as a bundle where nothing is asked."""

    serializer_class = RosterFile
    questions = FileAsked

    def get_object(self) -> Circuit:
        """The circuit."""
        return self.kept

    def represent(self, row: Circuit) -> Any:
        """The file. Raises Problem where the form cannot hold that."""
        asked = self.asked(self.request)
        form, table = Form(asked.get("form", Form.BUNDLE)), asked.get("table", "")
        if form is Form.CSV and not table:
            raise Problem(
                422, _("A CSV file contains a single table. Choose which one."), field="table"
            )
        if form is Form.BUNDLE and table:
            raise Problem(422, _("A bundle contains all tables."), field="table")
        body = exchange.export_roster(circuit=row, by=who(self), form=form, table=table)
        name = exchange.file_name(row, form, table)
        return {"name": name, "type": FORMS[form], "content": base64.b64encode(body).decode()}


@described(post=Operation("rosters_look", LookTold))
class Preview(Kept, Act):
    """What a file would do to a roster, row by row; nothing of the roster is changed.

    422 names every fault with sheet, line, column and value.
    """

    http_method_names = POST
    parser_classes = [BoundedFile]
    throttle_classes = CHECKING
    asks_for = FileSent
    look: Look

    def prepare(self, request: Request) -> None:
        """Look at it: a look writes nothing, and the file is read meanwhile."""
        circuit, sent = self.kept, self.read(request)
        data = bytes_of(sent.pop("content"))
        self.look = exchange.look_at(circuit=circuit, data=data, by=who(self), **sent)

    def act(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Tell of it."""
        look = self.look
        if look.wrong:
            raise Problem(422, _("Nothing in this file can be imported."), extra=blamed(look))
        return Response(look_told(look))


@described(post=Operation("rosters_take_back", RosterTakenBack))
class Back(Kept, Act):
    """Undo what was changed together last."""

    http_method_names = POST
    asks_for = BatchAsked

    def act(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """As long as nothing rests on it."""
        circuit, batch = self.kept, self.read(request)["batch"]
        rows = exchange.take_back(circuit=circuit, batch=batch, by=who(self), at=timezone.now())
        return Response({"rows": rows})
