"""El Toro in the API: boards, cards, odds, and the game as seen by a seat, as JSON.

The resources for tables, matches and leagues of all games are in `leagues.api.resources`.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Final

from django.http import Http404
from drf_spectacular.utils import extend_schema_view
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.types import JSON, JSONObject
from api.views import DetailView, ResourceView
from eltoro.engine import (
    BOARDS,
    PROFILES,
    Board,
    DecisionKind,
    Destination,
    Die,
    Rules,
    Town,
    View,
    offers,
    read_board,
    write_town,
)
from eltoro.game import BOARD_NAMES
from eltoro.models import BoardDesign
from eltoro.queries import board_choices, board_text
from eltoro.stage import sentences
from eltoro.table import KEY, ElToroPosition
from eltoro.tabletop.sheets import sheet_schema
from leagues.api.resources import op
from leagues.api.tables.tables import TableResource
from leagues.games import Position
from leagues.games import schema as game_schema

MOVE_NOTATION: Final = (
    "`start a2>4 a5>6` places 1s; `play second-wind a1 a3` plays a card at targets as the view "
    "offers them; `discard elbow` puts cards away, `discard` none. `a1` is the first runner of "
    "seat 0, `T1` the first bull."
)


def register_schema() -> None:
    game_schema.register_schema(
        KEY,
        game_schema.GameSchema(sheet=sheet_schema, move=MOVE_NOTATION, view=view_to_json),
    )


def view_to_json(position: Position, seat: int | None, revealed: bool) -> JSON:
    """Return the part of a game that a seat or a spectator may see, as JSON.

    With `revealed` the cards of all hands are included.
    """
    assert isinstance(position, ElToroPosition)
    if position.game is None:
        return None
    view = position.game.view(seat)
    hands = position.hands() if revealed else None
    return town_to_json(view.town, view.rules) | {
        "turn": view.turn,
        "ask": None if view.ask is None else view.ask.value,
        "hand": _cards_to_json(view.rules, view.hand),
        "offers": _offers_to_json(view),
        "hands": None if hands is None else [_cards_to_json(view.rules, hand) for hand in hands],
    }


def _cards_to_json(rules: Rules, held: tuple[int, ...]) -> list[str]:
    return [rules.cards[card].key for card in held]


def _offers_to_json(view: View) -> JSONObject:
    """Return the possible targets of each card in the player's hand as JSON.

    Only used while the player must play a card.
    """
    if view.seat is None or view.turn != view.seat or view.ask is not DecisionKind.CARD:
        return {}
    return {view.rules.cards[card].key: asdict(offers(view, card)) for card in set(view.hand)}


def town_to_json(town: Town, rules: Rules) -> JSONObject:
    board = rules.board
    return {
        "day": town.day,
        "step": town.step,
        "phase": town.phase.value,
        "first": town.first,
        "runners": [[_die_to_json(die, rules) for die in own] for own in town.runners],
        "bulls": [_die_to_json(die, rules) for die in town.bulls],
        "tokens": {board.write_sign(sign): seat for sign, seat in town.tokens.items()},
        "tokens_left": list(town.tokens_left),
        "destinations": _keys_of(rules, town.destinations),
        "totals": list(town.totals),
        "day_points": [list(points) for points in town.day_points],
        "effects": [_keys_of(rules, own) for own in town.effects],
        "hand_sizes": list(town.hand_sizes),
        "deck_left": town.deck_left,
        "discards": _cards_to_json(rules, town.discards),
        "written": write_town(town, rules),
    }


def _keys_of(rules: Rules, kinds: tuple[int, ...]) -> list[str]:
    return [rules.destinations[index].key for index in kinds]


def _die_to_json(die: Die | None, rules: Rules) -> JSONObject | None:
    """Return a die as JSON: the key of its space and its face.

    The space is null if the runner shows a 1 and is not yet placed. The function returns null for a
    trampled runner.
    """
    if die is None:
        return None
    space = None if die.space < 0 else rules.board.spaces[die.space].key
    return {"space": space, "face": die.face}


TAG: Final = "el toro"
SEAT_LETTERS: Final = "abcdef"


class BoardLine(serializers.Serializer[JSONObject]):
    """A board's key and name. `shipped` is true for the boards that come with the site."""

    key = serializers.CharField()
    name = serializers.CharField()
    shipped = serializers.BooleanField()


class BoardList(serializers.Serializer[JSONObject]):
    """All boards that can be used in games."""

    results = BoardLine(many=True)


class BoardListView(ResourceView):
    """All boards that can be used: those that come with the site, then those of its
    administrators.
    """

    serializer_class = BoardList

    @op("eltoro_boards", TAG, BoardList)
    def get(self, request: Request) -> Response:
        """Return all boards. There are only a few, so they are not paginated."""
        boards = [
            {"key": key, "name": name, "shipped": key in BOARDS}
            for key, name in board_choices(BOARD_NAMES)
        ]
        return Response({"results": boards})


class SpaceShown(serializers.Serializer[JSONObject]):
    """A space of the board.

    `ways`: keys of the next spaces, at a fork the even and then the odd way.
    """

    key = serializers.CharField()
    row = serializers.IntegerField()
    name = serializers.CharField(allow_blank=True)
    ways = serializers.ListField(child=serializers.CharField())


class BoardFull(serializers.Serializer[JSONObject]):
    """A board with all its spaces, and the text by which rules define it."""

    key = serializers.CharField()
    name = serializers.CharField()
    steps = serializers.IntegerField()
    spaces = SpaceShown(many=True)
    text = serializers.CharField()


@extend_schema_view(get=op("eltoro_board", TAG, BoardFull))
class BoardView(DetailView):
    """A single board with all its spaces."""

    serializer_class = BoardFull

    def get_object(self) -> tuple[str, str, Board]:
        """Return key, name and board. Raises Http404 if there is no board with this key."""
        key = self.kwargs["key"]
        if key in BOARDS:
            return key, BOARD_NAMES.get(key, BOARDS[key].name), BOARDS[key]
        text = board_text(key)
        if text is None:
            raise Http404
        name = BoardDesign.objects.values_list("name", flat=True).get(key=key)
        return key, name, read_board(text)

    def represent(self, row: tuple[str, str, Board]) -> JSONObject:
        key, name, board = row
        spaces = board.spaces
        return {
            "key": key,
            "name": name,
            "steps": board.steps,
            "spaces": [
                {
                    "key": space.key,
                    "row": space.row,
                    "name": space.name,
                    "ways": [spaces[way].key for way in space.ways],
                }
                for space in spaces
            ],
            "text": board.text,
        }


class CardShown(serializers.Serializer[JSONObject]):
    """A kind of action card. `count` is the number of such cards in the deck."""

    key = serializers.CharField()
    name = serializers.CharField()
    sentence = serializers.CharField()
    count = serializers.IntegerField()
    effect = serializers.CharField()
    amount = serializers.IntegerField()
    whose = serializers.CharField(allow_null=True)


class DestinationShown(serializers.Serializer[JSONObject]):
    """A kind of destination card. `count` is the number of such cards."""

    key = serializers.CharField()
    name = serializers.CharField()
    sentence = serializers.CharField()
    count = serializers.IntegerField()
    points = serializers.IntegerField()
    effect = serializers.CharField(allow_null=True)
    amount = serializers.IntegerField()


class Cards(serializers.Serializer[JSONObject]):
    """All kinds of action cards and destination cards."""

    cards = CardShown(many=True)
    destinations = DestinationShown(many=True)


class CardListView(ResourceView):
    """All kinds of action cards and destination cards."""

    serializer_class = Cards

    @op("eltoro_cards", TAG, Cards)
    def get(self, request: Request) -> Response:
        """Return all kinds of cards."""
        rules = PROFILES["el-toro"]
        cards = [
            {
                "key": card.key,
                "name": sentences.card_name(card),
                "sentence": sentences.card_sentence(card),
                "count": card.count,
                "effect": card.effect.value,
                "amount": card.amount,
                "whose": card.whose.value if card.whose else None,
            }
            for card in rules.cards
        ]
        return Response(
            {
                "cards": cards,
                "destinations": [_destination_to_json(kind) for kind in rules.destinations],
            }
        )


def _destination_to_json(kind: Destination) -> JSONObject:
    return {
        "key": kind.key,
        "name": sentences.destination_name(kind),
        "sentence": sentences.destination_sentence(kind),
        "count": kind.count,
        "points": kind.points,
        "effect": kind.effect.value if kind.effect else None,
        "amount": kind.amount,
    }


class RunnerOdds(serializers.Serializer[JSONObject]):
    """A runner's chances, from 0 to 1, if no more cards are played."""

    runner = serializers.CharField()
    arrives = serializers.DictField(child=serializers.FloatField(), help_text="By place, d1 to d5.")
    by_step = serializers.ListField(child=serializers.FloatField())
    trampled = serializers.FloatField()
    points = serializers.FloatField(help_text="Expected, of the destinations.")


class OddsList(serializers.Serializer[JSONObject]):
    """The chances of all runners in town."""

    results = RunnerOdds(many=True)


@extend_schema_view(get=op("eltoro_odds", TAG, OddsList))
class TableOddsView(TableResource, DetailView):
    """The destinations that each runner of a table may reach, with chances from 0 to 1.

    The list is empty in the morning, until all bulls have been rolled.
    """

    serializer_class = OddsList

    def get_object(self) -> ElToroPosition:
        """Return the position as the visitor may see it.

        Raises Http404 for a table of another game.
        """
        position = self.table_view().position
        if not isinstance(position, ElToroPosition) or position.game is None:
            raise Http404
        return position

    def represent(self, row: ElToroPosition) -> JSONObject:
        """Return the exact chances, which are cached for each position."""
        ends = [row.rules.board.spaces[end].key for end in row.rules.board.rows[-1]]
        results = [
            {
                "runner": f"{SEAT_LETTERS[seat]}{number + 1}",
                "arrives": dict(zip(ends, chances.arrives, strict=True)),
                "by_step": list(chances.by_step),
                "trampled": chances.trampled,
                "points": chances.points,
            }
            for (seat, number), chances in row.odds().items()
        ]
        return {"results": results}
