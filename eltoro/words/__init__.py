"""Cards, destinations, events and refusals in sentences, in the language of who reads."""

from eltoro.words.cards import card_name, card_sentence, kind_of_card
from eltoro.words.destinations import (
    destination_effect,
    destination_name,
    destination_sentence,
    space_name,
)
from eltoro.words.events import Names, told
from eltoro.words.refusals import refusal

__all__ = [
    "Names",
    "card_name",
    "card_sentence",
    "destination_effect",
    "destination_name",
    "destination_sentence",
    "kind_of_card",
    "refusal",
    "space_name",
    "told",
]
