"""The box: boards, action cards, destinations; and where the runners of a table will arrive."""

from __future__ import annotations

from typing import Any, Final

from django.http import Http404
from drf_spectacular.utils import extend_schema_view
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.views import Detail, Resource
from eltoro import words
from eltoro.engine import BOARDS, PROFILES, Board, read_board
from eltoro.game import BOARD_NAMES
from eltoro.models import BoardDesign
from eltoro.queries import board_choices, board_text
from eltoro.table import ElToroPosition
from leagues.api import op
from leagues.tables.api.tables import TableResource

TAG: Final = "el toro"
LETTERS: Final = "abcdef"


class BoardLine(serializers.Serializer[Any]):
    """A board by name."""

    key = serializers.CharField()
    name = serializers.CharField()
    shipped = serializers.BooleanField()


class BoardList(serializers.Serializer[Any]):
    """All boards."""

    results = BoardLine(many=True)


@extend_schema_view(get=op("eltoro_boards", TAG, BoardList))
class Boards(Resource):
    """The boards that can be played on: the shipped ones, then those of the office."""

    serializer_class = BoardList

    def get(self, request: Request) -> Response:
        """All of them; they are few."""
        told = [
            {"key": key, "name": name, "shipped": key in BOARDS}
            for key, name in board_choices(BOARD_NAMES)
        ]
        return Response({"results": told})


class SpaceShown(serializers.Serializer[Any]):
    """A space: `ways` are the spaces one may come to, at a fork the even and the odd one."""

    key = serializers.CharField()
    row = serializers.IntegerField()
    name = serializers.CharField(allow_blank=True)
    ways = serializers.ListField(child=serializers.CharField())


class BoardFull(serializers.Serializer[Any]):
    """A board, space by space, and as the text that rules hold."""

    key = serializers.CharField()
    name = serializers.CharField()
    steps = serializers.IntegerField()
    spaces = SpaceShown(many=True)
    text = serializers.CharField()


@extend_schema_view(get=op("eltoro_board", TAG, BoardFull))
class BoardOne(Detail):
    """One board."""

    serializer_class = BoardFull

    def get_object(self) -> tuple[str, str, Board]:
        """Key, name and board. Raises Http404."""
        key = self.kwargs["key"]
        if key in BOARDS:
            return key, BOARD_NAMES.get(key, BOARDS[key].name), BOARDS[key]
        text = board_text(key)
        if text is None:
            raise Http404
        name = BoardDesign.objects.values_list("name", flat=True).get(key=key)
        return key, name, read_board(text)

    def represent(self, row: tuple[str, str, Board]) -> dict[str, Any]:
        """The board in full."""
        key, name, board = row
        spaces = board.spaces
        return {
            "key": key,
            "name": name,
            "steps": board.steps,
            "spaces": [
                {
                    "key": one.key,
                    "row": one.row,
                    "name": one.name,
                    "ways": [spaces[way].key for way in one.ways],
                }
                for one in spaces
            ],
            "text": board.text,
        }


class CardShown(serializers.Serializer[Any]):
    """A kind of action card."""

    key = serializers.CharField()
    name = serializers.CharField()
    sentence = serializers.CharField()
    count = serializers.IntegerField()
    effect = serializers.CharField()
    amount = serializers.IntegerField()
    whose = serializers.CharField(allow_null=True)


class DestinationShown(serializers.Serializer[Any]):
    """A kind of destination."""

    key = serializers.CharField()
    name = serializers.CharField()
    sentence = serializers.CharField()
    count = serializers.IntegerField()
    points = serializers.IntegerField()
    effect = serializers.CharField(allow_null=True)
    amount = serializers.IntegerField()


class Cards(serializers.Serializer[Any]):
    """The box's cards."""

    cards = CardShown(many=True)
    destinations = DestinationShown(many=True)


@extend_schema_view(get=op("eltoro_cards", TAG, Cards))
class AllCards(Resource):
    """Every kind of action card and destination."""

    serializer_class = Cards

    def get(self, request: Request) -> Response:
        """All of them."""
        rules = PROFILES["el-toro"]
        cards = [
            {
                "key": one.key,
                "name": words.card_name(one),
                "sentence": words.card_sentence(one),
                "count": one.count,
                "effect": one.effect.value,
                "amount": one.amount,
                "whose": one.whose.value if one.whose else None,
            }
            for one in rules.cards
        ]
        return Response({"cards": cards, "destinations": [_kind(x) for x in rules.destinations]})


def _kind(one: Any) -> dict[str, Any]:
    return {
        "key": one.key,
        "name": words.destination_name(one),
        "sentence": words.destination_sentence(one),
        "count": one.count,
        "points": one.points,
        "effect": one.effect.value if one.effect else None,
        "amount": one.amount,
    }


class RunnerOdds(serializers.Serializer[Any]):
    """A runner's chances, from 0 to 1, as if no more cards were played."""

    runner = serializers.CharField()
    arrives = serializers.DictField(child=serializers.FloatField(), help_text="By place, d1 to d5.")
    by_step = serializers.ListField(child=serializers.FloatField())
    trampled = serializers.FloatField()
    points = serializers.FloatField(help_text="Expected, of the destinations.")


class OddsList(serializers.Serializer[Any]):
    """All runners in town."""

    results = RunnerOdds(many=True)


@extend_schema_view(get=op("eltoro_odds", TAG, OddsList))
class TableOdds(TableResource, Detail):
    """Where every runner of a table will arrive; none while bulls are still to come."""

    serializer_class = OddsList

    def get_object(self) -> ElToroPosition:
        """The position as who asks may see it. Raises Http404 at another game's table."""
        position = self.seen().position
        if not isinstance(position, ElToroPosition) or position.game is None:
            raise Http404
        return position

    def represent(self, row: ElToroPosition) -> dict[str, Any]:
        """Exact, counted once a position."""
        ends = [row.rules.board.spaces[end].key for end in row.rules.board.rows[-1]]
        told = [
            {
                "runner": f"{LETTERS[seat]}{number + 1}",
                "arrives": dict(zip(ends, one.arrives, strict=True)),
                "by_step": list(one.by_step),
                "trampled": one.trampled,
                "points": one.points,
            }
            for (seat, number), one in row.odds().items()
        ]
        return {"results": told}
