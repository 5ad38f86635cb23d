"""The sheet of a match as far as it is written: read, kept, thrown away."""

from __future__ import annotations

from typing import Any, Final

from drf_spectacular.utils import extend_schema_view
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.views import Act, Detail
from leagues.api.asking import OfMatch, op
from leagues.api.contents import SheetDocument, check_form
from leagues.api.judging import KNOWN, MatchVersion
from leagues.models import Match
from leagues.operations import matches
from leagues.operations.holding import check
from leagues.rules import Action, bearing

TAG: Final = "matches"


class DraftShown(serializers.Serializer[Any]):
    """What is written so far; null where nothing is."""

    version = serializers.IntegerField(help_text="Of the match: who writes names the one they saw.")
    content = SheetDocument(allow_null=True)


class DraftAsked(MatchVersion):
    """The sheet as far as it is written, in place of what was; nobody judges it yet."""

    content = SheetDocument()


@extend_schema_view(
    get=op("matches_draft", TAG, DraftShown, 403, 409),
    put=op("matches_write_draft", TAG, DraftShown, **KNOWN),
    delete=op("matches_discard_draft", TAG, {204: None}, **KNOWN),
)
class MatchDraft(OfMatch, Act, Detail):
    """The draft that pages write on too; gone once the sheet is handed in."""

    http_method_names = ["get", "head", "options", "put", "delete"]
    serializer_class = DraftShown
    asks_for = DraftAsked

    def get_object(self) -> Match:
        """The match, for who may write on it, while it is being written. Raises OperationError."""
        check(bearing(self.player, self.match), Action.WRITE, self.match)
        return self.match

    def represent(self, row: Match) -> dict[str, Any]:
        """What is written."""
        return {"version": row.version, "content": row.draft}

    def put(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """As asked."""
        return self.do(request, *args, **kwargs)

    def delete(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """As asked."""
        return self.do(request, *args, **kwargs)

    def act(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """By who plays the match, or a scorer."""
        me = self.acting()
        check(bearing(me, self.match), Action.WRITE, self.match)
        self.hold(request, lambda: self.represent(self.match))
        row = self.match
        if request.method == "DELETE":
            matches.save_draft(match=row, version=row.version, content=None, by=me)
            return Response(status=204)
        given = self.read(request)
        check_form(row.game, given["content"])
        return Response(self.represent(matches.save_draft(match=row, by=me, **given)))
