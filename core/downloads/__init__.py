"""Tables as CSV files, sent in pieces while rows are read from the database."""

from __future__ import annotations

import codecs
import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Final, TypeVar

from django.conf import settings
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.utils.translation import gettext as _

from core.limits.rate_limits import count_request, seconds_until_reset

# Key in the WSGI environment. If it is set, the server sends a download while the response is still
# being written.
STREAMED: Final = "temporada.streamed"
CONTENT_TYPE: Final = "text/csv; charset=utf-8"
# Number of rows in the first piece, which is small so that it arrives soon, and in each further
# piece.
FIRST_ROWS: Final = 100
NEXT_ROWS: Final = 500

Item = TypeVar("Item")


def refuse_download(request: HttpRequest) -> HttpResponse | None:
    """Return a 429 response if an anonymous visitor downloads too often, otherwise None."""
    if request.user.is_authenticated:
        return None
    if count_request(request, "downloads") <= settings.DOWNLOADS_A_MINUTE:
        return None
    sentence = _(
        "You have downloaded too many files in one minute. Wait a minute or sign in, and try again."
    )
    response = HttpResponse(sentence, status=429, content_type="text/plain; charset=utf-8")
    response["Retry-After"] = str(seconds_until_reset())
    return response


def csv_response(
    request: HttpRequest, name: str, rows: Iterable[Sequence[object]]
) -> StreamingHttpResponse:
    """Return rows as a CSV file that is sent in pieces. The first row contains the headings.

    `rows` are read piece by piece. They should come from short queries, so that a slow client does
    not keep a query open. The first piece is read before this function returns, so that an error in
    it gives an error page. The file begins with a byte order mark: without it spreadsheets show
    José as JosÃ©.
    """
    pieces = _pieces(rows) if request.method != "HEAD" else iter(())
    first = next(pieces, b"")
    request.META[STREAMED] = True
    response = StreamingHttpResponse(chain((first,), pieces), content_type=CONTENT_TYPE)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def batches(items: Sequence[Item]) -> Iterator[Sequence[Item]]:
    """Split a sequence, such as primary keys, into batches of the sizes in which a CSV file
    is sent.
    """
    yield items[:FIRST_ROWS]
    for start in range(FIRST_ROWS, len(items), NEXT_ROWS):
        yield items[start : start + NEXT_ROWS]


def _pieces(rows: Iterable[Sequence[object]]) -> Iterator[bytes]:
    left, size, mark = iter(rows), FIRST_ROWS, codecs.BOM_UTF8
    while batch := list(islice(left, size)):
        out = io.StringIO(newline="")
        csv.writer(out).writerows(batch)
        yield mark + out.getvalue().encode()
        size, mark = NEXT_ROWS, b""
