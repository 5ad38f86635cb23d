"""Pages by cursor: they neither skip nor repeat a row when others are written meanwhile."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from rest_framework.exceptions import NotFound
from rest_framework.pagination import CursorPagination
from rest_framework.request import Request

from api.problems import Problem

MOST = 200
LONGEST_CURSOR = 400


class ByCursor(CursorPagination):
    """`?cursor=` goes on from a page, `?limit=` says how many rows it has (1 to 200, else 50)."""

    page_size = 50
    max_page_size = MOST
    page_size_query_param = "limit"
    ordering = "pk"

    def get_page_size(self, request: Request) -> int | None:
        """How many rows; raises Problem for what is not a number from 1 to 200."""
        written = request.query_params.get("limit")
        if written is None:
            return self.page_size
        is_number = written.isascii() and written.isdigit() and len(written) < 5
        if is_number and 0 < int(written) <= MOST:
            return int(written)
        sentence = _("A page has 1 to %(most)s rows.") % {"most": MOST}
        raise Problem(400, sentence, field="limit")

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        """How the schema names both."""
        told = super().get_schema_operation_parameters(view)
        for one in told:
            if one["name"] == "limit":
                one["schema"] = {"type": "integer", "minimum": 1, "maximum": MOST}
            else:
                one["schema"] = {"type": "string", "maxLength": LONGEST_CURSOR}
        return told

    def get_ordering(self, request: Request, queryset: Any, view: Any) -> tuple[str, ...]:
        """The view's own `ordering`; it ends in a column that no two rows share."""
        ordering = getattr(view, "ordering", self.ordering)
        return (ordering,) if isinstance(ordering, str) else tuple(ordering)

    def decode_cursor(self, request: Request) -> Any:
        """Where to go on; raises Problem for a cursor that we did not give out: no such page."""
        if len(request.query_params.get("cursor", "")) > LONGEST_CURSOR:
            raise Problem(400, _("This cursor is none of ours."), field="cursor")
        try:
            return super().decode_cursor(request)
        except NotFound as error:
            raise Problem(404, _("This cursor is none of ours."), field="cursor") from error

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> Any:
        """The rows of the page. Raises Problem for a cursor whose position is no such value."""
        try:
            return super().paginate_queryset(queryset, request, view)
        except (ValueError, TypeError, OverflowError, ValidationError) as error:
            raise Problem(404, _("This cursor is none of ours."), field="cursor") from error
