"""Sentences about cards, destinations, events and errors of El Toro, in the active language."""

from __future__ import annotations

from eltoro.stage.sentences.cards import (
    card_kind,
    card_name,
    card_sentence,
    destination_effect,
    destination_name,
    destination_sentence,
    space_name,
)
from eltoro.stage.sentences.events import EventNames, event_sentence, refusal_sentence

__all__ = [
    "EventNames",
    "card_kind",
    "card_name",
    "card_sentence",
    "destination_effect",
    "destination_name",
    "destination_sentence",
    "event_sentence",
    "refusal_sentence",
    "space_name",
]
