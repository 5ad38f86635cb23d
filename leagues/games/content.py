"""What passes through from a game, which only the game reads."""

from __future__ import annotations

from typing import Any

JSON = Any
"""Whatever the game writes; it goes into the database as it is."""
