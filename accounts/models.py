"""Who is signed in, and how they like the site."""

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils.translation import gettext_lazy as _


class Theme(models.TextChoices):
    """The afternoon, the night fair, or what the machine is set to."""

    SYSTEM = "system", _("As my device")
    LIGHT = "light", _("Afternoon")
    DARK = "dark", _("Night")


class User(AbstractUser):
    """A person with an account: Django's own user with two preferences.

    An empty language means the browser's.
    """

    language = models.CharField(
        _("language"), max_length=8, blank=True, default="", choices=settings.LANGUAGES
    )
    theme = models.CharField(_("theme"), max_length=8, choices=Theme.choices, default=Theme.SYSTEM)
