"""Events as JSON, the same for the API, the feed and webhooks."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from json import dumps

from api.types import JSON
from events.kinds import Data, PublicEvent, kinds
from events.models import Event
from events.scopes import scopes


def public_events(events: Sequence[Event]) -> list[PublicEvent]:
    """Return events with complete data, using a fixed number of queries.

    Events of kinds that are no longer registered are left out.
    """
    known = [event for event in events if event.kind in kinds]
    addresses = {name: _addresses(name, known) for name in ("circuit", "league")}
    complete = _completed_data(known)
    return [
        PublicEvent(
            number=event.number or 0,
            kind=event.kind,
            subject=event.subject,
            at=event.at,
            circuit=addresses["circuit"].get(event.circuit or 0),
            league=addresses["league"].get(event.league or 0),
            data=complete[event.pk],
        )
        for event in known
    ]


def _addresses(name: str, events: Iterable[Event]) -> Mapping[int, str]:
    keys = {getattr(event, name) for event in events} - {None}
    return scopes.addresses(name, keys) if keys else {}


def _completed_data(events: Iterable[Event]) -> dict[int, Data]:
    by_kind: dict[str, list[Event]] = defaultdict(list)
    for event in events:
        by_kind[event.kind].append(event)
    data_by_event: dict[int, Data] = {}
    for key, group in by_kind.items():
        complete = kinds[key].complete
        whole = complete(group) if complete else [event.data for event in group]
        data_by_event |= {
            event.pk: completed for event, completed in zip(group, whole, strict=True)
        }
    return data_by_event


def event_json(event: PublicEvent) -> dict[str, JSON]:
    return {
        "number": event.number,
        "kind": event.kind,
        "subject": event.subject,
        "at": format_instant(event.at),
        "circuit": event.circuit,
        "league": event.league,
        "page": kinds[event.kind].page(event),
        "data": dict(event.data),
    }


def format_instant(at: dt.datetime) -> str:
    return at.astimezone(dt.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def compact_json(document: object) -> str:
    return dumps(document, ensure_ascii=False, separators=(",", ":"))
