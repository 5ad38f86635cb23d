"""The identity of this site in exported files."""

from __future__ import annotations

from uuid import uuid4

from django.db import models
from django.utils.translation import gettext_lazy as _


class SiteIdentity(models.Model):
    """The random id of this site, by which an import recognises files that this site exported.

    The table has one row, which the first export or import creates.
    """

    # The only row has primary key 1. An automatic key would leave the database sequence behind this
    # value.
    id = models.PositiveSmallIntegerField(primary_key=True, default=1, editable=False)
    uid = models.UUIDField(_("identifier"), default=uuid4, unique=True, editable=False)

    class Meta:
        verbose_name = _("identity of the site")
        verbose_name_plural = _("identities of the site")

    def __str__(self) -> str:
        return str(self.uid)
