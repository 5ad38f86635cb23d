"""The status page for administrators."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from server.health.status import site_status


@require_safe
@never_cache
def status(request: HttpRequest) -> HttpResponse:
    return render(request, "status.html", {"status": site_status()})
