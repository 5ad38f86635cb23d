"""Boards of games with real cards in the API: begin a board, record entries, submit the result."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Final

from django.http import Http404
from django.utils import timezone
from drf_spectacular.utils import extend_schema_view
from rest_framework import serializers
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSetMixin

from api.problems import Problem, as_problem
from api.types import JSONObject
from api.views import DetailView, idempotent
from eltoro.api.resources import town_to_json
from eltoro.models import Keeping
from eltoro.queries import begun_matches, real_board_of
from eltoro.tabletop import operations
from eltoro.tabletop.operations import EntryRefused
from leagues.api.matches.matches import MATCH_PARAMETERS
from leagues.api.matches.serializers import MatchFull, MatchLine, full_match, match_line
from leagues.api.resources import MatchResource, VisitorResource, op
from leagues.models import Match, Player

TAG: Final = "el toro"


@as_problem.register
def _problem_of(error: EntryRefused) -> Problem | None:
    return Problem(422, str(error), field=error.field)


class BegunShown(serializers.Serializer[JSONObject]):
    """A match that is being entered. `mode` is null if it has no board yet."""

    match = MatchLine()
    mode = serializers.ChoiceField(choices=Keeping.Mode.values, allow_null=True)


class BegunList(serializers.Serializer[JSONObject]):
    """All matches that the user has begun."""

    results = BegunShown(many=True)


@extend_schema_view(get=op("eltoro_begun", TAG, BegunList))
class BegunListView(VisitorResource, DetailView):
    """The current user's unfinished matches that have a board or can have one."""

    serializer_class = BegunList

    def get_object(self) -> Player | None:
        """Return the current user's player. Raises NotAuthenticated."""
        if self.person is None:
            raise NotAuthenticated
        return self.player

    def represent(self, row: Player | None) -> JSONObject:
        """Return the user's unfinished matches, with three queries."""
        begun = begun_matches(row) if row else []
        results = [
            {
                "match": match_line(begun_match.line.match),
                "mode": begun_match.keeping.mode if begun_match.keeping else None,
            }
            for begun_match in begun
        ]
        return {"results": results}


class BoardKept(serializers.Serializer[JSONObject]):
    """A board of a game with real cards. `due` says what must be entered next."""

    match = serializers.IntegerField()
    mode = serializers.ChoiceField(choices=Keeping.Mode.values)
    version = serializers.IntegerField(help_text="Who writes names the one they saw.")
    commitment = serializers.CharField()
    seed = serializers.CharField(allow_null=True, help_text="Null until the match is submitted.")
    due = serializers.CharField()
    entries = serializers.ListField(child=serializers.CharField())
    town = serializers.JSONField()
    points = serializers.ListField(child=serializers.IntegerField())


def board_to_json(keeping: Keeping) -> JSONObject:
    kept = real_board_of(keeping)
    opened = keeping.match.state != Match.State.DRAFT
    return {
        "match": keeping.match_id,
        "mode": keeping.mode,
        "version": keeping.version,
        "commitment": keeping.commitment,
        "seed": bytes(keeping.seed).hex() if opened else None,
        "due": kept.due.value,
        "entries": list(kept.entries),
        "town": town_to_json(kept.town(), kept.rules),
        "points": list(kept.totals),
    }


class BoardMixin(MatchResource):
    """Finds the board of the match in the URL."""

    @cached_property
    def keeping(self) -> Keeping:
        """The board of the match. Raises Http404 if there is none."""
        board = Keeping.objects.filter(match=self.match).first()
        if board is None:
            raise Http404
        board.match = self.match
        return board

    def lock(self) -> None:
        """Lock the database row of the tracked board, and no other rows, like the operations that
        record entries.
        """
        Keeping.objects.select_for_update(no_key=True).get(pk=self.keeping.pk)
        del self.keeping, self.match


class KeepBoard(serializers.Serializer[JSONObject]):
    """Choice between dice rolled by the site and dice rolled by the players."""

    mode = serializers.ChoiceField(choices=Keeping.Mode.values)


@extend_schema_view(get=op("eltoro_kept_board", TAG, BoardKept))
class KeptBoardView(BoardMixin, DetailView):
    """The board in its current state. A POST begins a board."""

    serializer_class = BoardKept

    def get_object(self) -> Keeping:
        return self.keeping

    def represent(self, row: Keeping) -> JSONObject:
        return board_to_json(row)

    @op("eltoro_keep_board", TAG, {201: BoardKept}, **MATCH_PARAMETERS)
    @idempotent(KeepBoard)
    def post(self, request: Request, *args: str, **kwargs: str | int) -> Response:
        """Begin a board, for users who may enter the match.

        Returns the board if it already exists.
        """
        mode, match, me = self.read(request)["mode"], self.match, self.acting()
        row = operations.begin_keeping(match=match, mode=mode, by=me, at=timezone.now())
        row.match = match
        return Response(board_to_json(row), status=201)


class BoardVersion(serializers.Serializer[JSONObject]):
    """The version of the board that the client has seen. A newer version causes status 409."""

    version = serializers.IntegerField(min_value=0, max_value=2**31 - 1)


class NewEntry(BoardVersion):
    """One entry in notation: `bulls 35162`, `advance`, `points a 2`."""

    text = serializers.CharField(max_length=500)


class WhoRolls(BoardVersion, KeepBoard):
    """Choice between dice rolled by the site and by the players, before the first entry."""


class BoardViewSet(ViewSetMixin, BoardMixin):
    """Actions on a board, for users who may enter the match.

    `If-Match` rejects a request if the board has changed since the client read it.
    """

    def perform(self, operation: Callable[..., Keeping], request: Request) -> Response:
        """Run an operation with the submitted data and return the board."""
        given = self.read(request)
        self.lock_and_compare(request, lambda: board_to_json(self.keeping))
        row = operation(keeping=self.keeping, by=self.acting(), at=timezone.now(), **given)
        return Response(board_to_json(row))

    @op("eltoro_write_entry", TAG, BoardKept, **MATCH_PARAMETERS)
    @idempotent(NewEntry)
    def record(self, request: Request, pk: int) -> Response:
        """Record one entry."""
        return self.perform(operations.record_entry, request)

    @op("eltoro_undo_entry", TAG, BoardKept, **MATCH_PARAMETERS)
    @idempotent(BoardVersion)
    def undo(self, request: Request, pk: int) -> Response:
        """Remove the last entry from the board."""
        return self.perform(operations.undo_entry, request)

    @op("eltoro_choose_dice", TAG, BoardKept, **MATCH_PARAMETERS)
    @idempotent(WhoRolls)
    def choose_dice(self, request: Request, pk: int) -> Response:
        """Choose whether the site or the players roll the dice, before the first entry."""
        return self.perform(operations.choose_dice, request)

    @op("eltoro_hand_in_board", TAG, MatchFull, **MATCH_PARAMETERS)
    @idempotent(BoardVersion)
    def hand_in(self, request: Request, pk: int) -> Response:
        """Submit the game after its last day as a scoresheet. A second player must confirm it."""
        version, me = self.read(request)["version"], self.acting()
        self.lock_and_compare(request, lambda: board_to_json(self.keeping))
        row = operations.hand_in_board(
            keeping=self.keeping, version=version, by=me, at=timezone.now()
        )
        return Response(full_match(row.pk, me))
