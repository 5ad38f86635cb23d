"""What differs between a document and the same worked out anew, with the way to each leaf."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fairness import ABSENT, Difference


def differences(claimed: Any, found: Any, path: str = "") -> Iterator[Difference]:
    """Every leaf that is not the same on both sides, in the order of the document.

    Types count: 1, true and "1" are three things. What only one side has is `ABSENT` on the other.
    """
    if isinstance(claimed, dict) and isinstance(found, dict):
        for name in [*claimed, *(name for name in found if name not in claimed)]:
            way = f"{path}/{name}" if path else name
            yield from differences(claimed.get(name, ABSENT), found.get(name, ABSENT), way)
    elif isinstance(claimed, list) and isinstance(found, list):
        for at in range(max(len(claimed), len(found))):
            yield from differences(_at(claimed, at), _at(found, at), f"{path}/{at}")
    elif type(claimed) is not type(found) or claimed != found:
        yield Difference(path, claimed, found)


def _at(items: list[Any], at: int) -> Any:
    return items[at] if at < len(items) else ABSENT
