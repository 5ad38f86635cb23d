"""The timeline of a broadcast: each moment has a time, a number and an address (lidia, card)."""

import math
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corridas.world.broadcast import Address, BroadcastError, Position, Timeline

# The first bull has two cards, the second one. The paseíllo begins at 0 s, the bulls at 5 and 10 s,
# and the broadcast ends at 14 s.
SHORT = Timeline((2, 1), pace_ms=1000, interval_ms=3000, paseillo_ms=5000)

TIMELINES = st.builds(
    Timeline,
    st.lists(st.integers(1, 70), min_size=1, max_size=6).map(tuple),
    pace_ms=st.integers(1, 60_000),
    interval_ms=st.integers(1, 600_000),
    paseillo_ms=st.integers(1, 600_000),
)
STARTS = st.floats(0, 4e9)


def test_times_of_the_moments_of_a_short_corrida() -> None:
    assert SHORT.offsets_ms == (0, 5000, 6000, 7000, 10_000, 11_000, 14_000)
    assert SHORT.moments(100.0) == [100.0, 105.0, 106.0, 107.0, 110.0, 111.0, 114.0]
    assert SHORT.ends(100.0) == [107.0, 111.0]
    assert SHORT.ends_at(100.0) == 114.0
    assert len(SHORT) == 7


@pytest.mark.parametrize(
    ("at", "expected"),
    [
        (-60.0, Position(-1, 0, 0, 0, over=False)),
        (0.0, Position(0, 0, 0, 0, over=False)),
        (4.999, Position(0, 0, 0, 0, over=False)),
        (5.0, Position(1, 1, 0, 0, over=False)),
        (6.5, Position(2, 1, 1, 0, over=False)),
        (7.0, Position(3, 1, 2, 1, over=False)),
        (9.9, Position(3, 1, 2, 1, over=False)),
        (10.0, Position(4, 2, 0, 1, over=False)),
        (11.0, Position(5, 2, 1, 2, over=False)),
        (14.0, Position(6, 2, 1, 2, over=True)),
        (1e9, Position(6, 2, 1, 2, over=True)),
    ],
)
def test_shown_moment_depends_on_the_time(at: float, expected: Position) -> None:
    assert SHORT.shown(0.0, at) == expected


def test_addresses_of_moments_are_in_order() -> None:
    assert [tuple(SHORT.address(moment)) for moment in range(len(SHORT))] == [
        (0, 0),
        (1, 0),
        (1, 1),
        (1, 2),
        (2, 0),
        (2, 1),
        (3, 0),
    ]


@pytest.mark.slow
@given(TIMELINES, STARTS)
def test_each_moment_is_shown_from_its_time_on(timeline: Timeline, start: float) -> None:
    instants = timeline.moments(start)
    assert len(instants) == len(timeline)
    for moment, instant in enumerate(instants):
        assert timeline.shown(start, instant).moment == moment
        assert timeline.shown(start, math.nextafter(instant, -math.inf)).moment == moment - 1


@pytest.mark.slow
@given(TIMELINES, st.datetimes(datetime(2020, 1, 1), datetime(2090, 1, 1)))
def test_datetime_arithmetic_of_moments_is_exact(timeline: Timeline, naive: datetime) -> None:
    start = naive.replace(tzinfo=UTC)
    for moment in range(len(timeline)):
        due = start + timeline.offset(moment)
        assert timeline.shown_after(due - start).moment == moment
        assert timeline.shown_after(due - timedelta.resolution - start).moment == moment - 1


@given(TIMELINES)
def test_moment_numbers_and_addresses_are_inverse(timeline: Timeline) -> None:
    addresses = [timeline.address(moment) for moment in range(len(timeline))]
    assert [timeline.moment(address) for address in addresses] == list(range(len(timeline)))
    assert addresses == sorted(addresses)
    assert addresses[-1] == Address(timeline.lidias + 1, 0)


@given(TIMELINES, STARTS)
def test_lidia_is_finished_at_its_end_and_not_before(timeline: Timeline, start: float) -> None:
    for finished, instant in enumerate(timeline.ends(start), start=1):
        assert timeline.shown(start, instant).finished == finished
        assert timeline.shown(start, math.nextafter(instant, -math.inf)).finished == finished - 1


@given(TIMELINES, STARTS)
def test_broadcast_is_over_at_its_last_moment_only(timeline: Timeline, start: float) -> None:
    end = timeline.ends_at(start)
    assert end == timeline.moments(start)[-1]
    assert timeline.shown(start, end).over
    assert not timeline.shown(start, math.nextafter(end, -math.inf)).over
    assert timeline.ends(start)[-1] < end


@given(TIMELINES, STARTS, st.lists(st.floats(0, 1), min_size=2, max_size=2))
def test_shown_moment_never_goes_back(timeline: Timeline, start: float, parts: list[float]) -> None:
    early, late = sorted(start + part * timeline.length_ms / 1000 for part in parts)
    assert timeline.shown(start, early) <= timeline.shown(start, late)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"cards_per_lidia": ()}, "1 to 6 lidias"),
        ({"cards_per_lidia": (1,) * 7}, "1 to 6 lidias"),
        ({"cards_per_lidia": (30, 0)}, "lidia 2 has 0 cards"),
        ({"pace_ms": 0}, "pace_ms is 0"),
        ({"interval_ms": -1}, "interval_ms is -1"),
        ({"paseillo_ms": 0}, "paseillo_ms is 0"),
    ],
)
def test_timeline_with_invalid_figures_is_rejected(change: dict[str, Any], message: str) -> None:
    figures: dict[str, Any] = {
        "cards_per_lidia": (30,),
        "pace_ms": 1,
        "interval_ms": 1,
        "paseillo_ms": 1,
    }
    with pytest.raises(BroadcastError, match=message):
        Timeline(**figures | change)


@pytest.mark.parametrize("address", [(0, 1), (1, 3), (2, 2), (3, 1), (4, 0), (-1, 0), (1, -1)])
def test_unknown_address_of_a_moment_is_rejected(address: tuple[int, int]) -> None:
    with pytest.raises(BroadcastError):
        SHORT.moment(address)


@pytest.mark.parametrize("moment", [-1, 7])
def test_unknown_number_of_a_moment_is_rejected(moment: int) -> None:
    with pytest.raises(BroadcastError, match="not one of the 7"):
        SHORT.due(0.0, moment)
