"""API resources of webhooks and their deliveries, for organisers."""

from __future__ import annotations

from typing import Any, Final

from django.http import Http404
from django.urls import reverse
from django.utils import timezone
from drf_spectacular.utils import extend_schema_view
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.views import ActionView, DetailView, ListView
from leagues.api import LeagueResource, op
from leagues.models import Delivery, League, Webhook
from leagues.permissions import may_organise
from leagues.webhooks import operations as webhook_operations
from leagues.webhooks.addresses import MAX_URL_LENGTH

TAG: Final = "webhooks"
ONCE: Final = "Shown this once: null where the same act is told again."


class WebhookShown(serializers.ModelSerializer[Webhook]):
    """An address and the events sent to it. Empty `kinds` means all."""

    kinds = serializers.ListField(child=serializers.CharField())
    on = serializers.SerializerMethodField(help_text="Whether anything is sent.")
    stopped = serializers.ChoiceField(
        choices=Webhook.Stopped.values, help_text="Why nothing is sent; empty where it is on."
    )

    class Meta:
        model = Webhook
        fields = ["id", "url", "kinds", "on", "stopped", "failing_since", "created_at"]

    def get_on(self, hook: Webhook) -> bool:
        """False if the webhook is stopped for any reason."""
        return hook.stopped == Webhook.Stopped.NOT


class WebhookSecret(WebhookShown):
    """A webhook with the secret that signs its events."""

    secret = serializers.CharField(allow_null=True, help_text=ONCE)

    class Meta(WebhookShown.Meta):
        fields = [*WebhookShown.Meta.fields, "secret"]


class NewWebhook(serializers.Serializer[Any]):
    """Address and kinds of events. No kinds means all."""

    url = serializers.CharField(
        max_length=MAX_URL_LENGTH, trim_whitespace=False, help_text="Begins with https://."
    )
    kinds = serializers.ListField(
        child=serializers.ChoiceField(choices=webhook_operations.available_kinds()),
        max_length=50,
        default=list,
    )


class ChangedWebhook(serializers.Serializer[Any]):
    """Settings to change. A different address replaces this webhook by a new one."""

    on = serializers.BooleanField(required=False)
    kinds = serializers.ListField(
        child=serializers.ChoiceField(choices=webhook_operations.available_kinds()),
        max_length=50,
        required=False,
    )


class DeliveryShown(serializers.ModelSerializer[Delivery]):
    """An attempt to send an event. `identifier` is the same for every attempt at it."""

    cause = serializers.ChoiceField(choices=Delivery.Cause.values)
    state = serializers.ChoiceField(choices=Delivery.State.values)
    failure = serializers.ChoiceField(choices=Delivery.Failure.values)

    class Meta:
        model = Delivery
        fields = ["id", "identifier", "event", "kind", "cause", "attempt", "state", "at"]
        fields += ["next_at", "status", "took_ms", "failure", "said"]


class OrganiserResource(LeagueResource):
    """Base resource of a league for its organisers only."""

    queryset: Any = Webhook.objects.none()
    serializer_class: Any = WebhookShown
    organised: League

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Raises Http404 for others, before anything is read."""
        super().initial(request, *args, **kwargs)
        if self.player is None or not may_organise(self.player, self.league):
            raise Http404
        self.organised = self.league


@extend_schema_view(
    get=op("webhooks_list", TAG, WebhookShown(many=True)),
    post=op("webhooks_add", TAG, {201: WebhookSecret}),
)
class Webhooks(OrganiserResource, ActionView, ListView):
    """List the webhooks of a league. A POST adds one and returns its secret."""

    asks_for = NewWebhook
    shown_once = ("secret",)

    def get_queryset(self) -> Any:
        """Webhooks of the league."""
        return Webhook.objects.filter(league=self.organised)

    def do(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Resolve the host name before the transaction begins."""
        self.address = webhook_operations.checked_address(self.read(request)["url"])
        return super().do(request, *args, **kwargs)

    def perform(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Add a webhook for future events, for organisers."""
        hook = webhook_operations.add_checked(
            league=self.organised,
            address=self.address,
            wanted=self.read(request)["kinds"],
            by=self.acting(),
            at=timezone.now(),
        )
        at = reverse("api_webhook", args=[self.organised.slug, hook.pk])
        return Response(WebhookSecret(hook).data, status=201, headers={"Location": at})


class WebhookResource(OrganiserResource):
    """Base resource of a webhook."""

    def hook(self) -> Webhook:
        """Webhook in the address. Raises Http404."""
        found = Webhook.objects.filter(league=self.organised, pk=self.kwargs["pk"]).first()
        if found is None:
            raise Http404
        return found

    def held(self, request: Request) -> Webhook:
        """The webhook, locked and compared with `If-Match`."""
        found = webhook_operations.lock_webhook(self.organised, self.hook().pk, self.acting())
        self.hold(request, lambda: WebhookShown(found).data)
        return found


@extend_schema_view(
    get=op("webhooks_read", TAG, WebhookShown),
    patch=op("webhooks_change", TAG, WebhookShown),
    delete=op("webhooks_remove", TAG, {204: None}),
)
class WebhookOne(WebhookResource, ActionView, DetailView):
    """A webhook, which can be switched on or off, changed and deleted."""

    http_method_names = ["get", "head", "options", "patch", "delete"]
    asks_for = ChangedWebhook

    def get_object(self) -> Webhook:
        """Webhook in the address."""
        return self.hook()

    def patch(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Change the webhook."""
        return self.do(request, *args, **kwargs)

    def delete(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Delete the webhook."""
        return self.do(request, *args, **kwargs)

    def perform(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Change or delete the webhook, for organisers."""
        hook = self.held(request)
        which: dict[str, Any] = {"league": self.organised, "key": hook.pk, "by": self.acting()}
        if request.method == "DELETE":
            webhook_operations.remove_webhook(**which)
            return Response(status=204)
        given = self.read(request)
        if "kinds" in given:
            hook = webhook_operations.choose_kinds(**which, wanted=given["kinds"])
        if "on" in given and given["on"] == bool(hook.stopped):
            hook = webhook_operations.switch_webhook(**which, on=given["on"], at=timezone.now())
        return Response(WebhookShown(hook).data)


@extend_schema_view(post=op("webhooks_renew_secret", TAG, WebhookSecret))
class WebhookSecretNew(WebhookResource, ActionView):
    """Renew the secret. The previous one also signs for a day."""

    shown_once = ("secret",)

    def perform(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Renew the secret, for organisers."""
        key = self.held(request).pk
        league, by = self.organised, self.acting()
        hook = webhook_operations.renew_secret(league=league, key=key, by=by, at=timezone.now())
        return Response(WebhookSecret(hook).data)


@extend_schema_view(post=op("webhooks_test", TAG, {202: DeliveryShown}))
class WebhookTest(WebhookResource, ActionView):
    """Send a test. The delivery shows its outcome."""

    def perform(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Send a test, for organisers, limited to twenty an hour."""
        key = self.held(request).pk
        league, by = self.organised, self.acting()
        sent = webhook_operations.send_test(league=league, key=key, by=by, at=timezone.now())
        return delivery_response(league, sent)


def delivery_response(league: League, sent: Delivery) -> Response:
    """Response for a pending delivery, with its location."""
    parts = [league.slug, sent.webhook_id, sent.pk]
    at = reverse("api_delivery", args=parts)
    return Response(DeliveryShown(sent).data, status=202, headers={"Location": at})


@extend_schema_view(get=op("webhooks_deliveries", TAG, DeliveryShown(many=True)))
class Deliveries(WebhookResource, ListView):
    """List sent and pending deliveries, latest first. A hundred are kept."""

    queryset = Delivery.objects.none()
    serializer_class = DeliveryShown
    ordering = ("-pk",)

    def get_queryset(self) -> Any:
        """Deliveries of the webhook."""
        return Delivery.objects.filter(webhook=self.hook())


class DeliveryResource(WebhookResource):
    """Base resource of a delivery."""

    queryset = Delivery.objects.none()
    serializer_class = DeliveryShown

    def delivery(self) -> Delivery:
        """Delivery in the address. Raises Http404."""
        rows = Delivery.objects.filter(webhook=self.hook())
        found = rows.filter(pk=self.kwargs["delivery"]).first()
        if found is None:
            raise Http404
        return found


@extend_schema_view(get=op("webhooks_delivery", TAG, DeliveryShown))
class DeliveryOne(DeliveryResource, DetailView):
    """One delivery."""

    def get_object(self) -> Delivery:
        """Delivery in the address."""
        return self.delivery()


@extend_schema_view(post=op("webhooks_deliver_again", TAG, {202: DeliveryShown}))
class DeliveryAgain(DeliveryResource, ActionView):
    """Send the event of a delivery again, with the same identifier."""

    def perform(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Send the event again, for organisers, limited to twenty an hour."""
        old, league, by = self.delivery(), self.organised, self.acting()
        self.hold(request, lambda: DeliveryShown(old).data)
        which = {"key": old.webhook_id, "delivery": old.pk}
        sent = webhook_operations.deliver_again(league=league, **which, by=by, at=timezone.now())
        return delivery_response(league, sent)
