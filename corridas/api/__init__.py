"""The season as programs meet it: everything its pages show, everything a director may do.

One module a resource, its serializers beside its views. All of them read through the same
queries, and `shown(at=...)`, as pages do: what the clock has not reached is told nowhere.

A refusal of `operations` is a problem document: 422 where what was asked for cannot be
(it names the member), 409 where something that stands is in the way.
"""

from __future__ import annotations

import re
from typing import Final

from django.utils.translation import gettext as _

from api.problems import Problem, as_problem
from corridas.broadcast.source import NotReplayedError
from corridas.errors import OperationError
from corridas.tabletop.schema import register_sheet_schema

__all__ = ["register_sheet_schema"]

RULING: Final = re.compile(r"Ruling ([A-Z]-\d+)")
UNREAD: Final = "urn:temporada:problem:unread"
STANDING: Final = {"", "corrida", "circuit"}
"""Members that blame what stands, not what was sent."""


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
    """409: the process is well, and asking again is of no use until the row is mended."""
    sentence = _(
        "The stored cards of this corrida can no longer be replayed, so nothing can be shown "
        "card by card. The nightly check reports this to the administrators."
    )
    return Problem(409, sentence, extra={"type": UNREAD, "title": _("Corrida cannot be replayed")})
