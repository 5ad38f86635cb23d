"""Serializer fields for names and other texts that people type."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from core.names.text import clean, clean_lines


class CleanCharField(serializers.CharField):
    """Serializer field for one line of text, cleaned before its length is checked."""

    def run_validation(self, data: object = serializers.empty) -> Any:
        return super().run_validation(clean(data) if isinstance(data, str) else data)


class CleanTextField(serializers.CharField):
    """Serializer field for several lines of text, cleaned before the length is checked."""

    def run_validation(self, data: object = serializers.empty) -> Any:
        return super().run_validation(clean_lines(data) if isinstance(data, str) else data)
