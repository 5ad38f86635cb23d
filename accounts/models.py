"""Users, their notifications, data exports and account deletions."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, ClassVar, Final

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.contrib.auth.models import UserManager as AuthUserManager
from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _

from core.jobs.models import Job
from core.names.fields import NameKeyField, SearchTextField, UniqueNameField, name_is_taken
from core.names.text import clean, comparison_key


class Theme(models.TextChoices):
    """The light or dark theme of pages, or the operating system's choice."""

    SYSTEM = "system", _("Same as my device")
    LIGHT = "light", _("Afternoon")
    DARK = "dark", _("Night")


if TYPE_CHECKING:
    BaseUserManager = AuthUserManager["User"]
else:
    BaseUserManager = AuthUserManager


class UserManager(BaseUserManager):
    """Finds users by their username in any case."""

    def get_by_natural_key(self, username: str | None) -> User:
        """Return the user with exactly this username, or else the user with it in another case.

        If the usernames of older accounts differ only in case, only an exact match is found.
        """
        spelled: User | None = self.filter(username=username).first()
        return spelled or self.get(username_key=comparison_key(username or ""))


class User(AbstractUser):
    """A user with preferences.

    An empty `language` means the browser's language. An empty `zone` means the time zone of the
    page's subject, such as a league. `bloodless` selects the wording without blood. If
    `shielded_since` is set, pages hide the results of corridas broadcast from then on until the
    user has watched them. `single_keys` lets single letters act as shortcuts, which people who
    dictate may not want (WCAG 2.1.4). `unread` caches the number of unread notifications, so that
    no page counts them. Calendar and feed tokens contain `secrets_version`, so raising it
    invalidates them.
    """

    language = models.CharField(
        _("language"), max_length=8, blank=True, default="", choices=settings.LANGUAGES
    )
    theme = models.CharField(_("theme"), max_length=8, choices=Theme.choices, default=Theme.SYSTEM)
    zone = models.CharField(_("time zone"), max_length=40, blank=True, default="", db_default="")
    bloodless = models.BooleanField(_("bloodless wording"), default=False)
    shielded_since = models.DateTimeField(_("spoiler protection since"), null=True, blank=True)
    single_keys = models.BooleanField(_("single-key shortcuts"), default=True, db_default=True)
    unread = models.PositiveIntegerField(_("unread notifications"), default=0, editable=False)
    secrets_version = models.PositiveIntegerField(default=0, editable=False)
    username_key = UniqueNameField("username")
    name_key = NameKeyField("username")
    first_name_key = NameKeyField("first_name")
    last_name_key = NameKeyField("last_name")
    search_text = SearchTextField("username", "first_name", "last_name", "email")

    objects: ClassVar[UserManager] = UserManager()

    def clean(self) -> None:
        """Clean the username. Raises `ValidationError` if another user has it in another case."""
        super().clean()
        if not self.username:
            return  # the form has already rejected the username
        self.username = clean(self.username)
        others = User.objects.exclude(pk=self.pk)
        if name_is_taken(others, "username_key", self.username):
            raise ValidationError({"username": username_taken()})


# Key of the kind of notification that warns a user about a username which differs from theirs only
# in upper and lower case.
SAME_USERNAME_KIND: Final = "username"


def username_taken() -> str:
    """Return the error message for a username that is already taken."""
    return str(User._meta.get_field("username").error_messages["unique"])


class Notice(models.Model):
    """One notification of a user.

    `kind` is the key of a `NotificationKind`. The placeholders in the text of that kind are filled
    in from `data`. `link` is a path on this site. `on_site` says whether lists and feeds show the
    notification. `mail` is the state of its email and `tries` counts failed attempts to send that
    email.
    """

    class Mail(models.TextChoices):
        """State of the email about a notification, such as waiting or sent."""

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
    """The notification channels that a user has chosen for one kind of notification.

    There is no row if the user has the default channels.
    """

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


class Export(Job):
    """A data export: requested, being built (`done` of about `total` rows), then ready.

    The file is stored in the database in parts, because worker and web server may run on different
    machines.
    """

    CLAIM_FIELD = "begun_at"
    LOST_AFTER = dt.timedelta(minutes=10)

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
    """One part of the file of a data export."""

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
    """A locked account that a task deletes at `due_at` unless its owner cancels."""

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
