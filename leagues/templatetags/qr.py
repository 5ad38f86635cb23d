"""Template filter for QR codes on pages and in print."""

from __future__ import annotations

from functools import lru_cache

import segno
from django import template
from django.utils.safestring import SafeString, mark_safe

register = template.Library()


@register.filter
@lru_cache(maxsize=128)
def qr(text: str) -> SafeString:
    """Render a QR code as inline SVG, styled by the page. The page must show the text as well."""
    code = segno.make(text, error="m")
    drawn = code.svg_inline(border=2, omitsize=True, lineclass=None, svgclass="qr")
    return mark_safe(drawn)  # noqa: S308  its only input is an address, drawn as squares
