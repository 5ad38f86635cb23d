"""Models of matches, scoresheets, disputes and results."""

from __future__ import annotations

import datetime as dt

from django.db import models
from django.utils.translation import gettext_lazy as _

from leagues.models.leagues import Fixture, League
from leagues.models.players import Player


class Match(models.Model):
    """A match, played at a real table or on the site.

    Standings and ratings read only the models `Result` and `Place`, whose rows exist while the
    match is confirmed or final.

    - `version` increases with every change. Requests to change the match name the version that they
      read.
    - `league` is None for a match among friends.
    - `draft` is the unfinished scoresheet. It is deleted when the scoresheet is entered.
    - `closed_away` marks a draft that is void only because its league was closed. Reopening the
      league restores it.
    """

    class State(models.TextChoices):
        """State of a match."""

        DRAFT = "draft", _("draft")
        HANDED_IN = "handed_in", _("awaiting confirmation")
        CONFIRMED = "confirmed", _("confirmed")
        FINAL = "final", _("final")
        DISPUTED = "disputed", _("disputed")
        VOID = "void", _("void")

    COUNTED = (State.CONFIRMED, State.FINAL)
    UNSETTLED = (State.HANDED_IN, State.DISPUTED)

    class Origin(models.TextChoices):
        """Values that say where a match was played, or how its result was obtained."""

        TABLE = "table", _("at a table")
        HERE = "here", _("played on this site")
        FORFEIT = "forfeit", _("forfeited")
        IMPORTED = "imported", _("imported")

    league = models.ForeignKey(
        League,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="matches",
        verbose_name=_("league"),
    )
    fixture = models.OneToOneField(
        Fixture,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="match",
        verbose_name=_("fixture"),
    )
    game = models.CharField(_("game"), max_length=20)
    rules = models.JSONField(_("options"))
    rules_hash = models.CharField(_("digest of the rules"), max_length=64)
    origin = models.CharField(
        _("played"), max_length=10, choices=Origin.choices, default=Origin.TABLE
    )
    state = models.CharField(_("state"), max_length=10, choices=State.choices, default=State.DRAFT)
    version = models.PositiveIntegerField(_("version"), default=0)
    rated = models.BooleanField(_("rated"), default=True)
    draft = models.JSONField(_("draft"), null=True, blank=True)
    played_at = models.DateTimeField(_("played on"))
    created_at = models.DateTimeField(_("started"))
    entered_by = models.ForeignKey(
        Player, verbose_name=_("entered by"), on_delete=models.PROTECT, null=True, related_name="+"
    )
    handed_in_at = models.DateTimeField(_("entered"), null=True, blank=True)
    confirmed_at = models.DateTimeField(_("confirmed on"), null=True, blank=True)
    confirmed_by = models.ForeignKey(
        Player,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("confirmed by"),
    )
    sheet = models.ForeignKey(
        "Sheet",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("scoresheet"),
    )
    note = models.CharField(_("note"), max_length=300, blank=True)
    voided_by = models.ForeignKey(
        Player,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("voided by"),
    )
    closed_away = models.BooleanField(default=False, editable=False, db_default=False)
    external_id = models.CharField(_("external identifier"), max_length=80, blank=True)
    key = models.CharField(
        max_length=43,
        unique=True,
        help_text=_("This key opens the form for the match. It is printed on the scoresheet."),
    )

    class Meta:
        verbose_name = _("match")
        verbose_name_plural = _("matches")
        indexes = [models.Index(fields=["league", "state", "played_at"])]
        constraints = [
            models.UniqueConstraint(
                name="match_imported_once",
                fields=["league", "external_id"],
                condition=~models.Q(external_id=""),
            )
        ]

    def __str__(self) -> str:
        return f"{self.pk}"

    @property
    def is_only_imported(self) -> bool:
        """Return whether the result counts and was confirmed only by the organiser who
        imported it.
        """
        imported = self.origin == self.Origin.IMPORTED and self.state in self.COUNTED
        return imported and self.confirmed_by_id == self.entered_by_id

    @property
    def stamp(self) -> str:
        """Return the state of the match as lists show it.

        For a result that only the importing organiser has confirmed, it is `imported`.
        """
        unconfirmed = self.state == self.State.CONFIRMED and self.is_only_imported
        return self.Origin.IMPORTED.value if unconfirmed else self.state

    @property
    def objections_until(self) -> dt.datetime | None:
        """Return the end of the time limit for disputes, once a match of a league is confirmed."""
        if self.confirmed_at is None or self.league is None:
            return None
        return self.confirmed_at + dt.timedelta(hours=self.league.hours_to_object)


class MatchSeat(models.Model):
    """A player's seat and side in a match."""

    match = models.ForeignKey(
        Match, on_delete=models.CASCADE, related_name="seats", verbose_name=_("match")
    )
    number = models.PositiveSmallIntegerField(_("seat"))
    player = models.ForeignKey(
        Player, on_delete=models.PROTECT, related_name="match_seats", verbose_name=_("player")
    )
    side = models.PositiveSmallIntegerField(_("side"))

    class Meta:
        verbose_name = _("seat in a match")
        verbose_name_plural = _("seats in matches")
        ordering = ["match", "number"]
        constraints = [
            models.UniqueConstraint(name="match_seat_once", fields=["match", "number"]),
            models.UniqueConstraint(name="match_player_once", fields=["match", "player"]),
        ]

    def __str__(self) -> str:
        return f"{self.number}: {self.player}"


class Sheet(models.Model):
    """An immutable version of the scoresheet of a match.

    `content` is in the game's own format. `points` and `places` by seat are the judgement of the
    referee, which checks scoresheets against the rules.
    """

    class Evidence(models.TextChoices):
        """How far the referee could check the scoresheet.

        `OPEN`: the points were calculated, but it is not known whether they are possible (Ruling
        I-18).
        """

        SCORE = "score", _("result only")
        OPEN = "open", _("scoresheet without contradictions")
        SHEET = "sheet", _("scoresheet")
        LOG = "log", _("record of all moves")

    match = models.ForeignKey(
        Match, on_delete=models.CASCADE, related_name="sheets", verbose_name=_("match")
    )
    number = models.PositiveIntegerField(_("version"))
    content = models.JSONField(_("content"))
    points = models.JSONField(_("points by seat"))
    places = models.JSONField(_("places by seat"))
    evidence = models.CharField(_("evidence"), max_length=5, choices=Evidence.choices)
    by = models.ForeignKey(
        Player, on_delete=models.PROTECT, null=True, related_name="+", verbose_name=_("by")
    )
    at = models.DateTimeField(_("time"))
    reason = models.CharField(_("reason"), max_length=200, blank=True)

    class Meta:
        verbose_name = _("scoresheet")
        verbose_name_plural = _("scoresheets")
        ordering = ["match", "number"]
        constraints = [
            models.UniqueConstraint(name="sheet_once", fields=["match", "number"]),
        ]

    def __str__(self) -> str:
        return f"{self.match} v{self.number}"

    @property
    def forfeits(self) -> tuple[int, ...]:
        """Return the seats of players who did not come to the match.

        Empty if the match was played.
        """
        content = self.content if isinstance(self.content, dict) else {}
        return tuple(content.get("forfeit", ()))


class Dispute(models.Model):
    """A dispute about a result, open until it is settled or withdrawn by its author."""

    match = models.ForeignKey(
        Match, on_delete=models.CASCADE, related_name="disputes", verbose_name=_("match")
    )
    by = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+", verbose_name=_("by"))
    at = models.DateTimeField(_("time"))
    reason = models.CharField(_("reason"), max_length=300)
    settled_at = models.DateTimeField(_("settled"), null=True, blank=True)
    settled_by = models.ForeignKey(
        Player,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("settled by"),
    )
    settlement = models.CharField(_("settlement"), max_length=300, blank=True)

    class Meta:
        verbose_name = _("dispute")
        verbose_name_plural = _("disputes")
        constraints = [
            models.UniqueConstraint(
                name="dispute_one_open", fields=["match"], condition=models.Q(settled_at=None)
            )
        ]

    def __str__(self) -> str:
        return f"{self.match}: {self.reason}"


class Proposal(models.Model):
    """A proposal to settle a match, made by an organiser who played or entered it.

    The other side answers the proposal, which is open until then. `accepted` is None if another
    decision was made first.
    """

    class Outcome(models.TextChoices):
        """What happens to the match if the proposal is accepted."""

        STANDS = "stands", _("the result stands")
        VOID = "void", _("the match is void")

    match = models.ForeignKey(
        Match, on_delete=models.CASCADE, related_name="proposals", verbose_name=_("match")
    )
    by = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+", verbose_name=_("by"))
    at = models.DateTimeField(_("time"))
    outcome = models.CharField(_("outcome"), max_length=6, choices=Outcome.choices)
    reason = models.CharField(_("reason"), max_length=300)
    answered_at = models.DateTimeField(_("answered"), null=True, blank=True)
    answered_by = models.ForeignKey(
        Player,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("answered by"),
    )
    accepted = models.BooleanField(_("accepted"), null=True, blank=True)

    class Meta:
        verbose_name = _("proposal")
        verbose_name_plural = _("proposals")
        constraints = [
            models.UniqueConstraint(
                name="proposal_one_open", fields=["match"], condition=models.Q(answered_at=None)
            )
        ]

    def __str__(self) -> str:
        return f"{self.match}: {self.outcome}"


class Result(models.Model):
    """The result of a match that is confirmed or final.

    Standings and ratings are calculated from results in the order of `played_at`, then primary key.
    `site` is True if the result counts for the ratings of the site.
    """

    match = models.OneToOneField(
        Match, on_delete=models.CASCADE, related_name="result", verbose_name=_("match")
    )
    sheet = models.ForeignKey(
        Sheet, on_delete=models.PROTECT, related_name="+", verbose_name=_("scoresheet")
    )
    league = models.ForeignKey(
        League,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="results",
        verbose_name=_("league"),
    )
    game = models.CharField(_("game"), max_length=20)
    site = models.BooleanField(_("counts for the leaderboard"), default=False)
    rated = models.BooleanField(_("rated"), default=True)
    played_at = models.DateTimeField(_("played on"))

    class Meta:
        verbose_name = _("result")
        verbose_name_plural = _("results")
        ordering = ["played_at", "match_id"]
        indexes = [
            models.Index(fields=["league", "played_at", "match"]),
            models.Index(fields=["game", "site", "played_at", "match"]),
        ]

    def __str__(self) -> str:
        return f"{self.match}"


class Place(models.Model):
    """Place and points of a player in a result. `player` is the player after merges."""

    result = models.ForeignKey(
        Result, on_delete=models.CASCADE, related_name="placings", verbose_name=_("result")
    )
    player = models.ForeignKey(
        Player, on_delete=models.PROTECT, related_name="placings", verbose_name=_("player")
    )
    seat = models.PositiveSmallIntegerField(_("seat"))
    side = models.PositiveSmallIntegerField(_("side"))
    place = models.PositiveSmallIntegerField(_("place"))
    points = models.IntegerField(_("points"))
    against = models.IntegerField(_("points against"))

    class Meta:
        verbose_name = _("place")
        verbose_name_plural = _("places")
        ordering = ["result", "seat"]
        constraints = [
            models.UniqueConstraint(name="place_seat_once", fields=["result", "seat"]),
        ]

    def __str__(self) -> str:
        return f"{self.player}: {self.place}"
