"""Form fields for names and other texts that people type."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django import forms
from django.db import models

from core.names.text import clean, clean_lines


class CleanCharField(forms.CharField):
    """A text of one line. It is cleaned before its length is checked."""

    def to_python(self, value: Any) -> Any:
        text = super().to_python(value)
        return text and (clean(text) or self.empty_value)


class CleanTextField(forms.CharField):
    """A text of several lines. They are cleaned before the length is checked."""

    widget = forms.Textarea

    def to_python(self, value: Any) -> Any:
        text = super().to_python(value)
        return text and (clean_lines(text) or self.empty_value)


# `formfield_overrides` of an admin page: texts are cleaned. Addresses have fields of their own.
CLEAN_COLUMNS: Final[Mapping[type[models.Field[Any, Any]], Mapping[str, Any]]] = {
    models.CharField: {"form_class": CleanCharField},
    models.EmailField: {},
    models.SlugField: {},
    models.URLField: {},
}
