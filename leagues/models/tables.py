"""Tables one can sit at: seats, turn, log and clock of any game."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from leagues.models.leagues import Fixture, League
from leagues.models.matches import Match
from leagues.models.players import Player


class Table(models.Model):
    """A match being played here.

    `moves_made` counts the moves of all rounds: who moves names the count they saw, and one who
    saw an older one is told so. `turn` is the seat to move, None between rounds. `deadline` is
    when the clock of that seat runs out. `pace` live: `seconds` a move; days: as many days.
    """

    class State(models.TextChoices):
        """How far it is."""

        OPEN = "open", _("waits for players")
        PLAYING = "playing", _("playing")
        OVER = "over", _("over")
        CLOSED = "closed", _("closed before the end")

    class Pace(models.TextChoices):
        """How long a move may take."""

        LIVE = "live", _("live, with a clock")
        DAYS = "days", _("by and by, days for a move")

    class Watch(models.TextChoices):
        """Who may watch."""

        ANYBODY = "anybody", _("anybody")
        LINK = "link", _("who has the link")
        NOBODY = "nobody", _("nobody")

    game = models.CharField(_("game"), max_length=20)
    profile = models.CharField(_("rules"), max_length=30)
    rules = models.JSONField(_("options"))
    rules_hash = models.CharField(_("digest of the rules"), max_length=64)
    league = models.ForeignKey(
        League, on_delete=models.SET_NULL, null=True, blank=True, related_name="tables"
    )
    fixture = models.ForeignKey(
        Fixture, on_delete=models.SET_NULL, null=True, blank=True, related_name="tables"
    )
    match = models.OneToOneField(
        Match, on_delete=models.SET_NULL, null=True, blank=True, related_name="table"
    )
    host = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="hosted")
    state = models.CharField(_("state"), max_length=8, choices=State.choices, default=State.OPEN)
    pace = models.CharField(_("pace"), max_length=5, choices=Pace.choices, default=Pace.LIVE)
    allowance = models.PositiveIntegerField(_("seconds a move"), default=60)
    watch = models.CharField(_("who may watch"), max_length=8, choices=Watch.choices)
    delay = models.PositiveIntegerField(_("seconds that watchers are behind"), default=30)
    rated = models.BooleanField(_("rated"), default=True)
    invitation = models.CharField(_("invitation"), max_length=43, unique=True)
    moves_made = models.PositiveIntegerField(_("moves"), default=0)
    turn = models.PositiveSmallIntegerField(_("turn"), null=True, blank=True)
    deadline = models.DateTimeField(_("deadline"), null=True, blank=True)
    points = models.JSONField(_("points by seat"), default=list)
    created_at = models.DateTimeField(_("laid"))
    begun_at = models.DateTimeField(_("begun"), null=True, blank=True)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)

    class Meta:
        verbose_name = _("table")
        verbose_name_plural = _("tables")
        indexes = [models.Index(fields=["state", "deadline"])]

    def __str__(self) -> str:
        return f"{self.pk}"


class TableSeat(models.Model):
    """One seat: empty, a bot's (`bot`), or a player's, for whom a bot may stand in."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="seats")
    number = models.PositiveSmallIntegerField(_("seat"))
    player = models.ForeignKey(
        Player, on_delete=models.PROTECT, null=True, blank=True, related_name="table_seats"
    )
    bot = models.CharField(_("bot"), max_length=20, blank=True)
    stand_in = models.BooleanField(_("a bot stands in"), default=False)
    stood_in = models.PositiveIntegerField(_("moves made by the stand-in"), default=0)
    ready = models.BooleanField(_("ready for the next round"), default=False)

    class Meta:
        verbose_name = _("seat at a table")
        verbose_name_plural = _("seats at tables")
        ordering = ["table", "number"]
        constraints = [
            models.UniqueConstraint(name="table_seat_once", fields=["table", "number"]),
            models.UniqueConstraint(
                name="table_player_once",
                fields=["table", "player"],
                condition=models.Q(player__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table}/{self.number}"


class TableRound(models.Model):
    """One round: sealed (`commitment`, Ruling F-2) before it begins, opened when it is over."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField(_("round"))
    seed = models.BinaryField(max_length=32)
    commitment = models.BinaryField(max_length=32)
    stake = models.JSONField(_("stake"))
    begun_at = models.DateTimeField(_("begun"))
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)
    points = models.JSONField(_("points by seat"), default=list)

    class Meta:
        verbose_name = _("round at a table")
        verbose_name_plural = _("rounds at tables")
        ordering = ["table", "number"]
        constraints = [
            models.UniqueConstraint(name="table_round_once", fields=["table", "number"]),
        ]

    def __str__(self) -> str:
        return f"{self.table} · {self.number}"


class TableMove(models.Model):
    """One move in the game's notation; `number` counts from 1 through all rounds."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="moves")
    number = models.PositiveIntegerField(_("move"))
    round = models.PositiveSmallIntegerField(_("round"))
    seat = models.PositiveSmallIntegerField(_("seat"))
    text = models.CharField(_("notation"), max_length=200)
    bot = models.CharField(_("played by the bot"), max_length=20, blank=True)
    at = models.DateTimeField(_("at"))

    class Meta:
        verbose_name = _("move")
        verbose_name_plural = _("moves")
        ordering = ["table", "number"]
        constraints = [
            models.UniqueConstraint(name="table_move_once", fields=["table", "number"]),
        ]

    def __str__(self) -> str:
        return f"{self.number}. {self.text}"
