"""Models of leagues: members, rounds and fixtures."""

from __future__ import annotations

import datetime as dt
from typing import Final
from uuid import uuid4
from zoneinfo import ZoneInfo

from django.db import models
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from core.names.fields import NameKeyField, SearchTextField
from leagues.models.players import Player


class League(models.Model):
    """A league at one game with one set of rules, identified by its digest `rules_hash`.

    - `edition` increases with every change that the league's pages show. It is part of their cache
      key.
    - `cut` is the number of places above the cut-off line, None without a line. `cut_matches` is
      the number of matches that a player needs to be placed above the line.
    - `zone` is the time zone of days and deadlines.
    - `uid` identifies the league in exported files on all sites. It is None only for a league that
      an earlier version of the software created during an upgrade.
    - `seed` (32 bytes) decides random choices in pairing and standings.
    - `scoring` and `tie_breaks` are options of the classes `Scoring` and `TieBreak` in
      `leagues.standings`. `standings_rules` is a value of `RulesVersion` in the same package.
    - `absences_allowed` is the number of announced absences that bring points, per player.
    """

    class Visibility(models.TextChoices):
        """Values that say who can see a league and its results."""

        PUBLIC = "public", _("public: anyone can follow the league")
        LINK = "link", _("by link: anyone with the link can follow the league")
        PRIVATE = "private", _("private: only for its players")

    class Format(models.TextChoices):
        """Values that say how the matches of a league are arranged."""

        LADDER = "ladder", _("open ladder: players choose their opponents")
        ROUND_ROBIN = "round_robin", _("round robin: everyone plays everyone else")
        SWISS = "swiss", _("Swiss: players with similar scores meet")

    FOLDERS: Final = ("leagues/", "api/v1/leagues/")

    name = models.CharField(_("name"), max_length=60)
    slug = models.SlugField(_("address"), max_length=80, unique=True)
    uid = models.UUIDField(_("identifier"), default=uuid4, null=True, unique=True, editable=False)
    about = models.TextField(_("description"), max_length=1000, blank=True)
    game = models.CharField(_("game"), max_length=20)
    profile = models.CharField(
        _("rules"), max_length=30, help_text=_("Enter “own” for the club’s own rules.")
    )
    rules = models.JSONField(_("options"))
    rules_hash = models.CharField(_("digest of the rules"), max_length=64)
    visibility = models.CharField(
        _("visibility"), max_length=10, choices=Visibility.choices, default=Visibility.LINK
    )
    format = models.CharField(
        _("format"), max_length=12, choices=Format.choices, default=Format.LADDER
    )
    seats = models.PositiveSmallIntegerField(_("seats per match"), default=2)
    rounds_planned = models.PositiveSmallIntegerField(_("rounds"), null=True, blank=True)
    days_a_round = models.PositiveSmallIntegerField(_("days per round"), default=7)
    scoring = models.JSONField(_("points for each place"), default=dict, blank=True)
    tie_breaks = models.JSONField(_("tie-breaks, in order"), default=list, blank=True)
    cut = models.PositiveSmallIntegerField(
        _("places above the cut-off line"), null=True, blank=True
    )
    absences_allowed = models.PositiveSmallIntegerField(
        _("announced absences that earn points"), default=0, db_default=0
    )
    cut_matches = models.PositiveSmallIntegerField(
        _("matches needed to be above the cut-off line"), default=0, db_default=0
    )
    standings_rules = models.PositiveSmallIntegerField(default=1, db_default=1, editable=False)
    hours_to_object = models.PositiveSmallIntegerField(
        _("hours allowed to dispute a result"), default=72
    )
    zone = models.CharField(_("time zone"), max_length=40, default="UTC", db_default="UTC")
    invitation = models.CharField(_("invitation"), max_length=43, unique=True)
    seed = models.BinaryField(max_length=32)
    edition = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(_("created"))
    closed_at = models.DateTimeField(_("closed"), null=True, blank=True)
    players = models.ManyToManyField(Player, through="Member", related_name="leagues")
    name_key = NameKeyField("name")
    search_text = SearchTextField("name", "slug")

    class Meta:
        verbose_name = _("league")
        verbose_name_plural = _("leagues")
        constraints = [
            models.CheckConstraint(
                name="league_seats_2_to_6", condition=models.Q(seats__gte=2, seats__lte=6)
            )
        ]

    def __str__(self) -> str:
        return self.name

    def hour_of(self, day: dt.date, hour: dt.time) -> dt.datetime:
        """Return a time of day on the given day in the league's time zone."""
        return dt.datetime.combine(day, hour, tzinfo=ZoneInfo(self.zone))

    def days_after(
        self, moment: dt.datetime, days: int, hour: dt.time | None = None
    ) -> dt.datetime:
        """Return the time `days` days later, at the same time of day in the league's time zone.

        The result takes clock changes into account. `hour` is a different time of day. Raises
        `OverflowError` after the year 9999.
        """
        local = moment.astimezone(ZoneInfo(self.zone))
        day = local.date() + dt.timedelta(days=days)
        return self.hour_of(day, local.time() if hour is None else hour).astimezone(dt.UTC)

    def end_of(self, day: dt.date) -> dt.datetime:
        """Return the end of a day in the league's time zone."""
        return self.hour_of(day + dt.timedelta(days=1), dt.time())


class Member(models.Model):
    """Membership of a player in a league, with role and dates of joining and leaving.

    `left_after_end` means that the standings were final when the player left. The player's place
    then does not change.
    """

    class Role(models.TextChoices):
        """Roles of members. The role decides what a member may do besides playing."""

        ORGANISER = "organiser", _("organiser")
        SCORER = "scorer", _("scorer")
        PLAYER = "player", _("player")

    league = models.ForeignKey(
        League, on_delete=models.CASCADE, related_name="members", verbose_name=_("league")
    )
    player = models.ForeignKey(
        Player, on_delete=models.PROTECT, related_name="memberships", verbose_name=_("player")
    )
    role = models.CharField(_("role"), max_length=10, choices=Role.choices, default=Role.PLAYER)
    plays = models.BooleanField(_("plays"), default=True)
    joined_at = models.DateTimeField(_("joined"))
    withdrawn_at = models.DateTimeField(_("withdrew"), null=True, blank=True)
    left_after_end = models.BooleanField(default=False, db_default=False, editable=False)

    class Meta:
        verbose_name = _("member")
        verbose_name_plural = _("members")
        constraints = [
            models.UniqueConstraint(name="member_once", fields=["league", "player"]),
        ]

    def __str__(self) -> str:
        return f"{self.player} ({self.league})"


class Round(models.Model):
    """A round of fixtures with a common deadline.

    `excused` are the IDs of absent players who get points for the round, because they announced
    their absence. It is None if an earlier version of the software drew the round. `revision`
    increases with every change of the round's byes, and `changed_at` is the time of the last
    change. Both are written to calendar files.
    """

    league = models.ForeignKey(
        League, on_delete=models.CASCADE, related_name="rounds", verbose_name=_("league")
    )
    number = models.PositiveSmallIntegerField(_("round"))
    drawn_at = models.DateTimeField(_("drawn"))
    deadline = models.DateTimeField(_("deadline"))
    closed_at = models.DateTimeField(_("closed"), null=True, blank=True)
    byes = models.JSONField(
        _("byes"), default=list, help_text=_("IDs of the players with a bye, and the reasons.")
    )
    excused = models.JSONField(null=True, blank=True, editable=False)
    revision = models.PositiveIntegerField(default=0, db_default=0, editable=False)
    changed_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        verbose_name = _("round")
        verbose_name_plural = _("rounds")
        ordering = ["league", "number"]
        constraints = [
            models.UniqueConstraint(name="round_once", fields=["league", "number"]),
        ]

    def __str__(self) -> str:
        return f"{self.league} {self.number}"


class Absence(models.Model):
    """An announcement that a player cannot play in a round that has not been drawn yet."""

    league = models.ForeignKey(
        League, on_delete=models.CASCADE, related_name="absences", verbose_name=_("league")
    )
    player = models.ForeignKey(
        Player, on_delete=models.PROTECT, related_name="absences", verbose_name=_("player")
    )
    round = models.PositiveSmallIntegerField(_("round"))
    announced_at = models.DateTimeField(_("announced"))

    class Meta:
        verbose_name = _("absence")
        verbose_name_plural = _("absences")
        constraints = [
            models.UniqueConstraint(name="absence_once", fields=["league", "player", "round"]),
        ]

    def __str__(self) -> str:
        return f"{self.player}, {self.league} {self.round}"


class Fixture(models.Model):
    """A planned match with seats, deadline and the reasons for its pairing.

    The `Match` has a foreign key to its fixture. `before_close` is the state that the fixture had
    before closing the league voided it, so that reopening can restore it. It is empty if the
    fixture is void for another reason. `revision` increases with every change, and `changed_at` is
    the time of the last change. Both are written to calendar files.
    """

    class State(models.TextChoices):
        """State of a fixture."""

        OPEN = "open", _("to be played")
        POSTPONED = "postponed", _("postponed")
        PLAYED = "played", pgettext_lazy("fixture", "played")
        FORFEITED = "forfeited", _("forfeited")
        VOID = "void", _("void")

    TO_PLAY = (State.OPEN, State.POSTPONED)

    round = models.ForeignKey(
        Round, on_delete=models.CASCADE, related_name="fixtures", verbose_name=_("round")
    )
    number = models.PositiveSmallIntegerField(_("table"))
    state = models.CharField(_("state"), max_length=10, choices=State.choices, default=State.OPEN)
    deadline = models.DateTimeField(_("deadline"))
    reasons = models.JSONField(_("reasons for the pairing"), default=list)
    note = models.CharField(_("note"), max_length=200, blank=True)
    before_close = models.CharField(
        max_length=10, blank=True, default="", editable=False, db_default=""
    )
    revision = models.PositiveIntegerField(default=0, db_default=0, editable=False)
    changed_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        verbose_name = _("fixture")
        verbose_name_plural = _("fixtures")
        ordering = ["round", "number"]
        constraints = [
            models.UniqueConstraint(name="fixture_once", fields=["round", "number"]),
        ]

    def __str__(self) -> str:
        return f"{self.round} · {self.number}"

    @property
    def remark(self) -> str:
        """Return why the fixture is void, postponed or forfeited, or an empty string."""
        closed = self.before_close and self.state == self.State.VOID
        return gettext("The league was closed.") if closed else self.note


class FixtureSeat(models.Model):
    """A seat of a fixture, with its player."""

    fixture = models.ForeignKey(
        Fixture, on_delete=models.CASCADE, related_name="seats", verbose_name=_("fixture")
    )
    number = models.PositiveSmallIntegerField(_("seat"))
    player = models.ForeignKey(
        Player, on_delete=models.PROTECT, related_name="fixture_seats", verbose_name=_("player")
    )
    forfeits = models.BooleanField(_("forfeits"), default=False)

    class Meta:
        verbose_name = _("seat in a fixture")
        verbose_name_plural = _("seats in fixtures")
        ordering = ["fixture", "number"]
        constraints = [
            models.UniqueConstraint(name="fixture_seat_once", fields=["fixture", "number"]),
            models.UniqueConstraint(name="fixture_player_once", fields=["fixture", "player"]),
        ]

    def __str__(self) -> str:
        return f"{self.fixture}: {self.player}"


class CancelledEntry(models.Model):
    """A fixture or bye that no longer exists, but that subscribed calendars may still show.

    Calendar apps remove an entry only if the file says that it is cancelled. `player` is the player
    whose calendar contained the entry, None for the calendar of the league. `fixture_key` is the
    primary key of the fixture, or None for a bye in the round with the primary key `round_key`.
    These are not foreign keys, because the fixture and the round may be deleted.
    """

    league = models.ForeignKey(
        League,
        on_delete=models.CASCADE,
        related_name="cancelled_entries",
        verbose_name=_("league"),
    )
    player = models.ForeignKey(
        Player,
        on_delete=models.CASCADE,
        null=True,
        related_name="cancelled_entries",
        verbose_name=_("player"),
    )
    round_key = models.BigIntegerField()
    fixture_key = models.BigIntegerField(null=True)
    round = models.PositiveSmallIntegerField(_("round"))
    table = models.PositiveSmallIntegerField(_("table"), null=True)
    deadline = models.DateTimeField(_("deadline"))
    revision = models.PositiveIntegerField()
    cancelled_at = models.DateTimeField(_("cancelled"))

    class Meta:
        verbose_name = _("cancelled calendar entry")
        verbose_name_plural = _("cancelled calendar entries")
        indexes = [models.Index(fields=["league", "cancelled_at"])]

    def __str__(self) -> str:
        return f"{self.league} {self.round}"
