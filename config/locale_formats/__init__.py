"""Date and time formats where Django's own do not fit."""

from __future__ import annotations
