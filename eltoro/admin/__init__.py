"""The office's view of El Toro: boards are drawn here, kept boards are only looked at."""

from eltoro.admin import boards, keepings

__all__ = ["boards", "keepings"]
