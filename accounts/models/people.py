"""Who is signed in, and how they like the site."""

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
