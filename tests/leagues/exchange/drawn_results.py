"""Hypothesis strategies for results: all results that the file formats can contain."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import strategies as st

from core.names.text import clean
from leagues.exchange.formats import ResultRecord, SeatRecord
from leagues.exchange.formats.results import places_in_order

THURSDAY = datetime(2026, 3, 5, 20, tzinfo=UTC)


AWKWARD = ["", "ana", "=1+1", "'=1", "-5", "@x", "+", "'", "''+", 'ñ;,"', "＝1", "a b", "\N{OX}"]
SIGNS = st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp", "Zs"])
NOTE = 'one\n\ntwo, "three"\n=four'


def readable(*more: str) -> st.SearchStrategy[str]:
    """Return a strategy for short texts that reading does not change."""
    drawn = st.text(SIGNS, max_size=4).map(clean)
    return st.sampled_from([*AWKWARD, *more]) | drawn


@st.composite
def results(draw: st.DrawFn) -> ResultRecord:
    """Draw a result with two to six seats."""
    count = draw(st.integers(2, 6))
    partners = count == 4 and draw(st.booleans())
    sides = [seat % 2 if partners else seat for seat in range(count)]
    ranks = draw(st.lists(st.integers(1, 4), min_size=max(sides) + 1, max_size=max(sides) + 1))
    places = places_in_order(ranks)
    identities = draw(st.lists(readable(), min_size=count, max_size=count, unique=True))
    scores = st.none() | st.integers(-1_000_000_000, 1_000_000_000)
    points = draw(st.lists(scores, min_size=max(sides) + 1, max_size=max(sides) + 1))
    return ResultRecord(
        key=draw(readable().filter(bool)),
        played_at=draw(st.datetimes(datetime(1950, 1, 1), datetime(2150, 1, 1))).replace(
            tzinfo=UTC
        ),
        game=draw(readable()),
        seats=tuple(
            SeatRecord(
                player=draw(readable()),
                identity=identity,
                side=side,
                place=places[side],
                points=points[side],
            )
            for identity, side in zip(identities, sides, strict=True)
        ),
        league=draw(readable()),
        location=draw(readable()),
        note=draw(readable(NOTE)),
        round=draw(st.none() | st.integers(1, 99)),
    )


def result(key: str = "match/17", **points: int) -> ResultRecord:
    """Return a plain result of these players and points, the highest points first."""
    ranks = places_in_order([-score for score in points.values()])
    seats = [
        SeatRecord(player=name, identity=name, side=side, place=place, points=score)
        for side, ((name, score), place) in enumerate(zip(points.items(), ranks, strict=True))
    ]
    return ResultRecord(key=key, played_at=THURSDAY, game="dominoes", seats=tuple(seats))
