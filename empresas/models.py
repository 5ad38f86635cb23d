"""Models of promoters and of their concessions. Money is in duros."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from corridas.models import Circuit, Plaza
from corridas.world import box_office


class Promoter(models.Model):
    """An account that runs plazas in a circuit. `reputation` is in tenths, from 0 to 1,000."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="+",
        db_index=False,
        verbose_name=_("account"),
    )
    circuit = models.ForeignKey(
        Circuit, on_delete=models.CASCADE, related_name="promoters", verbose_name=_("circuit")
    )
    reputation = models.PositiveSmallIntegerField(
        _("reputation"), default=box_office.tables.REPUTATION
    )
    fortune = models.IntegerField(_("fortune"), default=0)

    class Meta:
        verbose_name = _("promoter")
        verbose_name_plural = _("promoters")
        constraints = [
            models.UniqueConstraint(fields=["user", "circuit"], name="one_promoter_for_a_circuit")
        ]

    def __str__(self) -> str:
        return str(self.user)


class Concession(models.Model):
    """The contract by which a promoter runs a plaza from the season `first_year` on.

    `canon` is what each afternoon costs, in whole per cent of a full house. The three kinds of
    trust are those of the owner, in hundredths, by line of the judge. `version` is that of the
    rules (`box_office.VERSION`), which stay the same until the concession ends. `last_year` and
    `end` are set when it has ended.
    """

    class End(models.TextChoices):
        DISMISSED = "dismissed", _("dismissed")
        NOT_RENEWED = "not_renewed", _("not renewed")
        LEFT = "left", _("left")
        BANKRUPT = "bankrupt", _("bankrupt")

    promoter = models.ForeignKey(
        Promoter, on_delete=models.CASCADE, related_name="concessions", verbose_name=_("promoter")
    )
    plaza = models.ForeignKey(
        Plaza, on_delete=models.CASCADE, related_name="concessions", verbose_name=_("plaza")
    )
    first_year = models.PositiveSmallIntegerField(_("first season"))
    last_year = models.PositiveSmallIntegerField(_("last season"), null=True, blank=True)
    end = models.CharField(_("end"), max_length=11, choices=End.choices, blank=True)
    canon = models.PositiveSmallIntegerField(_("canon"))
    cash = models.IntegerField(_("cash"))
    trust_houses = models.SmallIntegerField(_("trust: box office"), default=0)
    trust_cards = models.SmallIntegerField(_("trust: public"), default=0)
    trust_money = models.SmallIntegerField(_("trust: accounts"), default=0)
    version = models.PositiveSmallIntegerField(_("version of the rules"))

    class Meta:
        verbose_name = _("concession")
        verbose_name_plural = _("concessions")
        constraints = [
            models.UniqueConstraint(
                fields=["promoter"],
                condition=Q(last_year=None),
                name="one_concession_for_a_promoter",
            ),
            models.UniqueConstraint(
                fields=["plaza"], condition=Q(last_year=None), name="one_concession_for_a_plaza"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.promoter}, {self.plaza}"
