"""For how long a person has lifted the veil, kept in their session."""

from __future__ import annotations

import datetime as dt
from collections.abc import MutableMapping
from typing import Any, Final

KEY: Final = "unveiled"
LASTS: Final = dt.timedelta(minutes=30)
MOST: Final = 20
"""Circuits kept at a time; the oldest is veiled again."""

Session = MutableMapping[str, Any]


def lift(session: Session, circuit: str, *, at: dt.datetime) -> None:
    """Show the results of a circuit (its slug; `veil.ALL` for every one) for half an hour."""
    kept = {slug: until for slug, until in _kept(session).items() if until > at.timestamp()}
    kept.pop(circuit, None)
    newest = dict(list(kept.items())[1 - MOST :])
    session[KEY] = newest | {circuit: (at + LASTS).timestamp()}


def lifted(session: Session, *, at: dt.datetime) -> frozenset[str]:
    """The circuits whose results are shown at this instant."""
    return frozenset(slug for slug, until in _kept(session).items() if until > at.timestamp())


def _kept(session: Session) -> dict[str, float]:
    kept: dict[str, float] = session.get(KEY, {})
    return kept
