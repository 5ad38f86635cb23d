"""What a person is told, and by which ways they want to be."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class Notice(models.Model):
    """One thing that a person is told.

    `kind` is the key of an `accounts.notices.Kind`, whose sentence is filled with `data`; `link` is
    an address on this site. `on_site`: whether lists and feeds show it. `mail` is how far its
    letter is, `tries` how often sending it failed.
    """

    class Mail(models.TextChoices):
        """How far its letter is."""

        NONE = "none", _("no email")
        DUE = "due", _("to be sent")
        SENT = "sent", _("sent")
        FAILED = "failed", _("abandoned")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notices"
    )
    kind = models.CharField(_("type"), max_length=30)
    data = models.JSONField(_("data"), default=dict, blank=True)
    link = models.CharField(_("address"), max_length=300, blank=True)
    at = models.DateTimeField(_("time"))
    read_at = models.DateTimeField(_("read"), null=True, blank=True)
    on_site = models.BooleanField(_("shown on the site"), default=True)
    mail = models.CharField(_("email"), max_length=6, choices=Mail.choices, default=Mail.NONE)
    tries = models.PositiveSmallIntegerField(_("attempts"), default=0)

    class Meta:
        verbose_name = _("notification")
        verbose_name_plural = _("notifications")
        ordering = ["-pk"]
        indexes = [
            models.Index(fields=["user", "-id"], name="notice_of_user"),
            models.Index(fields=["at"], name="notice_age"),
            models.Index(fields=["id"], name="notice_letter", condition=models.Q(mail="due")),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"


class Choice(models.Model):
    """By which ways a person wants one kind of notice, where that is not the usual."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notice_choices"
    )
    kind = models.CharField(_("type"), max_length=30)
    ways = models.JSONField(_("channels"), default=list, blank=True)

    class Meta:
        verbose_name = _("notification preference")
        verbose_name_plural = _("notification preferences")
        constraints = [models.UniqueConstraint(fields=["user", "kind"], name="notice_choice_once")]

    def __str__(self) -> str:
        return f"{self.kind}: {', '.join(self.ways) or '–'}"
