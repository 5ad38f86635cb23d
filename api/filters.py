"""Query parameter filters for API collections."""

from __future__ import annotations

from typing import Final

import django_filters
from django import forms
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field

MAX_INTEGER: Final = 2**31 - 1


class IntegerFilter(django_filters.Filter):
    """Filter for a whole number within the range of a database column."""

    field_class = forms.IntegerField

    def __init__(
        self, *args: object, lowest: int = 0, highest: int = MAX_INTEGER, **kwargs: object
    ) -> None:
        super().__init__(*args, min_value=lowest, max_value=highest, **kwargs)
        schema = {"type": "integer", "minimum": lowest, "maximum": highest}
        extend_schema_field(schema)(self)


class SlugFilter(django_filters.CharFilter):
    """Filter for a slug or another short word, which must match exactly."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, max_length=120, **kwargs)
        schema = {"type": "string", "minLength": 1, "maxLength": 120}
        extend_schema_field(schema)(self)


class BooleanFilter(django_filters.TypedChoiceFilter):
    """Filter that accepts `true` or `false`. All other values are errors."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        words = [(word, word) for word in ("true", "false")]
        super().__init__(
            *args, choices=words, coerce=lambda word: word == "true", empty_value=None, **kwargs
        )
        extend_schema_field({"type": "boolean"})(self)


class StrictFilterSet(django_filters.FilterSet):
    """Filter set that rejects a parameter with an empty value."""

    def is_valid(self) -> bool:
        super().is_valid()
        for name in self.filters:
            if self.data.get(name) == "":
                self.form.add_error(name, _("This parameter can’t be empty."))
        return bool(self.form.is_valid())
