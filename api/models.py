"""API keys, and responses stored for repeated requests."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class Token(models.Model):
    """An API key with which a program acts as a user.

    Only the digest of the key is stored. The owner's page shows `prefix`, so that users can
    distinguish their keys. `used_on` is a date, not a time, so that a busy program causes only one
    write a day.
    """

    class Scope(models.TextChoices):
        """What an API key permits: only reading, or also writing."""

        READ = "read", _("read what I am allowed to see")
        WRITE = "write", _("do what I am allowed to do")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="tokens"
    )
    name = models.CharField(_("what it is for"), max_length=60)
    prefix = models.CharField(max_length=8)
    digest = models.BinaryField(max_length=32, unique=True)
    scope = models.CharField(
        _("what it may do"), max_length=5, choices=Scope.choices, default=Scope.READ
    )
    created_at = models.DateTimeField(_("created at"))
    expires_at = models.DateTimeField(_("ends at"), null=True, blank=True)
    used_on = models.DateField(_("last used on"), null=True, blank=True)

    class Meta:
        verbose_name = _("key")
        verbose_name_plural = _("keys")
        ordering = ["-created_at", "-pk"]

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"


class DoneOnce(models.Model):
    """An API action requested with an `Idempotency-Key`, and its stored response.

    `asked` is a digest of the request's method, address and body. Using the key for another action
    is an error.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=64)
    asked = models.BinaryField(max_length=32)
    status = models.PositiveSmallIntegerField(default=0)
    answer = models.JSONField(null=True)
    headers = models.JSONField(default=dict)
    at = models.DateTimeField(db_index=True)

    class Meta:
        verbose_name = _("completed request")
        verbose_name_plural = _("completed requests")
        constraints = [models.UniqueConstraint(fields=["user", "key"], name="done_once")]

    def __str__(self) -> str:
        return self.key
