"""A copy of one's data: at once where it is small, else made by a worker."""

from __future__ import annotations

import tempfile

from allauth.account.decorators import reauthentication_required
from allauth.core.ratelimit import consume_or_429
from django.contrib.auth.decorators import login_required
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts import exports
from accounts.models import Export, User
from accounts.tasks import make_export
from accounts.views.visitor import person
from workers import send

IN_MEMORY = 4 * 1024 * 1024
"""Bytes of a copy beyond which it goes through a file while it is made."""


@never_cache
@login_required
@reauthentication_required(allow_get=True)  # type: ignore[untyped-decorator]
def page(request: HttpRequest) -> HttpResponseBase:
    """What a copy is, the copies there are, and the button for a new one."""
    user = person(request)
    if request.method != "POST":
        copies = list(Export.objects.filter(user=user)[:5])
        making = any(copy.ended_at is None for copy in copies)
        return render(request, "accounts/export.html", {"copies": copies, "making": making})
    refused: HttpResponse | None = consume_or_429(request, action="export")
    if refused is not None:
        return refused
    total = exports.weight(user)
    if total <= exports.AT_ONCE:
        return _at_once(user)
    export = exports.ask(user, total=total, at=timezone.now())
    send(make_export, export.pk)
    return redirect("account_export")


def _at_once(user: User) -> FileResponse:
    file = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115  # the answer closes it
    exports.write(user, file)
    file.seek(0)
    return FileResponse(
        file, as_attachment=True, filename="temporada.zip", content_type="application/zip"
    )


@never_cache
@require_safe
@login_required
@reauthentication_required  # type: ignore[untyped-decorator]
def ready(request: HttpRequest, pk: int) -> StreamingHttpResponse:
    """The file of a copy that a worker has made; nobody else's."""
    export = Export.objects.filter(
        pk=pk, user=person(request), ended_at__isnull=False, error=""
    ).first()
    if export is None:
        raise Http404
    response = StreamingHttpResponse(exports.file_of(export), content_type="application/zip")
    response["Content-Disposition"] = 'attachment; filename="temporada.zip"'
    return response
