"""English date formats."""

from __future__ import annotations
