"""Conditions that stop a season that is being continued."""

from collections.abc import Iterable
from enum import Enum
from typing import NamedTuple


class StopOn(Enum):
    """A condition that a director can set; `value` is how it is stored and sent."""

    INJURY = "injury"
    INDULTO = "indulto"
    LEADER = "leader"
    RECORD = "record"
    # Met before a corrida, not by what happened in it.
    CARTELES = "carteles"


class StopError(ValueError):
    """An unknown stop condition."""


class Happened(NamedTuple):
    """The events of a corrida (or a whole day).

    `injuries`: injured matadors. `indultos`: bulls spared. `leader_before`, `leader_after`: the key
    of the leader of the escalafón, None without one. `records`: records of the circuit that fell.
    """

    injuries: int = 0
    indultos: int = 0
    leader_before: int | None = None
    leader_after: int | None = None
    records: int = 0

    @property
    def leader_changed(self) -> bool:
        """Whether the leader was replaced; the first leader replaces nobody."""
        return self.leader_before is not None and self.leader_before != self.leader_after


def read(text: str) -> tuple[StopOn, ...]:
    """Parse conditions of a form: `injury,leader`, in any order; empty for none.

    Raise `StopError` for an unknown one.
    """
    names = [name.strip() for name in text.split(",") if name.strip()]
    known = [condition.value for condition in StopOn]
    for name in names:
        if name not in known:
            raise StopError(f"{name!r} stops no season; there are {', '.join(known)}")
    return tuple(condition for condition in StopOn if condition.value in names)


def write(conditions: Iterable[StopOn]) -> str:
    """Return conditions in the format of `read`, each once, in the order of `StopOn`."""
    wanted = list(conditions)
    return ",".join(condition.value for condition in StopOn if condition in wanted)


def reasons(conditions: Iterable[StopOn], happened: Happened) -> tuple[StopOn, ...]:
    """Return the conditions that are met; the season continues without any."""
    return tuple(condition for condition in conditions if is_met(condition, happened))


def is_met(condition: StopOn, happened: Happened) -> bool:
    met = {
        StopOn.INJURY: happened.injuries > 0,
        StopOn.INDULTO: happened.indultos > 0,
        StopOn.LEADER: happened.leader_changed,
        StopOn.RECORD: happened.records > 0,
        StopOn.CARTELES: False,
    }
    return met[condition]
