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
    """An address and what is sent to it; `kinds` empty: everything."""

    kinds = serializers.ListField(child=serializers.CharField())
    on = serializers.SerializerMethodField(help_text="Whether anything is sent.")
    stopped = serializers.ChoiceField(
        choices=Webhook.Stopped.values, help_text="Why nothing is sent; empty where it is on."
    )

    class Meta:
        model = Webhook
        fields = ["id", "url", "kinds", "on", "stopped", "failing_since", "created_at"]

    def get_on(self, hook: Webhook) -> bool:
        """Not stopped for any reason."""
        return hook.stopped == Webhook.Stopped.NOT


class WebhookSecret(WebhookShown):
    """The same, with the secret that signs what is sent."""

    secret = serializers.CharField(allow_null=True, help_text=ONCE)

    class Meta(WebhookShown.Meta):
        fields = [*WebhookShown.Meta.fields, "secret"]


class NewWebhook(serializers.Serializer[Any]):
    """Where to, and what of; no kinds: everything."""

    url = serializers.CharField(
        max_length=MAX_URL_LENGTH, trim_whitespace=False, help_text="Begins with https://."
    )
    kinds = serializers.ListField(
        child=serializers.ChoiceField(choices=webhook_operations.available_kinds()),
        max_length=50,
        default=list,
    )


class ChangedWebhook(serializers.Serializer[Any]):
    """What is to be otherwise; an address that is another is added, and this one removed."""

    on = serializers.BooleanField(required=False)
    kinds = serializers.ListField(
        child=serializers.ChoiceField(choices=webhook_operations.available_kinds()),
        max_length=50,
        required=False,
    )


class DeliveryShown(serializers.ModelSerializer[Delivery]):
    """One try to send one event; `identifier` is the same for every try of it."""

    cause = serializers.ChoiceField(choices=Delivery.Cause.values)
    state = serializers.ChoiceField(choices=Delivery.State.values)
    failure = serializers.ChoiceField(choices=Delivery.Failure.values)

    class Meta:
        model = Delivery
        fields = ["id", "identifier", "event", "kind", "cause", "attempt", "state", "at"]
        fields += ["next_at", "status", "took_ms", "failure", "said"]


class OrganiserResource(LeagueResource):
    """A resource of a league that is there for its organisers alone."""

    queryset: Any = Webhook.objects.none()
    serializer_class: Any = WebhookShown
    organised: League

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Raises Http404 to everybody else, before anything is read or looked up."""
        super().initial(request, *args, **kwargs)
        if self.player is None or not may_organise(self.player, self.league):
            raise Http404
        self.organised = self.league


@extend_schema_view(
    get=op("webhooks_list", TAG, WebhookShown(many=True)),
    post=op("webhooks_add", TAG, {201: WebhookSecret}),
)
class Webhooks(OrganiserResource, ActionView, ListView):
    """The addresses of a league; a POST adds one, and shows its secret."""

    asks_for = NewWebhook
    shown_once = ("secret",)

    def get_queryset(self) -> Any:
        """Those of the league."""
        return Webhook.objects.filter(league=self.organised)

    def do(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Look the name up first: no transaction waits for that."""
        self.address = webhook_operations.checked_address(self.read(request)["url"])
        return super().do(request, *args, **kwargs)

    def act(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """By an organiser; it is sent what happens from now on."""
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
    """A resource of one address."""

    def hook(self) -> Webhook:
        """The address. Raises Http404."""
        found = Webhook.objects.filter(league=self.organised, pk=self.kwargs["pk"]).first()
        if found is None:
            raise Http404
        return found

    def held(self, request: Request) -> Webhook:
        """The same, held for an act, where it still is what `If-Match` says."""
        found = webhook_operations.lock_webhook(self.organised, self.hook().pk, self.acting())
        self.hold(request, lambda: WebhookShown(found).data)
        return found


@extend_schema_view(
    get=op("webhooks_read", TAG, WebhookShown),
    patch=op("webhooks_change", TAG, WebhookShown),
    delete=op("webhooks_remove", TAG, {204: None}),
)
class WebhookOne(WebhookResource, ActionView, DetailView):
    """One address; switched on or off, sent other kinds, taken away."""

    http_method_names = ["get", "head", "options", "patch", "delete"]
    asks_for = ChangedWebhook

    def get_object(self) -> Webhook:
        """The address."""
        return self.hook()

    def patch(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """As asked."""
        return self.do(request, *args, **kwargs)

    def delete(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """As asked."""
        return self.do(request, *args, **kwargs)

    def act(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """By an organiser."""
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
    """A new secret; the one before signs beside it for a day."""

    shown_once = ("secret",)

    def act(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """By an organiser."""
        key = self.held(request).pk
        league, by = self.organised, self.acting()
        hook = webhook_operations.renew_secret(league=league, key=key, by=by, at=timezone.now())
        return Response(WebhookSecret(hook).data)


@extend_schema_view(post=op("webhooks_test", TAG, {202: DeliveryShown}))
class WebhookTest(WebhookResource, ActionView):
    """Have a test sent; the delivery tells how it went."""

    def act(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """By an organiser, some twenty an hour."""
        key = self.held(request).pk
        league, by = self.organised, self.acting()
        sent = webhook_operations.send_test(league=league, key=key, by=by, at=timezone.now())
        return delivery_response(league, sent)


def delivery_response(league: League, sent: Delivery) -> Response:
    """A delivery that is on its way, and where it is told of."""
    parts = [league.slug, sent.webhook_id, sent.pk]
    at = reverse("api_delivery", args=parts)
    return Response(DeliveryShown(sent).data, status=202, headers={"Location": at})


@extend_schema_view(get=op("webhooks_deliveries", TAG, DeliveryShown(many=True)))
class Deliveries(WebhookResource, ListView):
    """What was sent there, or is about to be, the latest first; a hundred are kept."""

    queryset = Delivery.objects.none()
    serializer_class = DeliveryShown
    ordering = ("-pk",)

    def get_queryset(self) -> Any:
        """Those of the address."""
        return Delivery.objects.filter(webhook=self.hook())


class DeliveryResource(WebhookResource):
    """A resource of one delivery."""

    queryset = Delivery.objects.none()
    serializer_class = DeliveryShown

    def delivery(self) -> Delivery:
        """The delivery. Raises Http404."""
        rows = Delivery.objects.filter(webhook=self.hook())
        found = rows.filter(pk=self.kwargs["delivery"]).first()
        if found is None:
            raise Http404
        return found


@extend_schema_view(get=op("webhooks_delivery", TAG, DeliveryShown))
class DeliveryOne(DeliveryResource, DetailView):
    """One delivery."""

    def get_object(self) -> Delivery:
        """The delivery of the address."""
        return self.delivery()


@extend_schema_view(post=op("webhooks_deliver_again", TAG, {202: DeliveryShown}))
class DeliveryAgain(DeliveryResource, ActionView):
    """Have the event of a delivery sent once more, under the identifier it had."""

    def act(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """By an organiser, some twenty an hour."""
        old, league, by = self.delivery(), self.organised, self.acting()
        self.hold(request, lambda: DeliveryShown(old).data)
        which = {"key": old.webhook_id, "delivery": old.pk}
        sent = webhook_operations.deliver_again(league=league, **which, by=by, at=timezone.now())
        return delivery_response(league, sent)
