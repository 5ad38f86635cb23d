"""Models of webhooks and their deliveries."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from leagues.models.leagues import League


class Webhook(models.Model):
    """A webhook: a URL that receives the events of a league, one after the other.

    - `kinds` are the types of events to send. Empty means all types.
    - `cursor` is the number of the last event that was handled.
    - `tries` is the number of attempts to send the next event.
    - `next_at` is the earliest time of the next attempt. During an attempt, it keeps other workers
      from sending the same event.
    - `secret` is the key that signs requests. For a day after a change (`changed_at`), `old_secret`
      signs too.
    - `stopped` is the reason why nothing is sent, if any.
    """

    class Stopped(models.TextChoices):
        """Reasons why a webhook sends nothing any more."""

        NOT = "", _("on")
        ASKED = "asked", _("turned off")
        FAILING = "failing", _("turned off: deliveries have failed for three days")
        GONE = "gone", _("turned off: the server reported that the address is gone (410)")
        CLOSED = "closed", _("turned off: the league was closed")

    league = models.ForeignKey(
        League, on_delete=models.CASCADE, related_name="webhooks", verbose_name=_("league")
    )
    url = models.CharField(_("address"), max_length=300)
    secret = models.CharField(max_length=60, editable=False)
    old_secret = models.CharField(max_length=60, blank=True, editable=False)
    changed_at = models.DateTimeField(null=True, editable=False)
    kinds = models.JSONField(_("types of event"), default=list)
    cursor = models.BigIntegerField(default=0, editable=False)
    tries = models.PositiveSmallIntegerField(default=0, editable=False)
    next_at = models.DateTimeField(_("next attempt"))
    failing_since = models.DateTimeField(_("failing since"), null=True, blank=True)
    stopped = models.CharField(
        _("state"), max_length=8, choices=Stopped.choices, default=Stopped.NOT, blank=True
    )
    created_at = models.DateTimeField(_("added"))

    class Meta:
        verbose_name = _("webhook")
        verbose_name_plural = _("webhooks")
        ordering = ["pk"]
        indexes = [models.Index(fields=["stopped", "next_at"], name="webhook_due")]

    def __str__(self) -> str:
        return self.url


class Delivery(models.Model):
    """An attempt to send an event. `identifier` is the same for all attempts to send the same
    event.

    `event` is the number of the event, None for a test. Tests and repetitions are stored here
    before they are sent.
    """

    class Cause(models.TextChoices):
        """Reasons why an event is sent to a webhook."""

        EVENT = "event", _("time of the event")
        AGAIN = "again", _("resend requested")
        TEST = "test", _("test")

    class State(models.TextChoices):
        """State of the delivery of an event to a webhook."""

        WAITING = "waiting", _("waiting to be sent")
        DELIVERED = "delivered", _("delivered")
        FAILED = "failed", _("failed, will be tried again")
        GIVEN_UP = "given_up", _("failed, no more attempts")

    class Failure(models.TextChoices):
        """Kinds of errors when an event is sent to a webhook."""

        NONE = "", ""
        ADDRESS = "address", _("the address is not public or not allowed")
        NAME = "name", _("the server name could not be found")
        CONNECTION = "connect", _("no connection could be made")
        TLS = "tls", _("the certificate or encryption is not valid")
        TIMEOUT = "timeout", _("the server took too long to respond")
        REDIRECT = (
            "redirect",
            _("the server redirected the request, and redirects are not followed"),
        )
        STATUS = "status", _("the server responded with an error")
        PROTOCOL = "protocol", _("the response was not valid HTTP")

    webhook = models.ForeignKey(
        Webhook, on_delete=models.CASCADE, related_name="deliveries", verbose_name=_("webhook")
    )
    identifier = models.CharField(_("identifier"), max_length=60)
    event = models.BigIntegerField(_("event"), null=True)
    kind = models.CharField(_("type"), max_length=24)
    cause = models.CharField(_("cause"), max_length=5, choices=Cause.choices)
    attempt = models.PositiveSmallIntegerField(_("attempt"), default=1)
    state = models.CharField(_("state"), max_length=9, choices=State.choices)
    at = models.DateTimeField(_("time"))
    next_at = models.DateTimeField(_("next attempt"), null=True)
    status = models.PositiveSmallIntegerField(_("response status"), null=True)
    took_ms = models.PositiveIntegerField(_("milliseconds"), null=True)
    failure = models.CharField(
        _("reason for failure"), max_length=8, choices=Failure.choices, blank=True
    )
    said = models.CharField(_("response text"), max_length=200, blank=True)

    class Meta:
        verbose_name = _("delivery")
        verbose_name_plural = _("deliveries")
        ordering = ["-pk"]
        indexes = [
            models.Index(fields=["webhook", "-id"], name="delivery_latest"),
            models.Index(
                fields=["next_at"], name="delivery_waiting", condition=models.Q(state="waiting")
            ),
        ]

    def __str__(self) -> str:
        return f"{self.identifier} {self.attempt}"
