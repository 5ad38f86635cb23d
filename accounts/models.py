"""Users, their notifications, data exports and account deletions."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils.translation import gettext_lazy as _


class Theme(models.TextChoices):
    """The afternoon, the night fair, or what the machine is set to."""

    SYSTEM = "system", _("Same as my device")
    LIGHT = "light", _("Afternoon")
    DARK = "dark", _("Night")


class User(AbstractUser):
    """A person with an account: Django's own user with some preferences.

    An empty language means the browser's, an empty zone that of what is shown.
    `bloodless` asks for the wording without blood;
    `shielded_since`, where set, hides what became of every corrida put on the sand from then on
    until the person has watched it. `unread` is how many notices wait to be read, counted
    anew whenever one comes or is read, so that no page asks for it. Secret addresses (calendar,
    feed) hold `secrets_version`: raised, the old ones open nothing any more.
    """

    language = models.CharField(
        _("language"), max_length=8, blank=True, default="", choices=settings.LANGUAGES
    )
    theme = models.CharField(_("theme"), max_length=8, choices=Theme.choices, default=Theme.SYSTEM)
    zone = models.CharField(_("time zone"), max_length=40, blank=True, default="", db_default="")
    bloodless = models.BooleanField(_("bloodless wording"), default=False)
    shielded_since = models.DateTimeField(_("spoiler protection since"), null=True, blank=True)
    unread = models.PositiveIntegerField(_("unread notifications"), default=0, editable=False)
    secrets_version = models.PositiveIntegerField(default=0, editable=False)


class Notice(models.Model):
    """One thing that a person is told.

    `kind` is the key of an `NotificationKind`, whose sentence is filled with `data`; `link` is
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


class Export(models.Model):
    """One copy: asked for, being made (`done` of about `total` rows), ready until it is swept.

    The file lies in the database, in parts, since worker and web may be two machines.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="exports"
    )
    asked_at = models.DateTimeField(_("requested"))
    begun_at = models.DateTimeField(_("started"), null=True, blank=True)
    done = models.PositiveIntegerField(_("rows"), default=0)
    total = models.PositiveIntegerField(_("of"), default=0)
    ended_at = models.DateTimeField(_("ready"), null=True, blank=True)
    error = models.CharField(_("error"), max_length=300, blank=True)

    class Meta:
        verbose_name = _("copy of personal data")
        verbose_name_plural = _("copies of personal data")
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["user"], condition=models.Q(ended_at=None), name="one_export_at_a_time"
            )
        ]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.done}/{self.total}"


class ExportPart(models.Model):
    """A piece of the file of a copy, in order."""

    export = models.ForeignKey(Export, on_delete=models.CASCADE, related_name="parts")
    number = models.PositiveIntegerField()
    content = models.BinaryField()

    class Meta:
        verbose_name = _("part of a copy")
        verbose_name_plural = _("parts of copies")
        ordering = ["export", "number"]
        constraints = [
            models.UniqueConstraint(fields=["export", "number"], name="export_part_once")
        ]

    def __str__(self) -> str:
        return f"{self.export_id}/{self.number}"


class Departure(models.Model):
    """An account that is locked and will be deleted at `due_at`, unless its owner comes back.

    `reason` says why the sweep could not delete it yet (the last superuser).
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="departure"
    )
    asked_at = models.DateTimeField(_("requested"))
    due_at = models.DateTimeField(_("deleted on"), db_index=True)
    reason = models.CharField(_("reason"), max_length=300, blank=True)

    class Meta:
        verbose_name = _("account deletion")
        verbose_name_plural = _("account deletions")

    def __str__(self) -> str:
        return f"{self.user_id}: {self.due_at:%Y-%m-%d}"
