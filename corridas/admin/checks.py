"""Admin pages that check a roster or simulate lidias with a card. They change nothing."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict

from django.contrib import admin, messages
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import path, reverse

from core.keys import parse_key
from corridas.errors import OperationError
from corridas.models import Circuit, Matador, MatadorCard
from corridas.roster.checks import LIDIAS, CardComparison, check_roster, put_on_trial
from corridas.world.trial import BESIDES, VERDICTS

if TYPE_CHECKING:
    from django.db.models import Model
    from django.urls import URLPattern

if TYPE_CHECKING:  # Django's class is generic only in the type stubs
    AnyAdmin = admin.ModelAdmin[Any]
else:
    AnyAdmin = admin.ModelAdmin


class AnswerPage(AnyAdmin):
    """ModelAdmin with an additional page about a row, for everybody who may view the row."""

    answer_name = ""

    def get_urls(self) -> list[URLPattern]:
        name = f"{self.opts.app_label}_{self.opts.model_name}_{self.answer_name}"
        view = self.admin_site.admin_view(self.answer_view)
        return [path(f"<path:object_id>/{self.answer_name}/", view, name=name), *super().get_urls()]

    def answer_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Show the additional page of a row.

        Raise `Http404` for rows of circuits hidden from the user.
        """
        row = self.get_queryset(request).filter(pk=_key(object_id)).first()
        if row is None:
            raise Http404
        if not self.has_view_or_change_permission(request, row):
            raise PermissionDenied
        return self.answer(request, row)

    def answer(self, request: HttpRequest, row: Any) -> HttpResponse:
        raise NotImplementedError

    def page(self, request: HttpRequest, row: Model, **extra: object) -> TemplateResponse:
        usual = self.admin_site.each_context(request) | {"opts": self.opts, "original": row}
        template = f"admin/corridas/{self.opts.model_name}/{self.answer_name}.html"
        return TemplateResponse(request, template, usual | extra)


class RosterPage(AnswerPage):
    answer_name = "check"

    def answer(self, request: HttpRequest, row: Circuit) -> HttpResponse:
        findings = [
            (finding, self._change_url(finding.row)) for finding in check_roster(circuit=row)
        ]
        return self.page(request, row, findings=findings)

    def _change_url(self, row: Model | None) -> str:
        if row is None:
            return ""
        return reverse(f"admin:{row._meta.app_label}_{row._meta.model_name}_change", args=[row.pk])


class TrialPage(AnswerPage):
    """A page that simulates a thousand lidias with a matador's card.

    It compares the results with the mean of his circuit.
    """

    answer_name = "trial"

    def answer(self, request: HttpRequest, row: Matador) -> HttpResponse:
        """Show the shares of trophies and verdicts as bars.

        The query parameters `card` and `category` choose the card and the category of plazas.
        """
        cards = list(MatadorCard.objects.filter(matador=row).order_by("-printing"))
        wanted = _key(request.GET.get("card", ""))
        card = next(
            (candidate for candidate in cards if candidate.pk == wanted),
            cards[0] if cards else None,
        )
        category = max(1, min(3, _key(request.GET.get("category", "")) or 1))
        began = time.monotonic()
        if card is None:
            raise Http404
        try:
            compared = put_on_trial(card=card, category=category)
        except OperationError as error:
            messages.error(request, str(error))
            return redirect(reverse("admin:corridas_matador_change", args=[row.pk]))
        context: TrialContext = {
            "cards": cards,
            "card": card,
            "category": category,
            "lidias": LIDIAS,
            "verdicts": [_share(name, compared) for name in VERDICTS],
            "besides": [_share(name, compared) for name in BESIDES],
            "seconds": time.monotonic() - began,
        }
        return self.page(request, row, **context)


class OutcomeShare(NamedTuple):
    """How often a result occurs, in percent: with the card, in the whole circuit, and the
    difference.
    """

    name: str
    own: float
    mean: float
    more: float


class TrialContext(TypedDict):
    cards: list[MatadorCard]
    card: MatadorCard
    category: int
    lidias: int
    verdicts: list[OutcomeShare]
    besides: list[OutcomeShare]
    seconds: float


def _share(name: str, compared: CardComparison) -> OutcomeShare:
    own, mean = compared.card.share(name), compared.mean.share(name)
    return OutcomeShare(name, own=100 * own, mean=100 * mean, more=100 * (own - mean))


def _key(text: str) -> int:
    return parse_key(unquote(text)) or 0
