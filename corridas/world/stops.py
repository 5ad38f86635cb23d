"""Conditions on which the automatic simulation of a season stops."""

from collections.abc import Iterable
from enum import Enum
from typing import NamedTuple


class StopOn(Enum):
    """A stop condition that a director can choose. The values are stored and used in the API."""

    INJURY = "injury"
    INDULTO = "indulto"
    LEADER = "leader"
    RECORD = "record"
    # Checked before a corrida: open carteles would be contracted.
    CARTELES = "carteles"


class StopError(ValueError):
    """An unknown stop condition."""


class Happened(NamedTuple):
    """What happened in a corrida, or on a day, as input for the stop conditions.

    `injuries`: number of injured matadors. `indultos`: number of spared bulls. `leader_before` and
    `leader_after`: key of the matador who leads the ranking, None if there is none. `records`:
    number of broken circuit records.
    """

    injuries: int = 0
    indultos: int = 0
    leader_before: int | None = None
    leader_after: int | None = None
    records: int = 0

    @property
    def leader_changed(self) -> bool:
        """Whether the leader was replaced. The first leader of a season does not count."""
        return self.leader_before is not None and self.leader_before != self.leader_after


def read(text: str) -> tuple[StopOn, ...]:
    """Parse stop conditions such as `injury,leader`, in any order.

    An empty text gives an empty tuple. Raises `StopError` for an unknown condition.
    """
    names = [name.strip() for name in text.split(",") if name.strip()]
    known = [condition.value for condition in StopOn]
    for name in names:
        if name not in known:
            raise StopError(f"{name!r} stops no season; there are {', '.join(known)}")
    return tuple(condition for condition in StopOn if condition.value in names)


def write(conditions: Iterable[StopOn]) -> str:
    """Return conditions as text that `read` can parse, without duplicates, in the order of
    `StopOn`.
    """
    wanted = list(conditions)
    return ",".join(condition.value for condition in StopOn if condition in wanted)


def reasons(conditions: Iterable[StopOn], happened: Happened) -> tuple[StopOn, ...]:
    """Return the conditions that are met. If there are none, the season continues."""
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
