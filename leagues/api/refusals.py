"""What operations refuse, as problem documents: 403 for who asked, 409 for how things stand,
422 for what rules or referee object to.
"""

from __future__ import annotations

from typing import Any

from api.problems import Problem, as_problem
from leagues.games import MoveRefused, Objection, RulesRefused
from leagues.operations.errors import NotAllowed, OperationError, SheetRefused
from leagues.operations.tables import IllegalMove


@as_problem.register
def _refused(error: OperationError) -> Problem | None:
    return Problem(409, str(error), field=error.field)


@as_problem.register
def _not_allowed(error: NotAllowed) -> Problem | None:
    return Problem(403, str(error), field=error.field)


@as_problem.register
def _illegal(error: IllegalMove) -> Problem | None:
    return Problem(422, str(error), field=error.field, ruling=error.ruling)


@as_problem.register
def _against_the_rules(error: MoveRefused) -> Problem | None:
    return Problem(422, str(error), field="move", ruling=error.ruling)


@as_problem.register
def _no_rules(error: RulesRefused) -> Problem | None:
    return Problem(422, str(error), field=error.field)


@as_problem.register
def _objected(error: SheetRefused) -> Problem | None:
    """Every objection of the referee, with the place on the sheet and the ruling."""
    objections = [blame(one) for one in error.judgement.objections]
    told: dict[str, Any] = {"errors": objections[:200]} if objections else {}
    return Problem(422, str(error), field=error.field, extra=told)


def blame(objection: Objection) -> dict[str, str]:
    """An objection of the referee as problem documents name what is to blame."""
    at = f"/content/{objection.path}" if objection.path else "/content"
    told = {"pointer": at, "detail": str(objection.sentence)}
    return told | ({"ruling": objection.ruling} if objection.ruling else {})
