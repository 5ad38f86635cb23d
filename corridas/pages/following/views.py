"""Pages to follow a matador or a herd, and the list of all that a user follows.

Pages of matadors and herds are cached for all visitors, so they load the follow button, which is
personal, as a separate fragment.
"""

from __future__ import annotations

from typing import TypedDict

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.redirects import redirect_back
from corridas.addresses import address
from corridas.circuit_queries import SHIPPED
from corridas.errors import OperationError
from corridas.following.operations import follow, unfollow
from corridas.following.queries import FollowedRow, follow_of, followed_rows
from corridas.models import Ganaderia, Matador
from corridas.pages.access import signed_in_user


class FollowContext(TypedDict):
    circuit: str
    name: str
    page: str
    action: str
    followed: bool


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def follow_matador(request: HttpRequest, slug: str, circuit: str = SHIPPED) -> HttpResponse:
    row = get_object_or_404(Matador, circuit__slug=circuit, slug=slug)
    page = address(circuit, "matador", slug=slug)
    return _follow_page(request, circuit, row, row.billing, page)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def follow_herd(request: HttpRequest, slug: str, circuit: str = SHIPPED) -> HttpResponse:
    row = get_object_or_404(Ganaderia, circuit__slug=circuit, slug=slug)
    return _follow_page(request, circuit, row, row.name, address(circuit, "herd", slug=slug))


def _follow_page(
    request: HttpRequest, circuit: str, row: Matador | Ganaderia, name: str, page: str
) -> HttpResponse:
    user = signed_in_user(request)
    if request.method == "POST":
        try:
            if request.POST.get("follow") == "no":
                unfollow(user=user, row=row)
                messages.success(request, _("You no longer follow %(name)s.") % {"name": name})
            else:
                follow(user=user, row=row, at=timezone.now())
                messages.success(request, _("You follow %(name)s.") % {"name": name})
        except OperationError as error:
            messages.error(request, str(error))
        return redirect_back(request, request.POST.get("next", ""), page)
    context: FollowContext = {
        "circuit": circuit,
        "name": name,
        "page": page,
        "action": request.path,
        "followed": follow_of(user, row).exists(),
    }
    part = "#form" if request.headers.get("HX-Request") == "true" else ""
    return render(request, f"corridas/follow.html{part}", context)


class FollowingContext(TypedDict):
    matadors: list[FollowedRow]
    herds: list[FollowedRow]


@login_required
@never_cache
@require_safe
def following_page(request: HttpRequest) -> HttpResponse:
    men, herds = followed_rows(signed_in_user(request))
    context: FollowingContext = {"matadors": men, "herds": herds}
    return render(request, "corridas/following.html", context)
