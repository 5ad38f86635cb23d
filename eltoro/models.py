"""Models of El Toro: boards designed by administrators, and tracked boards of real games."""

from __future__ import annotations

from typing import Final

from django.db import models
from django.utils.translation import gettext_lazy as _

from core.names.fields import NameKeyField, SearchTextField
from leagues.models import Match


class BoardDesign(models.Model):
    """A board designed on this site, which leagues can use in addition to the supplied boards.

    `text` is the board as CSV in the format of the engine, and `digest` its SHA-256. Rules contain
    the text of their board, so the board of a game cannot get lost. A design that is in use can no
    longer be changed: a new version needs a new key.
    """

    FOLDERS: Final = ("api/v1/eltoro/boards/",)

    key = models.SlugField(_("key"), max_length=30, unique=True)
    name = models.CharField(_("name"), max_length=60)
    text = models.TextField(_("board"), max_length=20_000)
    digest = models.CharField(_("digest"), max_length=64, unique=True, editable=False)
    made_at = models.DateTimeField(_("made"), editable=False)
    name_key = NameKeyField("name")
    search_text = SearchTextField("name", "key")

    class Meta:
        verbose_name = _("board")
        verbose_name_plural = _("boards")
        ordering = ["name_key", "key"]
        constraints = [
            models.CheckConstraint(
                name="board_design_filled",
                condition=~models.Q(key="") & ~models.Q(name="") & ~models.Q(text=""),
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Keeping(models.Model):
    """The tracked board of a game that is played with real cards.

    `log` contains the entries in notation, one per line. Board, dice and points are calculated from
    them. `version` increases with every change, including an undo. Clients send the version that
    they have seen. The site rolls dice and draws destinations from `seed` (32 bytes). `commitment`
    is published before the game, so that the seed can be checked afterwards.
    """

    class Mode(models.TextChoices):
        """Choice between dice rolled by the site and by the players."""

        ALL = "all", _("the site rolls every die")
        BOARD = "board", _("real dice; the players tap in the numbers rolled")

    match = models.OneToOneField(
        Match, verbose_name=_("match"), on_delete=models.CASCADE, related_name="keeping"
    )
    mode = models.CharField(_("dice"), max_length=5, choices=Mode.choices)
    seed = models.BinaryField(max_length=32)
    commitment = models.CharField(_("commitment"), max_length=64)
    log = models.TextField(_("entries"), blank=True)
    version = models.PositiveIntegerField(_("version"), default=0)
    begun_at = models.DateTimeField(_("started"))
    changed_at = models.DateTimeField(_("changed"))

    class Meta:
        verbose_name = _("real-table board")
        verbose_name_plural = _("real-table boards")
        ordering = ["-changed_at", "-pk"]
        constraints = [
            models.CheckConstraint(
                name="keeping_mode_known", condition=models.Q(mode__in=["all", "board"])
            ),
            models.CheckConstraint(name="keeping_committed", condition=~models.Q(commitment="")),
        ]

    def __str__(self) -> str:
        return f"{self.match_id}"

    @property
    def lines(self) -> list[str]:
        """The entries in the order in which they were recorded."""
        return self.log.splitlines()
