"""In which language and wording a program wants to be told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.utils.translation import get_language
from rest_framework import serializers

from corridas.phrasebook import Voice

BLOODLESS: Final = "bloodless"


class Worded(serializers.Serializer[Any]):
    """The wording to be told in."""

    wording = serializers.ChoiceField(
        [BLOODLESS],
        required=False,
        help_text="`bloodless` tells it as a bloodless corrida; rules and results stay the same.",
    )


def asked_voice(asked: Mapping[str, Any]) -> Voice:
    """The language of the request, in the wording that was asked for."""
    return Voice(get_language() or "en", asked.get("wording") == BLOODLESS)
