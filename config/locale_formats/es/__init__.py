"""Spanish date and number formats."""

from __future__ import annotations
