"""Models of players, with an account or without."""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from core.names.fields import NameKeyField, SearchTextField


class PlayerQuerySet(models.QuerySet["Player"]):
    """Queryset of players."""

    def present(self) -> PlayerQuerySet:
        """Return the players who were not merged into another player."""
        return self.filter(merged_into=None)

    def guests(self) -> PlayerQuerySet:
        """Return the players without an account."""
        return self.present().filter(user=None, left_at=None)


class Player(models.Model):
    """A player of leagues and matches.

    A player without a `user` (an account) is a guest. A user can later claim to be the guest, and
    the guest is then merged into the user's player.

    `merged_into` is the player that replaces this one. Scoresheets still refer to the old player,
    and everything calculated from them refers to the new player, so a merge can be undone.
    `left_at` is the time when the account was deleted. The player's results then count under an
    alias, and nobody can claim to be the player.
    """

    FOLDERS: Final = ("players/", "api/v1/players/")

    name = models.CharField(_("name"), max_length=60)
    slug = models.SlugField(_("address"), max_length=80, unique=True)
    user = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        verbose_name=_("account"),
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="player",
    )
    added_by = models.ForeignKey(
        "self",
        verbose_name=_("added by"),
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="added",
    )
    merged_into = models.ForeignKey(
        "self",
        verbose_name=_("merged into"),
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="absorbed",
    )
    public = models.BooleanField(
        _("public"), default=True, help_text=_("If this is set, anyone can see the player’s page.")
    )
    created_at = models.DateTimeField(_("since"))
    left_at = models.DateTimeField(_("left"), null=True, blank=True, editable=False)
    name_key = NameKeyField("name", db_index=True)
    search_text = SearchTextField("name", "slug")

    objects = PlayerQuerySet.as_manager()

    class Meta:
        verbose_name = _("player")
        verbose_name_plural = _("players")
        constraints = [
            models.CheckConstraint(
                name="player_not_merged_into_self",
                condition=~models.Q(merged_into=models.F("pk")),
            )
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def person_id(self) -> int:
        """Return the primary key of the player after merges."""
        return self.merged_into_id or self.pk

    @property
    def is_guest(self) -> bool:
        """Return True if the player has no account and never had one."""
        return self.user_id is None and self.left_at is None


class Merge(models.Model):
    """A merge of one player into another, which may have been undone."""

    absorbed = models.ForeignKey(
        Player, on_delete=models.CASCADE, related_name="merges", verbose_name=_("merged player")
    )
    kept = models.ForeignKey(
        Player,
        on_delete=models.CASCADE,
        related_name="merges_of_others",
        verbose_name=_("kept player"),
    )
    by = models.ForeignKey(
        Player, on_delete=models.SET_NULL, null=True, related_name="+", verbose_name=_("by")
    )
    at = models.DateTimeField(_("time"))
    undone_at = models.DateTimeField(_("undone"), null=True, blank=True)

    class Meta:
        verbose_name = _("merge")
        verbose_name_plural = _("merges")
        constraints = [
            models.UniqueConstraint(
                name="merge_once_at_a_time",
                fields=["absorbed"],
                condition=models.Q(undone_at=None),
            )
        ]

    def __str__(self) -> str:
        return f"{self.absorbed} → {self.kept}"


class FormerName(models.Model):
    """A former name of a player, which files and notes may still contain.

    It is deleted together with the account.
    """

    player = models.ForeignKey(
        Player, on_delete=models.CASCADE, related_name="former_names", verbose_name=_("player")
    )
    name = models.CharField(_("name"), max_length=60)

    class Meta:
        verbose_name = _("former name")
        verbose_name_plural = _("former names")
        constraints = [
            models.UniqueConstraint(name="former_name_once", fields=["player", "name"]),
        ]

    def __str__(self) -> str:
        return self.name


class Claim(models.Model):
    """A user's claim to be a guest.

    An organiser of one of the guest's leagues accepts or rejects it.
    """

    guest = models.ForeignKey(
        Player, on_delete=models.CASCADE, related_name="claims", verbose_name=_("guest")
    )
    by = models.ForeignKey(
        Player, on_delete=models.CASCADE, related_name="claims_made", verbose_name=_("by")
    )
    at = models.DateTimeField(_("time"))
    answered_at = models.DateTimeField(_("decided on"), null=True, blank=True)
    answered_by = models.ForeignKey(
        Player,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("answered by"),
    )
    granted = models.BooleanField(_("granted"), default=False)

    class Meta:
        verbose_name = _("guest claim")
        verbose_name_plural = _("guest claims")
        constraints = [
            models.UniqueConstraint(
                name="claim_open_once",
                fields=["guest", "by"],
                condition=models.Q(answered_at=None),
            )
        ]

    def __str__(self) -> str:
        return f"{self.by} = {self.guest}?"
