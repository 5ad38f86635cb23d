"""What a browser keeps of a form that is not sent yet."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any, Self


@dataclass(slots=True)
class Unsent:
    """A form as far as it is filled in; its fields, all with defaults, are what is kept."""

    @classmethod
    def kept(cls, content: Any) -> Self:
        """What a session keeps; an empty form where it keeps none, or another shape."""
        if not isinstance(content, dict):
            return cls()
        known = {one.name for one in fields(cls)}
        found = cls(**{name: value for name, value in content.items() if name in known})
        return found if found.fits else cls()

    @property
    def fits(self) -> bool:
        """Whether one can go on with what was kept."""
        return True

    def to_keep(self) -> dict[str, Any]:
        """What the session keeps."""
        return asdict(self)
