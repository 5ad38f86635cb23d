"""Pages for requesting and downloading a data export."""

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

from accounts.data_export import operations as data_export
from accounts.models import Export, User
from accounts.pages.views import signed_in_user
from accounts.tasks import make_export
from core.jobs import send

# Exports larger than this many bytes are written to a temporary file.
MAX_MEMORY_BYTES = 4 * 1024 * 1024


@never_cache
@login_required
@reauthentication_required(allow_get=True)
def export_page(request: HttpRequest) -> HttpResponseBase:
    user = signed_in_user(request)
    if request.method != "POST":
        copies = list(Export.objects.filter(user=user)[:5])
        making = any(copy.ended_at is None for copy in copies)
        return render(request, "accounts/export.html", {"copies": copies, "making": making})
    refused: HttpResponse | None = consume_or_429(request, action="export")
    if refused is not None:
        return refused
    total = data_export.estimated_rows(user)
    if total <= data_export.MAX_IMMEDIATE_ROWS:
        return _immediate_export(user)
    export = data_export.request_export(user, total=total, at=timezone.now())
    send(make_export, export.pk)
    return redirect("account_export")


def _immediate_export(user: User) -> FileResponse:
    file = tempfile.SpooledTemporaryFile(max_size=MAX_MEMORY_BYTES)  # noqa: SIM115 - the response closes it
    data_export.write_export(user, file)
    file.seek(0)
    return FileResponse(
        file, as_attachment=True, filename="temporada.zip", content_type="application/zip"
    )


@never_cache
@require_safe
@login_required
@reauthentication_required
def download(request: HttpRequest, pk: int) -> StreamingHttpResponse:
    export = Export.objects.filter(
        pk=pk, user=signed_in_user(request), ended_at__isnull=False, error=""
    ).first()
    if export is None:
        raise Http404
    response = StreamingHttpResponse(data_export.file_parts(export), content_type="application/zip")
    response["Content-Disposition"] = 'attachment; filename="temporada.zip"'
    return response
