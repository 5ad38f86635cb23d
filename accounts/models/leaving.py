"""Somebody who has asked for their account to be deleted."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


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
