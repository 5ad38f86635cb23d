"""Models of corridas for which somebody signs the matadors one by one, and of these signatures."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from corridas.models.corridas import Corrida
from corridas.models.matadors import Matador
from corridas.world import box_office, gates


class Reservation(models.Model):
    """A corrida whose matadors are signed one by one until its closing.

    `closes_on` is the day of the closing: at its end the site contracts matadors for the places
    that are still free, except one if `keeps_open` is set. That one is filled on the day before the
    corrida. With `autopilot`, runs do not stop for these decisions. `asked` is the gate
    (`world.gates.Gate`) at which a run has stopped for this corrida, so that the next run passes
    it. `tickets` are the season tickets of its feria, known after the closing. `trio` are
    the slugs of the three matadors whom the site would have contracted, in the order of appearance,
    None until it is known. The corrida commits to them together with its seed.
    """

    class Stage(models.TextChoices):
        WINTER = gates.Stage.WINTER.value, _("winter")
        SEASON = gates.Stage.SEASON.value, _("season")
        CLOSED = gates.Stage.CLOSED.value, _("closed")
        OVER = gates.Stage.OVER.value, _("over")

    class Price(models.IntegerChoices):
        POPULAR = box_office.Price.POPULAR.value, _("popular prices")
        NORMAL = box_office.Price.NORMAL.value, _("normal prices")
        HIGH = box_office.Price.HIGH.value, _("high prices")

    corrida = models.OneToOneField(
        Corrida,
        on_delete=models.CASCADE,
        primary_key=True,
        related_name="reservation",
        verbose_name=_("corrida"),
    )
    closes_on = models.DateField(_("closing"))
    stage = models.CharField(_("stage"), max_length=6, choices=Stage.choices, default=Stage.WINTER)
    price = models.PositiveSmallIntegerField(
        _("price"), choices=Price.choices, default=Price.NORMAL
    )
    tickets = models.PositiveIntegerField(_("season tickets"), null=True, editable=False)
    keeps_open = models.BooleanField(_("keeps a place open"), default=False)
    autopilot = models.BooleanField(_("autopilot"), default=False)
    asked = models.CharField(_("run stopped for"), max_length=7, blank=True, editable=False)
    trio = models.JSONField(_("the site’s three matadors"), null=True, editable=False)

    class Meta:
        verbose_name = _("reserved corrida")
        verbose_name_plural = _("reserved corridas")

    def __str__(self) -> str:
        return str(self.corrida)


class CommitmentQuerySet(models.QuerySet["Commitment"]):
    """Filters for signatures."""

    def on_no_cartel(self) -> CommitmentQuerySet:
        """Return signatures of matadors who are coming, but are on no cartel yet.

        On the eve matadors are also signed for corridas that have a cartel, to replace the injured.
        """
        on_eve = Q(
            window=Commitment.Window.EVE, corrida__reservation__stage=Reservation.Stage.CLOSED
        )
        return self.filter(
            Q(corrida__cartel=None) | on_eve,
            released=False,
            corrida__state=Corrida.State.ANNOUNCED,
        )


class Commitment(models.Model):
    """A matador's signature for a reserved corrida.

    `signed_on` is a day of the season. `fee` is in duros. `by_market` says that the site chose him.
    A `released` matador is hurt, does not come, and is not paid.
    """

    class Window(models.TextChoices):
        WINTER = "winter", _("winter")
        SEASON = "season", _("season")
        EVE = "eve", _("eve")

    corrida = models.ForeignKey(
        Corrida,
        on_delete=models.CASCADE,
        related_name="commitments",
        db_index=False,
        verbose_name=_("corrida"),
    )
    matador = models.ForeignKey(
        Matador,
        on_delete=models.PROTECT,
        related_name="commitments",
        verbose_name=_("matador"),
    )
    signed_on = models.DateField(_("signed on"))
    fee = models.PositiveIntegerField(_("fee"))
    window = models.CharField(_("window"), max_length=6, choices=Window.choices)
    by_market = models.BooleanField(_("contracted by the site"), default=False)
    released = models.BooleanField(_("released"), default=False)

    objects = CommitmentQuerySet.as_manager()

    class Meta:
        verbose_name = _("signature")
        verbose_name_plural = _("signatures")
        constraints = [
            models.UniqueConstraint(
                fields=["corrida", "matador"], name="one_signature_for_a_corrida"
            )
        ]

    def __str__(self) -> str:
        return f"{self.matador}, {self.corrida}"
