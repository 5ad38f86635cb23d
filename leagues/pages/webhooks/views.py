"""The page of a league's webhooks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from api.idempotency import form_once
from core.keys import parse_key
from events.kinds import kinds
from leagues.exceptions import OperationError
from leagues.models import Delivery, League, Player, Webhook
from leagues.pages.access import (
    confirmation_page,
    confirmed_edition,
    league_context,
    organised_league,
    perform_and_redirect,
)
from leagues.pages.forms import add_refusal
from leagues.webhooks import operations as webhook_operations
from leagues.webhooks.addresses import MAX_URL_LENGTH

# Session key of new webhook secrets. The next page shows them once and deletes them.
SECRETS_SESSION_KEY: Final = "webhook_secrets"
RECENT_DELIVERIES: Final = 20


class WebhookForm(forms.Form):
    url = forms.CharField(
        label=gettext_lazy("address"),
        max_length=MAX_URL_LENGTH,
        widget=forms.URLInput(attrs={"placeholder": "https://", "autocomplete": "off"}),
    )
    kinds = forms.MultipleChoiceField(
        label=gettext_lazy("events to send; leave all unticked to send everything"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        choices=lambda: [(key, kinds[key].name) for key in webhook_operations.available_kinds()],
    )


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@form_once
def webhooks_page(request: HttpRequest, slug: str) -> HttpResponse:
    league, player = organised_league(request, slug)
    form = WebhookForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            hook = webhook_operations.add_webhook(
                league=league,
                url=form.cleaned_data["url"],
                wanted=form.cleaned_data["kinds"],
                by=player,
                at=timezone.now(),
            )
        except OperationError as error:
            add_refusal(form, error)
        else:
            _show_secret(request, hook)
            return redirect("league_webhooks", league.slug)
    context = (
        league_context(league, player, "settings")
        | {"form": form}
        | _webhooks_context(request, league)
    )
    return render(request, "leagues/webhooks.html", context, status=422 if form.errors else 200)


def _webhooks_context(request: HttpRequest, league: League) -> dict[str, object]:
    secrets = request.session.pop(SECRETS_SESSION_KEY, {})
    hooks = list(league.webhooks.all())
    for hook in hooks:
        hook.shown_secret = secrets.get(str(hook.pk), "")  # type: ignore[attr-defined]
        hook.latest = list(hook.deliveries.all()[:RECENT_DELIVERIES])  # type: ignore[attr-defined]
    waits = any(delivery.state == Delivery.State.WAITING for h in hooks for delivery in h.latest)  # type: ignore[attr-defined]
    return {"hooks": hooks, "waits": waits, "room": len(hooks) < settings.WEBHOOKS_A_LEAGUE}


def _show_secret(request: HttpRequest, hook: Webhook) -> None:
    request.session[SECRETS_SESSION_KEY] = {
        **request.session.get(SECRETS_SESSION_KEY, {}),
        str(hook.pk): hook.secret,
    }
    messages.success(request, _("Copy the secret now: it will not be shown again."))


@require_POST
def webhook_action(request: HttpRequest, slug: str, pk: int, action: str) -> HttpResponse:
    league, player = organised_league(request, slug)
    handler = ACTIONS.get(action)
    if handler is None:
        raise Http404("no such action")
    done, perform = handler
    to = reverse("league_webhooks", args=[league.slug])
    if action == "remove" and confirmed_edition(request) is None:
        hook = get_object_or_404(Webhook, pk=pk, league=league)
        return confirmation_page(
            request,
            league,
            player,
            "settings",
            lambda: _removal_in_words(hook),
            heading=_("Remove the address?"),
            button=_("Remove"),
            keep=_("Keep the address"),
            back=to,
        )
    return perform_and_redirect(request, lambda: perform(request, league, pk, player), done(), to)


def _removal_in_words(hook: Webhook) -> list[str]:
    count = hook.deliveries.count()
    deliveries = ngettext(
        "The log of %(count)s delivery will be deleted too.",
        "The log of %(count)s deliveries will be deleted too.",
        count,
    )
    return [
        _("Nothing will be sent to %(url)s any more.") % {"url": hook.url},
        *([deliveries % {"count": count}] if count else []),
        _("This can’t be undone."),
    ]


def _test(_request: HttpRequest, league: League, key: int, by: Player) -> None:
    webhook_operations.send_test(league=league, key=key, by=by, at=timezone.now())


def _deliver_again(request: HttpRequest, league: League, key: int, by: Player) -> None:
    delivery = parse_key(request.POST.get("delivery", ""))
    webhook_operations.deliver_again(
        league=league, key=key, delivery=delivery or 0, by=by, at=timezone.now()
    )


def _secret(request: HttpRequest, league: League, key: int, by: Player) -> None:
    _show_secret(
        request, webhook_operations.renew_secret(league=league, key=key, by=by, at=timezone.now())
    )


def _switch_on(_request: HttpRequest, league: League, key: int, by: Player) -> None:
    webhook_operations.switch_webhook(league=league, key=key, on=True, by=by, at=timezone.now())


def _switch_off(_request: HttpRequest, league: League, key: int, by: Player) -> None:
    webhook_operations.switch_webhook(league=league, key=key, on=False, by=by, at=timezone.now())


def _remove(_request: HttpRequest, league: League, key: int, by: Player) -> None:
    webhook_operations.remove_webhook(league=league, key=key, by=by)


WebhookAction = Callable[[HttpRequest, League, int, Player], None]
ACTIONS: Final[dict[str, tuple[Callable[[], str], WebhookAction]]] = {
    "test": (lambda: _("A test event is being sent. Check again in a few seconds."), _test),
    "again": (
        lambda: _("The event is being sent again. Check again in a few seconds."),
        _deliver_again,
    ),
    "secret": (
        lambda: _(
            "A new secret has been created. For one day, deliveries will also be signed with "
            "the old secret."
        ),
        _secret,
    ),
    "on": (
        lambda: _("The webhook has been turned on and will receive all new events."),
        _switch_on,
    ),
    "off": (lambda: _("The webhook has been turned off."), _switch_off),
    "remove": (lambda: _("The webhook has been removed."), _remove),
}
