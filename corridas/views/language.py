"""The language switch."""

from __future__ import annotations

from django.views.decorators.csrf import csrf_exempt
from django.views.i18n import set_language

# It changes a visitor's own cookie and nothing else. Without a token in its form, a page
# that everybody sees alike can be kept and shared.
switch = csrf_exempt(set_language)
