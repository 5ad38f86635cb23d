"""Date and time formats that differ from Django's."""

from __future__ import annotations
