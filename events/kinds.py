"""Registry of event kinds. Applications register their own kinds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from api.types import JSON

if TYPE_CHECKING:
    import datetime as dt

    from django.utils.functional import _StrPromise

Data = Mapping[str, JSON]


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicEvent:
    """An event for publication, with complete data and the slugs of its circuit and league."""

    number: int
    kind: str
    subject: str
    at: dt.datetime
    circuit: str | None
    league: str | None
    data: Data

    @property
    def key(self) -> str:
        """Return the part of `subject` after the slash, such as 12 for `corrida/12`."""
        return self.subject.partition("/")[2]


class StoredEvent(Protocol):
    """Protocol for the attributes of an event row that `EventKind.complete` reads."""

    @property
    def circuit(self) -> int | None:
        """The primary key of the event's circuit, or None."""

    @property
    def data(self) -> Data:
        """The event's data as stored."""


# Function that adds data which is looked up when events are read, for many events at once.
Complete = Callable[[Sequence[StoredEvent]], Sequence[Data]]


@dataclass(frozen=True, slots=True, kw_only=True)
class EventKind:
    """One kind of event, such as `corrida.posted`.

    `name` is the label on pages. `words` returns a sentence about an event in the active language.
    `page` returns the path of the page about the event, or an empty string. `complete` adds data
    that may change after the event, such as display names, with a fixed number of queries. `spoils`
    says whether the event reveals results of its circuit.
    """

    key: str
    name: str | _StrPromise
    words: Callable[[PublicEvent], str]
    page: Callable[[PublicEvent], str]
    complete: Complete | None = None
    spoils: bool = True


class EventKinds:
    """Registry of event kinds, in the order of their registration."""

    def __init__(self) -> None:
        self._kinds: dict[str, EventKind] = {}

    def __contains__(self, key: object) -> bool:
        return key in self._kinds

    def __getitem__(self, key: str) -> EventKind:
        return self._kinds[key]

    def find_kind(self, key: str) -> EventKind | None:
        return self._kinds.get(key)

    def register(self, *kinds: EventKind) -> None:
        for kind in kinds:
            if self._kinds.setdefault(kind.key, kind) is not kind:
                raise ValueError(f"The kind {kind.key!r} is registered already.")

    def all_kinds(self) -> tuple[EventKind, ...]:
        return tuple(self._kinds.values())

    def names(self) -> list[str]:
        return sorted({*self._kinds, *(key.partition(".")[0] for key in self._kinds)})

    def under(self, name: str) -> tuple[str, ...]:
        """Return the keys of the kinds that a filter selects.

        The filter is one kind, or a family such as `corrida`.
        """
        return tuple(key for key in self._kinds if key == name or key.startswith(f"{name}."))


kinds = EventKinds()
