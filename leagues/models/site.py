"""The identity of this site in files."""

from __future__ import annotations

from uuid import uuid4

from django.db import models
from django.utils.translation import gettext_lazy as _


class SiteIdentity(models.Model):
    """A random id, by which an import recognises the files of its own site.

    There is one row, which the first export or import creates.
    """

    # No sequence of the database, which would stay behind the one key.
    id = models.PositiveSmallIntegerField(primary_key=True, default=1, editable=False)
    uid = models.UUIDField(_("identifier"), default=uuid4, unique=True, editable=False)

    class Meta:
        verbose_name = _("identity of the site")
        verbose_name_plural = _("identities of the site")

    def __str__(self) -> str:
        return str(self.uid)
