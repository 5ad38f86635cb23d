"""Stores score counts as a JSON object of about one kilobyte.

`{"killed": {"lowest": -87, "counts": [1, 0, 2]}, "spared": {"lowest": -9, "counts": [1]}}`
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypedDict

from corridas.world.chances.scores import Histogram, ScoreCounts


class HistogramJson(TypedDict):
    lowest: int
    counts: list[int]


class ScoreCountsJson(TypedDict):
    killed: HistogramJson
    spared: HistogramJson


class ScoreCountsError(ValueError):
    """A stored JSON value is not a valid object of score counts."""


def encode(counts: ScoreCounts) -> ScoreCountsJson:
    """Return the counts as a JSON object."""
    return {"killed": _write(counts.killed), "spared": _write(counts.spared)}


def decode(stored: object) -> ScoreCounts:
    """Return the counts written by `encode`. Raises `ScoreCountsError` for any other value."""
    if not isinstance(stored, Mapping) or stored.keys() != {"killed", "spared"}:
        raise ScoreCountsError("Score counts are an object with “killed” and “spared”.")
    try:
        return ScoreCounts(_read(stored["killed"]), _read(stored["spared"]))
    except ValueError as error:
        raise ScoreCountsError(str(error)) from error


def _write(histogram: Histogram) -> HistogramJson:
    return {"lowest": histogram.lowest, "counts": list(histogram.counts)}


def _read(stored: object) -> Histogram:
    if isinstance(stored, Mapping) and stored.keys() == {"lowest", "counts"}:
        lowest, counts = stored["lowest"], stored["counts"]
        if type(lowest) is int and isinstance(counts, list):
            whole = [count for count in counts if type(count) is int and count >= 0]
            if len(whole) == len(counts):
                return Histogram(lowest, tuple(whole))
    raise ScoreCountsError("“lowest” is a whole number, and “counts” whole numbers from 0.")
