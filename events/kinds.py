"""The kinds of what can happen; each app registers its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import datetime as dt

    from django.utils.functional import _StrPromise

JSON = Any
"""What JSON can hold."""
Data = Mapping[str, JSON]


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicEvent:
    """An event as it is told: its data complete, circuit and league by their addresses."""

    number: int
    kind: str
    subject: str
    at: dt.datetime
    circuit: str | None
    league: str | None
    data: Data

    @property
    def key(self) -> str:
        """What of the subject tells it from others of its sort: the 12 of `corrida/12`."""
        return self.subject.partition("/")[2]


class StoredEvent(Protocol):
    """What of a stored event its data are completed from."""

    @property
    def circuit(self) -> int | None:
        """The key of its circuit."""

    @property
    def data(self) -> Data:
        """As they were written down."""


Complete = Callable[[Sequence[StoredEvent]], Sequence[Data]]
"""Many events in, their data out with what is looked up only when they are told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventKind:
    """One kind of event.

    `name` is for people who choose among kinds; `words` tells one in a sentence, in the language
    of the moment; `page` is the path of the page it is about, or nothing. `complete`, where given,
    adds what may change after the event, as the names of people, with a fixed number of queries.
    """

    key: str
    name: str | _StrPromise
    words: Callable[[PublicEvent], str]
    page: Callable[[PublicEvent], str]
    complete: Complete | None = None


class EventKinds:
    """All kinds there are, in the order in which they were registered."""

    def __init__(self) -> None:
        self._kinds: dict[str, EventKind] = {}

    def __contains__(self, key: object) -> bool:
        return key in self._kinds

    def __getitem__(self, key: str) -> EventKind:
        return self._kinds[key]

    def find(self, key: str) -> EventKind | None:
        """The kind of this key; None where there is none."""
        return self._kinds.get(key)

    def register(self, *kinds: EventKind) -> None:
        """Add kinds. Raises ValueError for one that is there already."""
        for kind in kinds:
            if self._kinds.setdefault(kind.key, kind) is not kind:
                raise ValueError(f"The kind {kind.key!r} is registered already.")

    def all(self) -> tuple[EventKind, ...]:
        """Every kind."""
        return tuple(self._kinds.values())

    def names(self) -> list[str]:
        """Every name a filter may have: kinds and families."""
        return sorted({*self._kinds, *(key.partition(".")[0] for key in self._kinds)})

    def under(self, name: str) -> tuple[str, ...]:
        """The kinds a filter means: one by its name, or a family (`corrida`); none it knows not."""
        return tuple(key for key in self._kinds if key == name or key.startswith(f"{name}."))


kinds = EventKinds()
