"""What may stop a season that is being run on, short of its end."""

from collections.abc import Iterable
from enum import Enum
from typing import NamedTuple


class StopOn(Enum):
    """A condition a director can set; `value` is how it is stored and sent."""

    INJURY = "injury"
    INDULTO = "indulto"
    LEADER = "leader"


class StopError(ValueError):
    """A stop condition that does not exist."""


class Happened(NamedTuple):
    """What a corrida (or a whole day) brought.

    `injuries`: matadors who could not go on; `indultos`: bulls spared; `leader_before`,
    `leader_after`: who heads the escalafón, by whatever key; None while nobody does.
    """

    injuries: int = 0
    indultos: int = 0
    leader_before: int | None = None
    leader_after: int | None = None

    @property
    def leader_changed(self) -> bool:
        """Whether somebody took the lead from another; the first leader took it from nobody."""
        return self.leader_before is not None and self.leader_before != self.leader_after


def read(text: str) -> tuple[StopOn, ...]:
    """Conditions as written in a form: `injury,leader`, in any order; none is the empty text.

    Raises `StopError` for an unknown one.
    """
    names = [name.strip() for name in text.split(",") if name.strip()]
    known = [condition.value for condition in StopOn]
    for name in names:
        if name not in known:
            raise StopError(f"{name!r} stops no season; there are {', '.join(known)}")
    return tuple(condition for condition in StopOn if condition.value in names)


def write(conditions: Iterable[StopOn]) -> str:
    """Conditions as `read` reads them, each once, in the order of `StopOn`."""
    wanted = list(conditions)
    return ",".join(condition.value for condition in StopOn if condition in wanted)


def reasons(conditions: Iterable[StopOn], happened: Happened) -> tuple[StopOn, ...]:
    """Which of the conditions are met; the season goes on where none is."""
    return tuple(condition for condition in conditions if is_met(condition, happened))


def is_met(condition: StopOn, happened: Happened) -> bool:
    """Whether what happened meets one condition."""
    if condition is StopOn.INJURY:
        return happened.injuries > 0
    if condition is StopOn.INDULTO:
        return happened.indultos > 0
    return happened.leader_changed
