"""The action deck of a circuit and the glossary of bullfighting."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema_view
from rest_framework import serializers

from api.types import JSONObject
from api.views import DetailView
from corridas import glossary
from corridas.api.mixins import OfCircuit, Worded, worded_language
from corridas.api.schema import op
from corridas.engine import Card
from corridas.models import Deck


class ActionCard(serializers.Serializer[Card]):
    """An action card: its index in the deck (0-69), its number and its five entries."""

    place = serializers.IntegerField()
    number = serializers.IntegerField()
    first = serializers.CharField()
    second = serializers.CharField()
    third = serializers.CharField()
    bull = serializers.CharField()
    kill = serializers.CharField()


class DeckTold(serializers.Serializer[Deck]):
    """A deck of seventy action cards.

    The commitment of a corrida contains the digest of its deck.
    """

    name = serializers.CharField()
    digest = serializers.CharField(help_text="SHA-256 of the text.")
    text = serializers.CharField(source="cards", help_text="A card a line.")
    cards = ActionCard(many=True, source="engine_deck.cards")


@extend_schema_view(get=op("decks_read"))
class OneDeck(OfCircuit, DetailView):
    """The deck that a circuit uses in future seasons."""

    serializer_class = DeckTold
    queryset = Deck.objects.none()

    def get_object(self) -> Deck:
        return self.circuit.deck


class GlossaryTerm(serializers.Serializer[JSONObject]):
    """A term of bullfighting and its meaning, in the language of the request."""

    term = serializers.CharField()
    kind = serializers.CharField()
    meaning = serializers.CharField()


class GlossaryTold(serializers.Serializer[JSONObject]):
    """The glossary of bullfighting."""

    terms = GlossaryTerm(many=True)


@extend_schema_view(get=op("glossary_read"))
class Glossary(DetailView):
    """The glossary of bullfighting, in alphabetical order."""

    serializer_class = GlossaryTold
    query_serializer_class = Worded

    def get_object(self) -> JSONObject:
        language = worded_language(self.read_query(self.request))
        definitions = [
            (term.term, term.kind, term.meaning(language)) for term in glossary.entries(language)
        ]
        return {
            "terms": [
                dict(zip(("term", "kind", "meaning"), term, strict=True)) for term in definitions
            ]
        }
