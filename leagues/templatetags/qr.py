"""QR codes in pages and on paper."""

from __future__ import annotations

from functools import lru_cache

import segno
from django import template
from django.utils.safestring import SafeString, mark_safe

register = template.Library()


@register.filter
@lru_cache(maxsize=128)
def qr(text: str) -> SafeString:
    """A QR code as inline SVG, drawn by the page's own style; the text stands beside it."""
    code = segno.make(text, error="m")
    drawn = code.svg_inline(border=2, omitsize=True, lineclass=None, svgclass="qr")
    return mark_safe(drawn)  # noqa: S308  its only input is an address, drawn as squares
