"""Models of live tables: seats, rounds, moves and the log of changes, for any game."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from leagues.models.leagues import Fixture, League
from leagues.models.matches import Match
from leagues.models.players import Player


class Table(models.Model):
    """A live table: a match that is played on the site.

    - `moves_made` is the number of moves in all rounds. A move is sent with the number that the
      player saw, and is rejected if the number is out of date.
    - `round` is the number of rounds begun, and `changes` the number of logged changes
      (`TableMoment`).
    - `turn` is the seat whose turn it is, None between rounds.
    - `allowance` is the time per move in seconds.
    - `deadline` is the time of the next automatic change: a player's time runs out, a bot moves,
      the next round is dealt, or an abandoned table is closed.
    - `failures` is the number of consecutive errors of a bot, and `error` the last one.
    """

    class State(models.TextChoices):
        """State of a table."""

        OPEN = "open", _("waiting for players")
        PLAYING = "playing", _("playing")
        OVER = "over", _("over")
        CLOSED = "closed", _("closed before the end of the match")

    class Pace(models.TextChoices):
        """Kind of time limit for moves."""

        LIVE = "live", _("live, with a time limit")
        DAYS = "days", _("by turns, with days for each move")

    class Watch(models.TextChoices):
        """Values that say who may watch the table."""

        ANYBODY = "anybody", _("anyone")
        LINK = "link", _("anyone with the link")
        NOBODY = "nobody", _("nobody")

    class Seating(models.TextChoices):
        """Values that say who may take a free seat."""

        ANYBODY = "anybody", _("anyone")
        LINK = "link", _("anyone with the link")

    ACTIVE = (State.OPEN, State.PLAYING)

    game = models.CharField(_("game"), max_length=20)
    profile = models.CharField(_("rules"), max_length=30)
    rules = models.JSONField(_("options"))
    rules_hash = models.CharField(_("digest of the rules"), max_length=64)
    league = models.ForeignKey(
        League,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="tables",
        verbose_name=_("league"),
    )
    fixture = models.ForeignKey(
        Fixture,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="tables",
        verbose_name=_("fixture"),
    )
    match = models.OneToOneField(
        Match,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="table",
        verbose_name=_("match"),
    )
    host = models.ForeignKey(
        Player, on_delete=models.PROTECT, related_name="hosted", verbose_name=_("host")
    )
    state = models.CharField(_("state"), max_length=8, choices=State.choices, default=State.OPEN)
    pace = models.CharField(_("pace"), max_length=5, choices=Pace.choices, default=Pace.LIVE)
    allowance = models.PositiveIntegerField(_("seconds per move"), default=60)
    seating = models.CharField(
        _("who can take a seat"), max_length=8, choices=Seating.choices, default=Seating.ANYBODY
    )
    watch = models.CharField(
        _("who can watch"), max_length=8, choices=Watch.choices, default=Watch.ANYBODY
    )
    delay = models.PositiveIntegerField(_("delay for spectators, in seconds"), default=30)
    rated = models.BooleanField(_("rated"), default=True)
    invitation = models.CharField(_("invitation"), max_length=43, unique=True)
    moves_made = models.PositiveIntegerField(_("moves"), default=0)
    round = models.PositiveSmallIntegerField(_("hands or evenings started"), default=0)
    changes = models.PositiveIntegerField(_("number of events"), default=0)
    turn = models.PositiveSmallIntegerField(_("turn"), null=True, blank=True)
    deadline = models.DateTimeField(_("deadline"), null=True, blank=True)
    points = models.JSONField(_("points by seat"), default=list)
    failures = models.PositiveSmallIntegerField(_("bot failures"), default=0)
    error = models.CharField(_("error"), max_length=300, blank=True)
    created_at = models.DateTimeField(_("opened"))
    changed_at = models.DateTimeField(_("last event"))
    begun_at = models.DateTimeField(_("started"), null=True, blank=True)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)
    # Time at which spectators, who watch with a delay, have seen the end of the game. Until then,
    # only the players know that it is over. Null if no result is pending.
    counts_at = models.DateTimeField(_("time when the result takes effect"), null=True, blank=True)

    class Meta:
        verbose_name = _("table")
        verbose_name_plural = _("tables")
        indexes = [
            models.Index(fields=["state", "deadline"]),
            models.Index(
                name="table_counts_at",
                fields=["counts_at"],
                condition=models.Q(counts_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.pk}"


class TableSeat(models.Model):
    """A seat of a live table. It is empty, taken by a bot (`bot`), or taken by a player.

    A bot may temporarily replace an absent player (`stand_in`).
    """

    table = models.ForeignKey(
        Table, on_delete=models.CASCADE, related_name="seats", verbose_name=_("table")
    )
    number = models.PositiveSmallIntegerField(_("seat"))
    player = models.ForeignKey(
        Player,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="table_seats",
        verbose_name=_("player"),
    )
    bot = models.CharField(_("bot"), max_length=20, blank=True)
    stand_in = models.BooleanField(_("a bot took over"), default=False)
    stood_in = models.PositiveIntegerField(_("moves made by the substitute bot"), default=0)
    ready = models.BooleanField(_("ready for the next hand or evening"), default=False)

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
    """A round of a live table, whose random seed is fixed before the round begins.

    The digest of the seed (`commitment`, Ruling F-2) is published in advance, and the seed itself
    when the round is over. The seed of the first round is drawn when the table is created, that of
    each further round when the previous round ends.
    """

    table = models.ForeignKey(
        Table, on_delete=models.CASCADE, related_name="rounds", verbose_name=_("table")
    )
    number = models.PositiveSmallIntegerField(_("round"))
    seed = models.BinaryField(max_length=32)
    commitment = models.BinaryField(max_length=32)
    stake = models.JSONField(_("details fixed before the deal"))
    begun_at = models.DateTimeField(_("started"), null=True, blank=True)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)
    points = models.JSONField(_("points by seat"), default=list)

    class Meta:
        verbose_name = _("hand or evening at a table")
        verbose_name_plural = _("hands and evenings at tables")
        ordering = ["table", "number"]
        constraints = [
            models.UniqueConstraint(name="table_round_once", fields=["table", "number"]),
        ]

    def __str__(self) -> str:
        return f"{self.table} · {self.number}"


class TableMove(models.Model):
    """A move in the game's notation. `number` counts the moves of all rounds from 1."""

    table = models.ForeignKey(
        Table, on_delete=models.CASCADE, related_name="moves", verbose_name=_("table")
    )
    number = models.PositiveIntegerField(_("move"))
    round = models.PositiveSmallIntegerField(_("round"))
    seat = models.PositiveSmallIntegerField(_("seat"))
    text = models.CharField(_("notation"), max_length=200)
    bot = models.CharField(_("played by the bot"), max_length=20, blank=True)
    at = models.DateTimeField(_("time"))

    class Meta:
        verbose_name = _("move")
        verbose_name_plural = _("moves")
        ordering = ["table", "number"]
        constraints = [
            models.UniqueConstraint(name="table_move_once", fields=["table", "number"]),
        ]

    def __str__(self) -> str:
        return f"{self.number}. {self.text}"


class TableMoment(models.Model):
    """The state of a live table after a change, so that every past state can be shown again.

    It consists of the event, the number of rounds and moves, points, clock and players. `seats` is
    a list with an item for each seat: player, bot, whether a bot replaces the player, and whether
    the player is ready for the next round.
    """

    class Event(models.TextChoices):
        """Kind of change of a live table."""

        LAID = "laid", _("opened")
        SAT = "sat", _("took a seat")
        STOOD_UP = "stood_up", _("left their seat")
        BOT = "bot", _("a bot took a seat")
        FREED = "freed", _("a bot was removed")
        DEALT = "dealt", _("a hand or evening began")
        MOVED = "moved", _("made a move")
        LEFT = "left", _("left the table")
        TIMED_OUT = "timed_out", _("the time ran out")
        BACK = "back", _("came back")
        READY = "ready", _("is ready")
        CLOSED = "closed", _("closed")
        COUNTED = "counted", _("the result took effect")

    table = models.ForeignKey(
        Table, on_delete=models.CASCADE, related_name="moments", verbose_name=_("table")
    )
    number = models.PositiveIntegerField(_("table event"))
    event = models.CharField(_("what happened"), max_length=9, choices=Event.choices)
    seat = models.PositiveSmallIntegerField(_("seat"), null=True, blank=True)
    state = models.CharField(_("state"), max_length=8, choices=Table.State.choices)
    round = models.PositiveSmallIntegerField(_("hands or evenings started"))
    moves = models.PositiveIntegerField(_("moves"))
    points = models.JSONField(_("points by seat"))
    seats = models.JSONField(_("seats"))
    deadline = models.DateTimeField(_("deadline"), null=True)
    at = models.DateTimeField(_("time"))

    class Meta:
        verbose_name = _("table event")
        verbose_name_plural = _("table events")
        ordering = ["table", "number"]
        constraints = [
            models.UniqueConstraint(name="table_moment_once", fields=["table", "number"]),
        ]

    def __str__(self) -> str:
        return f"{self.table} · {self.number}: {self.event}"
