"""REST API of the seasons: everything the pages show and a director may do.

One module per resource, with its serializers beside its views. They use the same queries as the
pages, and the same `shown(at=...)`: the API shows nothing before its broadcast.

An `OperationError` becomes a problem document: 422 where the input is invalid (with the name of the
member), 409 where the current state is in the way.
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
# Members that point at the current state, not at the input.
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
    # Not 500: the process is healthy, but a repeated request fails until the row is fixed.
    sentence = _(
        "The stored cards of this corrida can no longer be replayed, so nothing can be shown "
        "card by card. The nightly check reports this to the administrators."
    )
    return Problem(409, sentence, extra={"type": UNREAD, "title": _("Corrida cannot be replayed")})
