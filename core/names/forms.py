"""Form fields for names and other texts that people type."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django import forms
from django.db import models

from core.names.text import clean, clean_lines


class CleanCharField(forms.CharField):
    """Form field for one line of text, which is cleaned before its length is checked."""

    def to_python(self, value: object) -> Any:
        text = super().to_python(value)
        return text and (clean(text) or self.empty_value)


class CleanTextField(forms.CharField):
    """Form field for several lines of text, which are cleaned before the length is checked."""

    widget = forms.Textarea

    def to_python(self, value: object) -> Any:
        text = super().to_python(value)
        return text and (clean_lines(text) or self.empty_value)


# `formfield_overrides` for admin pages. Texts are cleaned. URL fields are not affected, because
# they have a form field of their own.
CLEAN_COLUMNS: Final[Mapping[type[models.Field[Any, Any]], Mapping[str, object]]] = {
    models.CharField: {"form_class": CleanCharField},
    models.EmailField: {},
    models.SlugField: {},
    models.URLField: {},
}
