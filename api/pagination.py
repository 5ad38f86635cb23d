"""Keyset pagination: no row is skipped or repeated if rows are added or deleted meanwhile."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Any, Final, NamedTuple

from django.core.exceptions import ValidationError
from django.db.models import F, Model, Q, QuerySet
from django.db.models.expressions import OrderBy
from django.utils.translation import gettext as _
from rest_framework.pagination import CursorPagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import remove_query_param, replace_query_param
from rest_framework.views import APIView

from api.parsing import check_characters
from api.problems import Problem
from api.types import JSONObject

MAX_PAGE_SIZE: Final = 200
# Maximum length of a pagination cursor, in characters. It is enough for two names of the maximum
# length, in a script that takes four bytes per letter, and a number.
MAX_CURSOR_LENGTH: Final = 1200


class Cursor(NamedTuple):
    """The row of a list after which a page begins: its values in the columns of the ordering.

    With `backwards`, the page ends before that row. Without values, the page begins with the first
    row (backwards: ends with the last row).
    """

    values: tuple[str | None, ...] = ()
    backwards: bool = False


class OrderingColumn(NamedTuple):
    """A column by which a paginated list is ordered. Null values come last in ascending order."""

    name: str
    falling: bool
    field: Any

    def order(self) -> OrderBy:
        if not self.field.null:
            return F(self.name).desc() if self.falling else F(self.name).asc()
        if self.falling:
            return F(self.name).desc(nulls_first=True)
        return F(self.name).asc(nulls_last=True)

    def rows_beyond(self, value: object) -> Q:
        if value is None:
            return Q(**{f"{self.name}__isnull": False}) if self.falling else Q(pk__in=[])
        if self.falling:
            return Q(**{f"{self.name}__lt": value})
        greater = Q(**{f"{self.name}__gt": value})
        return greater | Q(**{f"{self.name}__isnull": True}) if self.field.null else greater

    def rows_within(self, value: object) -> Q:
        """Return a filter on this column alone that excludes earlier rows.

        The database can use an index for this simple filter, but not for the exact condition on all
        columns.
        """
        if self.field.null:
            return Q()
        return Q(**{f"{self.name}__{'lte' if self.falling else 'gte'}": value})

    def rows_at(self, value: object) -> Q:
        return Q(**({f"{self.name}__isnull": True} if value is None else {self.name: value}))

    def read(self, written: str | None) -> Any:
        """Convert a column's value from a cursor.

        Raises ValueError, TypeError or ValidationError.
        """
        return None if written is None else self.field.to_python(written)

    def write(self, row: Model) -> str | None:
        value = getattr(row, self.name)
        return None if value is None else str(value)


class KeysetPagination(CursorPagination):
    """Pagination by cursor that works with any number of equal values.

    `?cursor=` continues after a page. `?limit=` sets the number of rows (1 to 200, default 50). A
    cursor contains a row's values in all columns of the ordering.
    """

    page_size = 50
    max_page_size = MAX_PAGE_SIZE
    page_size_query_param = "limit"
    ordering = "pk"
    base_url: str
    _next: Cursor | None = None
    _previous: Cursor | None = None

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> Any:
        size = self.get_page_size(request) or self.page_size
        self.base_url = request.build_absolute_uri()
        given = self.decode_cursor(request)
        cursor = given or Cursor()
        columns = _columns(queryset, self.get_ordering(request, queryset, view), cursor.backwards)
        rows = queryset.order_by(*(column.order() for column in columns))
        try:
            rows_found = list(rows.filter(_rows_after(columns, cursor.values))[: size + 1])
        except (ValueError, TypeError, OverflowError, ArithmeticError, ValidationError) as error:
            raise _invalid_cursor() from error
        page, more = rows_found[:size], len(rows_found) > size
        self._link(columns, page[::-1] if cursor.backwards else page, given, more)
        return page[::-1] if cursor.backwards else page

    def _link(
        self, columns: list[OrderingColumn], page: list[Model], given: Cursor | None, more: bool
    ) -> None:
        backwards = given is not None and given.backwards
        first, last = (
            tuple(column.write(page[end]) for column in columns) if page else () for end in (0, -1)
        )
        has_next = bool(given and given.values) if backwards else more
        has_previous = more if backwards else given is not None
        self._next = Cursor(last) if has_next else None
        self._previous = Cursor(first, backwards=True) if has_previous else None

    def get_next_link(self) -> str | None:
        return self._address(self._next)

    def get_previous_link(self) -> str | None:
        return self._address(self._previous)

    def _address(self, cursor: Cursor | None) -> str | None:
        if cursor is None:
            return None
        if cursor == Cursor():
            return str(remove_query_param(self.base_url, "cursor"))
        return str(replace_query_param(self.base_url, "cursor", format_cursor(cursor)))

    def get_paginated_response(self, data: object) -> Response:
        links = {"next": self.get_next_link(), "previous": self.get_previous_link()}
        return Response({**links, "results": data})

    def get_page_size(self, request: Request) -> int | None:
        """Return the number of rows per page. Raises Problem unless it is from 1 to 200."""
        written = request.query_params.get("limit")
        if written is None:
            return self.page_size
        is_number = written.isascii() and written.isdigit() and len(written) < 5
        if is_number and 0 < int(written) <= MAX_PAGE_SIZE:
            return int(written)
        sentence = _("A page must have 1 to %(most)s rows.") % {"most": MAX_PAGE_SIZE}
        raise Problem(400, sentence, field="limit")

    def get_schema_operation_parameters(self, view: APIView) -> list[JSONObject]:
        parameters = super().get_schema_operation_parameters(view)
        for parameter in parameters:
            if parameter["name"] == "limit":
                parameter["schema"] = {"type": "integer", "minimum": 1, "maximum": MAX_PAGE_SIZE}
            else:
                parameter["schema"] = {"type": "string", "maxLength": MAX_CURSOR_LENGTH}
        return parameters

    def get_ordering(
        self, request: Request, queryset: QuerySet[Model], view: APIView
    ) -> tuple[str, ...]:
        ordering = getattr(view, "ordering", self.ordering)
        return (ordering,) if isinstance(ordering, str) else tuple(ordering)

    def decode_cursor(self, request: Request) -> Any:
        text = request.query_params.get("cursor")
        if text is None:
            return None
        if len(text) > MAX_CURSOR_LENGTH:
            raise Problem(400, _("This cursor is not valid."), field="cursor")
        return parse_cursor(text)


def format_cursor(cursor: Cursor) -> str:
    encoded = json.dumps([cursor.backwards, *cursor.values], ensure_ascii=False).encode()
    return urlsafe_b64encode(encoded).decode().rstrip("=")


def parse_cursor(text: str) -> Cursor:
    try:
        decoded = json.loads(urlsafe_b64decode(text.encode() + b"=" * (-len(text) % 4)))
        backwards, *values = decoded
        check_characters("".join(map(str, values)))
    except (ValueError, TypeError, RecursionError, Problem) as error:
        raise _invalid_cursor() from error
    if not isinstance(backwards, bool) or not all(isinstance(v, str | None) for v in values):
        raise _invalid_cursor()
    return Cursor(tuple(values), backwards)


def _invalid_cursor() -> Problem:
    return Problem(404, _("This cursor is not valid."), field="cursor")


def _columns(
    queryset: QuerySet[Model], ordering: tuple[str, ...], backwards: bool
) -> list[OrderingColumn]:
    meta = queryset.model._meta
    columns = []
    for term in ordering:
        name = term.removeprefix("-")
        field = meta.pk if name == "pk" else meta.get_field(name)
        columns.append(OrderingColumn(name, term.startswith("-") != backwards, field))
    return columns


def _rows_after(columns: list[OrderingColumn], values: tuple[str | None, ...]) -> Q:
    """Return the condition for rows after the row with these values in the ordering.

    Raises ValueError if the values do not match the columns.
    """
    if not values:
        return Q()
    known = [(column, column.read(value)) for column, value in zip(columns, values, strict=True)]
    beyond = Q(pk__in=[])
    for column, value in reversed(known):
        beyond = column.rows_beyond(value) | (column.rows_at(value) & beyond)
    first, value = known[0]
    return first.rows_within(value) & beyond
