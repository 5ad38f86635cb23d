"""Model of the corridas that users have watched, for spoiler protection."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from corridas.models.corridas import Corrida


class Watched(models.Model):
    """A user has watched a corrida to its end, or has declared that they know the result.

    From the time `at` on, nothing of the corrida is hidden from the user.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="+",
        db_index=False,
        verbose_name=_("account"),
    )
    corrida = models.ForeignKey(
        Corrida, on_delete=models.CASCADE, related_name="+", verbose_name=_("corrida")
    )
    at = models.DateTimeField(_("time"))

    class Meta:
        verbose_name = _("corrida watched")
        verbose_name_plural = _("corridas watched")
        constraints = [
            models.UniqueConstraint(fields=["user", "corrida"], name="watched_once"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.corrida_id}"
