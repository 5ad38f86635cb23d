"""Short pauses in long loops, so that other threads of the process can answer requests.

Only one thread of a process runs Python code at a time. Without pauses, another thread waits some
milliseconds until the loop is interrupted, and that several times for each page.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import TypeVar, overload

T = TypeVar("T")

PAUSE = 1e-6  # seconds, long enough to wake up another thread


class WithPauses(Sequence[T]):
    """Sequence that pauses briefly before each item when it is iterated."""

    def __init__(self, items: Sequence[T]) -> None:
        self._items = items

    def __iter__(self) -> Iterator[T]:
        for item in self._items:
            time.sleep(PAUSE)
            yield item

    def __len__(self) -> int:
        return len(self._items)

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[T]: ...
    def __getitem__(self, index: int | slice) -> T | Sequence[T]:
        return self._items[index]
