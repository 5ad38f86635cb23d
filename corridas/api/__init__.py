"""REST API of circuits and seasons: everything that pages show and that a director may do.

There is one module per resource, with its serializers beside its views. Queries are those of the
pages, with the same `shown(at=...)`, so the API reveals no result before its broadcast. An
`OperationError` becomes a problem document: 422 for invalid input (with the name of the field), 409
if the current state does not allow the operation.
"""

from __future__ import annotations

import re
from typing import Final

from django.utils.translation import gettext as _

from api.problems import Problem, as_problem
from corridas.api.tabletop.schema import register_sheet_schema
from corridas.broadcast.source import NotReplayedError
from corridas.errors import OperationError

__all__ = ["register_sheet_schema"]

RULING: Final = re.compile(r"Ruling ([A-Z]-\d+)")
UNREAD: Final = "urn:temporada:problem:unread"
# Field names of errors that are about the current state, not about the input. These errors have the
# status 409.
STANDING: Final = {"", "corrida", "circuit"}


@as_problem.register
def _refused(error: OperationError) -> Problem | None:
    ruling = RULING.search(str(error))
    return Problem(
        409 if error.field in STANDING else 422,
        str(error),
        field=error.field,
        ruling=ruling[1] if ruling else "",
    )


@as_problem.register
def _not_replayed(error: NotReplayedError) -> Problem | None:
    # The status is not 500, because the server works. A repeated request fails until the row is
    # repaired.
    sentence = _(
        "The stored cards of this corrida can no longer be replayed, so nothing can be shown "
        "card by card. The nightly check reports this to the administrators."
    )
    return Problem(409, sentence, extra={"type": UNREAD, "title": _("Corrida cannot be replayed")})
