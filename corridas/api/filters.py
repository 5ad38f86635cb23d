"""What a collection may be asked for."""

from __future__ import annotations

from typing import Any, Final

import django_filters
from django import forms
from drf_spectacular.utils import extend_schema_field

HIGHEST: Final = 2**31 - 1


class Whole(django_filters.Filter):  # type: ignore[misc]
    """A whole number that a column could hold."""

    field_class = forms.IntegerField

    def __init__(self, *args: Any, lowest: int = 0, highest: int = HIGHEST, **kwargs: Any) -> None:
        super().__init__(*args, min_value=lowest, max_value=highest, **kwargs)
        told = {"type": "integer", "minimum": lowest, "maximum": highest}
        extend_schema_field(told)(self)


class Word(django_filters.CharFilter):  # type: ignore[misc]
    """A slug or another short word, exactly as it stands."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, max_length=120, **kwargs)
        extend_schema_field({"type": "string", "maxLength": 120})(self)


class Filters(django_filters.FilterSet):  # type: ignore[misc]  # it comes without types
    """Questions by name."""
