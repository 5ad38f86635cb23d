"""API resources of webhooks and their deliveries, for organisers."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import QuerySet
from django.http import Http404
from django.urls import reverse
from django.utils import timezone
from drf_spectacular.utils import extend_schema_view
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSetMixin

from api.types import JSONObject
from api.views import ListView, idempotent
from leagues.api.resources import LeagueResource, op
from leagues.models import Delivery, League, Webhook
from leagues.permissions import may_organise
from leagues.webhooks import operations as webhook_operations
from leagues.webhooks.addresses import MAX_URL_LENGTH

TAG: Final = "webhooks"
ONCE: Final = "Shown only once: null in later responses to the same request."


class WebhookShown(serializers.ModelSerializer[Webhook]):
    """A URL and the types of events that are sent to it. Empty `kinds` means all types."""

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
    """A webhook with the secret that signs its requests."""

    secret = serializers.CharField(allow_null=True, help_text=ONCE)

    class Meta(WebhookShown.Meta):
        fields = [*WebhookShown.Meta.fields, "secret"]


class NewWebhook(serializers.Serializer[JSONObject]):
    """URL and types of events of a new webhook. No kinds means all types."""

    url = serializers.CharField(
        max_length=MAX_URL_LENGTH, trim_whitespace=False, help_text="Begins with https://."
    )
    kinds = serializers.ListField(
        child=serializers.ChoiceField(choices=webhook_operations.available_kinds()),
        max_length=50,
        default=list,
    )


class ChangedWebhook(serializers.Serializer[JSONObject]):
    """Settings of a webhook to change. If the URL is changed, a new webhook replaces this one."""

    on = serializers.BooleanField(required=False)
    kinds = serializers.ListField(
        child=serializers.ChoiceField(choices=webhook_operations.available_kinds()),
        max_length=50,
        required=False,
    )


class DeliveryShown(serializers.ModelSerializer[Delivery]):
    """An attempt to send an event. `identifier` is the same for all attempts to send this event."""

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

    def initial(self, request: Request, *args: str, **kwargs: str | int) -> None:
        """Raise Http404 for users who are not organisers, before anything is read."""
        super().initial(request, *args, **kwargs)
        if self.player is None or not may_organise(self.player, self.league):
            raise Http404
        self.organised = self.league


@extend_schema_view(get=op("webhooks_list", TAG, WebhookShown(many=True)))
class Webhooks(OrganiserResource, ListView):
    """List the webhooks of a league. A POST adds one and returns its secret."""

    def get_queryset(self) -> QuerySet[Webhook]:
        return Webhook.objects.filter(league=self.organised)

    def prepare(self, request: Request) -> None:
        """Resolve the host name before the transaction begins."""
        self.address = webhook_operations.checked_address(self.read(request)["url"])

    @op("webhooks_add", TAG, {201: WebhookSecret})
    @idempotent(NewWebhook, shown_once=("secret",))
    def post(self, request: Request, *args: str, **kwargs: str | int) -> Response:
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
    """Base resource of a webhook of a league."""

    def hook(self) -> Webhook:
        """Return the webhook named in the URL. Raises Http404."""
        webhook = Webhook.objects.filter(league=self.organised, pk=self.kwargs["pk"]).first()
        if webhook is None:
            raise Http404
        return webhook

    def locked_hook(self, request: Request) -> Webhook:
        """Return the webhook, locked and compared with `If-Match`."""
        webhook = webhook_operations.lock_webhook(self.organised, self.hook().pk, self.acting())
        self.lock_and_compare(request, lambda: WebhookShown(webhook).data)
        return webhook


class WebhookViewSet(ViewSetMixin, WebhookResource):
    """A webhook, for organisers: switched on or off, changed, tested and deleted."""

    @op("webhooks_read", TAG, WebhookShown)
    def retrieve(self, request: Request, slug: str, pk: int) -> Response:
        """Get a webhook."""
        return Response(WebhookShown(self.hook()).data)

    @op("webhooks_change", TAG, WebhookShown)
    @idempotent(ChangedWebhook)
    def partial_update(self, request: Request, slug: str, pk: int) -> Response:
        """Change a webhook."""
        hook = self.locked_hook(request)
        league, by, given = self.organised, self.acting(), self.read(request)
        if "kinds" in given:
            hook = webhook_operations.choose_kinds(
                league=league, key=hook.pk, wanted=given["kinds"], by=by
            )
        if "on" in given and given["on"] == bool(hook.stopped):
            hook = webhook_operations.switch_webhook(
                league=league, key=hook.pk, on=given["on"], by=by, at=timezone.now()
            )
        return Response(WebhookShown(hook).data)

    @op("webhooks_remove", TAG, {204: None})
    @idempotent()
    def destroy(self, request: Request, slug: str, pk: int) -> Response:
        """Delete a webhook."""
        key = self.locked_hook(request).pk
        webhook_operations.remove_webhook(league=self.organised, key=key, by=self.acting())
        return Response(status=204)

    @op("webhooks_renew_secret", TAG, WebhookSecret)
    @idempotent(shown_once=("secret",))
    def renew_secret(self, request: Request, slug: str, pk: int) -> Response:
        """Renew the secret. For a day, requests are also signed with the previous secret."""
        key = self.locked_hook(request).pk
        league, by = self.organised, self.acting()
        hook = webhook_operations.renew_secret(league=league, key=key, by=by, at=timezone.now())
        return Response(WebhookSecret(hook).data)

    @op("webhooks_test", TAG, {202: DeliveryShown})
    @idempotent()
    def test(self, request: Request, slug: str, pk: int) -> Response:
        """Send a test event, limited to twenty an hour. The returned delivery shows its outcome."""
        key = self.locked_hook(request).pk
        league, by = self.organised, self.acting()
        sent = webhook_operations.send_test(league=league, key=key, by=by, at=timezone.now())
        return delivery_response(league, sent)


def delivery_response(league: League, sent: Delivery) -> Response:
    parts = [league.slug, sent.webhook_id, sent.pk]
    at = reverse("api_delivery", args=parts)
    return Response(DeliveryShown(sent).data, status=202, headers={"Location": at})


@extend_schema_view(get=op("webhooks_deliveries", TAG, DeliveryShown(many=True)))
class Deliveries(WebhookResource, ListView):
    """List sent and pending deliveries of a webhook, latest first. The last hundred are stored."""

    queryset = Delivery.objects.none()
    serializer_class = DeliveryShown
    ordering = ("-pk",)

    def get_queryset(self) -> QuerySet[Delivery]:
        return Delivery.objects.filter(webhook=self.hook())


class DeliveryViewSet(ViewSetMixin, WebhookResource):
    """A delivery of an event, which can be repeated."""

    queryset = Delivery.objects.none()
    serializer_class = DeliveryShown

    def delivery(self) -> Delivery:
        """Return the delivery named in the URL. Raises Http404."""
        rows = Delivery.objects.filter(webhook=self.hook())
        delivery = rows.filter(pk=self.kwargs["delivery"]).first()
        if delivery is None:
            raise Http404
        return delivery

    @op("webhooks_delivery", TAG, DeliveryShown)
    def retrieve(self, request: Request, slug: str, pk: int, delivery: int) -> Response:
        """Get one delivery."""
        return Response(DeliveryShown(self.delivery()).data)

    @op("webhooks_deliver_again", TAG, {202: DeliveryShown})
    @idempotent()
    def again(self, request: Request, slug: str, pk: int, delivery: int) -> Response:
        """Send the event of a delivery again, with the same identifier, limited to twenty an
        hour.
        """
        old, league, by = self.delivery(), self.organised, self.acting()
        self.lock_and_compare(request, lambda: DeliveryShown(old).data)
        which = {"key": old.webhook_id, "delivery": old.pk}
        sent = webhook_operations.deliver_again(league=league, **which, by=by, at=timezone.now())
        return delivery_response(league, sent)
