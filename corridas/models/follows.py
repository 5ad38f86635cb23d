"""Model of the matadors and herds that users follow."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from corridas.models.matadors import Matador
from corridas.models.places import Ganaderia


class Follow(models.Model):
    """A user follows a matador or a herd. Digests and notifications show it first."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="+",
        db_index=False,
        verbose_name=_("account"),
    )
    matador = models.ForeignKey(
        Matador,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("matador"),
    )
    ganaderia = models.ForeignKey(
        Ganaderia,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("herd"),
    )
    at = models.DateTimeField(_("time"))

    class Meta:
        verbose_name = _("follow")
        verbose_name_plural = _("follows")
        constraints = [
            models.UniqueConstraint(
                fields=["user", "matador"], condition=Q(ganaderia=None), name="follow_matador_once"
            ),
            models.UniqueConstraint(
                fields=["user", "ganaderia"], condition=Q(matador=None), name="follow_herd_once"
            ),
            models.CheckConstraint(
                condition=Q(matador=None, ganaderia__isnull=False)
                | Q(matador__isnull=False, ganaderia=None),
                name="follow_one",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.matador_id or ''} {self.ganaderia_id or ''}"
