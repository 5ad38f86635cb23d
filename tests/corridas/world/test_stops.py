"""Stop conditions of a run that plays a season."""

from typing import cast

import pytest

from corridas.labels import STOPS
from corridas.world import gates
from corridas.world.stops import Happened, StopError, StopOn, read, reasons, write

QUIET = Happened(leader_before=3, leader_after=3)
ALL = tuple(StopOn)
# Events of a corrida for which a run may stop. Matadors are hired before a corrida.
HAPPENINGS = (StopOn.INJURY, StopOn.INDULTO, StopOn.LEADER, StopOn.RECORD)


@pytest.mark.parametrize(
    ("happened", "met"),
    [
        (QUIET, ()),
        (Happened(), ()),
        (QUIET._replace(injuries=1), (StopOn.INJURY,)),
        (QUIET._replace(indultos=2), (StopOn.INDULTO,)),
        (QUIET._replace(leader_after=4), (StopOn.LEADER,)),
        (Happened(leader_before=None, leader_after=4), ()),
        (QUIET._replace(records=1), (StopOn.RECORD,)),
        (QUIET._replace(injuries=2, indultos=1, leader_after=9, records=3), HAPPENINGS),
    ],
)
def test_stop_conditions_met_by_each_event(happened: Happened, met: tuple[StopOn, ...]) -> None:
    assert reasons(ALL, happened) == met
    assert reasons((), happened) == ()
    for condition in ALL:
        assert bool(reasons((condition,), happened)) == (condition in met)


def test_unknown_stop_condition_raises_key_error() -> None:
    with pytest.raises(KeyError):
        reasons([cast("StopOn", "rain")], Happened(leader_before=3, leader_after=4))


def test_every_stop_condition_has_a_label() -> None:
    # The gates of reserved corridas are no condition that somebody chooses.
    assert list(STOPS) == [*(condition.value for condition in StopOn), gates.REASON]


@pytest.mark.parametrize(
    ("text", "conditions"),
    [
        ("", ()),
        (" , ", ()),
        ("injury", (StopOn.INJURY,)),
        ("leader, injury", (StopOn.INJURY, StopOn.LEADER)),
        ("indulto,indulto", (StopOn.INDULTO,)),
        ("injury,indulto,leader,record,carteles", ALL),
    ],
)
def test_stop_conditions_are_read_from_text_and_written_back(
    text: str, conditions: tuple[StopOn, ...]
) -> None:
    assert read(text) == conditions
    assert read(write(conditions)) == conditions


@pytest.mark.parametrize("text", ["rain", "injury,rain", "Injury"])
def test_unknown_stop_conditions_in_text_are_rejected(text: str) -> None:
    with pytest.raises(StopError, match="there are injury, indulto, leader, record"):
        read(text)
