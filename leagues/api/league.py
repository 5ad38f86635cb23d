"""API resources of leagues: list, creation, settings, closing and invitations."""

from __future__ import annotations

import re
from dataclasses import asdict, replace
from fractions import Fraction
from typing import Any, Final

import django_filters as filters
from django.db.models import QuerySet
from django.http import Http404
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_view
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.filters import BooleanFilter, SlugFilter, StrictFilterSet
from api.types import JSONObject
from api.views import DetailView, ListView, idempotent
from core.names.serializers import CleanCharField, CleanTextField
from leagues.api.people import RuleOptions
from leagues.api.resources import LeagueResource, VisitorResource, op
from leagues.api.standings import StandingMoves, standing_move
from leagues.exceptions import NotAllowed
from leagues.games import games
from leagues.league.operations import (
    ABSENCES_RANGE,
    CUT_MATCHES_RANGE,
    CUT_RANGE,
    DAYS_RANGE,
    HOURS_RANGE,
    POINTS_PATTERN,
    ROUNDS_RANGE,
    SEATS_RANGE,
    ClosingPreview,
    LeagueSettings,
    adopt_rules,
    change_settings,
    check_may_adopt,
    close_league,
    create_league,
    locked_settings,
    preview_closing,
    renew_invitation,
    reopen_league,
    rules_to_adopt,
    settings_of,
)
from leagues.league.queries import league_ids_of_player, leagues_known_to
from leagues.matches.consequences import Consequences
from leagues.members.operations.membership import join_league
from leagues.members_read.queries import role_in
from leagues.models import League, Member
from leagues.permissions import LeagueRole, league_role_of, may_organise
from leagues.standings.scoring import ScoringKind, within_bounds
from leagues.standings.tallies import RulesVersion
from leagues.standings.tie_breaks import TieBreak


def whole_number_field(bounds: tuple[int, int], **more: Any) -> serializers.IntegerField:
    low, high = bounds
    return serializers.IntegerField(min_value=low, max_value=high, **more)


def check_points(text: str) -> None:
    """Raise `ValidationError` for points that are out of bounds.

    A text that is not a number is rejected later, by the pattern of the field. It must not be
    parsed here, because the digits of 1e999999999 would take minutes to compute.
    """
    if re.fullmatch(POINTS_PATTERN, text) is None:
        return
    try:
        fine = within_bounds(Fraction(text))
    except (ValueError, ZeroDivisionError):
        fine = False
    if not fine:
        raise serializers.ValidationError(
            _("These scoring rules are not valid. Check how they are written.")
        )


def points_field(**more: Any) -> serializers.RegexField:
    return serializers.RegexField(POINTS_PATTERN, validators=[check_points], **more)


class WrittenScoring(serializers.Serializer[JSONObject]):
    """Points for matches in the standings. Numbers are texts, which keeps fractions exact."""

    kind = serializers.ChoiceField(choices=list(ScoringKind), required=False)
    by_place = serializers.ListField(child=points_field(), required=False, max_length=6)
    draw = points_field(required=False, allow_null=True)
    bye = points_field(
        required=False,
        allow_null=True,
        help_text="For a drawn bye. Null or omitted: a win where two play, else the mean of the "
        "places of a full match, and nothing where points are added up.",
    )
    absence = points_field(
        required=False,
        allow_null=True,
        help_text="For an announced absence. Null or omitted: half a win.",
    )


class ChangedLeague(serializers.Serializer[JSONObject]):
    """Settings of a league to change. Omitted settings stay as they are."""

    name = CleanCharField(max_length=60, required=False)
    about = CleanTextField(max_length=1000, allow_blank=True, required=False)
    profile = serializers.CharField(
        max_length=30, required=False, help_text="A profile of the game, or “own” with rules."
    )
    rules = RuleOptions(required=False, help_text="Options, where the profile is “own”.")
    visibility = serializers.ChoiceField(choices=League.Visibility.values, required=False)
    format = serializers.ChoiceField(choices=League.Format.values, required=False)
    seats = whole_number_field(SEATS_RANGE, required=False)
    rounds_planned = whole_number_field(ROUNDS_RANGE, required=False, allow_null=True)
    days_a_round = whole_number_field(DAYS_RANGE, required=False)
    scoring = WrittenScoring(required=False)
    tie_breaks = serializers.ListField(
        child=serializers.ChoiceField(choices=list(TieBreak)),
        required=False,
        max_length=len(TieBreak),
    )
    cut = whole_number_field(CUT_RANGE, required=False, allow_null=True)
    absences_allowed = whole_number_field(
        ABSENCES_RANGE,
        required=False,
        help_text="How many announced absences bring each player of a Swiss league points.",
    )
    cut_matches = whole_number_field(
        CUT_MATCHES_RANGE,
        required=False,
        help_text="Players with fewer matches, forfeits not included, are not counted by the line.",
    )
    hours_to_object = whole_number_field(HOURS_RANGE, required=False)
    zone = serializers.CharField(
        max_length=40, required=False, help_text="A time zone, such as Europe/Madrid."
    )


class NewLeague(ChangedLeague):
    """A league to create. Omitted settings have their default values."""

    name = CleanCharField(max_length=60)
    game = serializers.CharField(max_length=20)
    profile = serializers.CharField(
        max_length=30, help_text="A profile of the game, or “own” with rules."
    )
    plays = serializers.BooleanField(
        required=False, default=True, help_text="Whether its founder plays."
    )


TAG: Final = "leagues"


class LeagueLine(serializers.ModelSerializer[League]):
    """Summary of a league."""

    playing = serializers.IntegerField(help_text="How many play.")
    last_played = serializers.DateTimeField(source="last", allow_null=True)

    class Meta:
        model = League
        fields = ["slug", "name", "about", "game", "profile", "visibility", "format", "seats"]
        fields += ["created_at", "closed_at", "playing", "last_played"]


class Part(serializers.Serializer[LeagueRole]):
    """Role and permissions of the user in a league."""

    role = serializers.ChoiceField(choices=Member.Role.values, allow_null=True)
    organises = serializers.BooleanField()
    scores = serializers.BooleanField(help_text="May hand in matches of others.")
    plays = serializers.BooleanField()


class LeagueFull(serializers.ModelSerializer[League]):
    """A league with its settings."""

    rules = serializers.JSONField()
    scoring = serializers.JSONField()
    tie_breaks = serializers.ListField(child=serializers.CharField())
    description = serializers.SerializerMethodField(help_text="The rules in a few words each.")
    locked = serializers.SerializerMethodField(help_text="Settings that are fixed by now.")
    current_rules = serializers.SerializerMethodField(
        help_text="Whether its standings follow the current rules, and not earlier ones."
    )
    you = serializers.SerializerMethodField()
    invitation = serializers.SerializerMethodField(
        help_text="What one joins by; null to who is not in the league."
    )
    calendar = serializers.SerializerMethodField(help_text="Its fixtures, for calendar programs.")

    class Meta:
        model = League
        fields = ["slug", "name", "about", "game", "profile", "rules", "rules_hash", "description"]
        fields += ["visibility", "format", "seats", "rounds_planned", "days_a_round", "scoring"]
        fields += [
            "tie_breaks",
            "cut",
            "absences_allowed",
            "cut_matches",
            "hours_to_object",
            "zone",
            "created_at",
            "closed_at",
            "locked",
            "current_rules",
        ]
        fields += ["you", "invitation", "calendar"]

    def get_description(self, league: League) -> list[str]:
        """The league's rules as sentences."""
        return [str(said) for said in games[league.game].describe(league.rules)]

    def get_locked(self, league: League) -> list[str]:
        """The settings that can no longer be changed, in alphabetical order."""
        return sorted(locked_settings(league))

    def get_current_rules(self, league: League) -> bool:
        """Whether the league follows the current rules of standings.

        Older leagues may follow earlier rules.
        """
        return bool(league.standings_rules == RulesVersion.CURRENT)

    def get_you(self, league: League) -> Part:
        """Role and permissions of the user."""
        return Part(self._part(league)).data  # type: ignore[return-value]

    def get_invitation(self, league: League) -> str | None:
        """Token of the invitation, which every member may pass on."""
        part = self._part(league)
        return league.invitation if part.role is not None or part.organises else None

    def get_calendar(self, league: League) -> str:
        """URL of the league's calendar."""
        at = reverse("league_calendar", args=[league.slug])
        return str(self.context["request"].build_absolute_uri(at))

    def _part(self, league: League) -> Any:
        return self.context["view"].part_in(league)


class LeagueDetailResource(VisitorResource):
    """Base resource that returns a league in full."""

    def part_in(self, league: League) -> LeagueRole:
        """Return the user's role and permissions in the league.

        They are loaded once per request.
        """
        key = (league.pk, self.player and self.player.pk)
        if getattr(self, "_part", (None, None))[0] != key:
            self._part = (key, league_role_of(self.player, league))
        return self._part[1]


class LeagueFilter(StrictFilterSet):
    """Filter of the list of leagues."""

    game = SlugFilter()
    format = filters.ChoiceFilter(choices=League.Format.choices)
    open = BooleanFilter(method="only_open")
    mine = BooleanFilter(method="only_mine")

    def only_open(self, rows: QuerySet[League], name: str, value: bool) -> QuerySet[League]:
        """Select open or closed leagues."""
        return rows.filter(closed_at__isnull=value)

    def only_mine(self, rows: QuerySet[League], name: str, value: bool) -> QuerySet[League]:
        """Select leagues in which the user is a member, or is not."""
        player = self.request.parser_context["view"].player
        mine = league_ids_of_player(player)
        return rows.filter(pk__in=mine) if value else rows.exclude(pk__in=mine)


@extend_schema_view(get=op("leagues_list", TAG, LeagueLine(many=True)))
class Leagues(LeagueDetailResource, ListView):
    """List public leagues and the user's own, latest first. A POST creates a league."""

    queryset = League.objects.none()
    serializer_class = LeagueLine
    filterset_class = LeagueFilter
    ordering = ("-created_at", "-pk")

    def get_queryset(self) -> QuerySet[League]:
        return leagues_known_to(self.player)

    @op("leagues_found", TAG, {201: LeagueFull})
    @idempotent(NewLeague)
    def post(self, request: Request, *args: str, **kwargs: str | int) -> Response:
        """Create a league. The user becomes its organiser."""
        given = self.read(request)
        plays = given.pop("plays")
        me = self.acting()
        league = create_league(
            settings=LeagueSettings(**given), by=me, at=timezone.now(), plays=plays
        )
        representation = LeagueFull(league, context=self.get_serializer_context()).data
        at = reverse("api_league", args=[league.slug])
        return Response(representation, status=201, headers={"Location": at})


@extend_schema_view(get=op("leagues_read", TAG, LeagueFull))
class LeagueOne(LeagueResource, LeagueDetailResource, DetailView):
    """A league with its rules, settings and the user's role."""

    serializer_class = LeagueFull

    def get_object(self) -> League:
        return self.league

    @op("leagues_change", TAG, LeagueFull)
    @idempotent(ChangedLeague)
    def patch(self, request: Request, *args: str, **kwargs: str | int) -> Response:
        """Change settings. Those locked by the first match or round can't change."""
        given, rows = self.read(request), League.objects.select_for_update(no_key=True)
        league = rows.get(pk=self.league.pk)  # locked until it is changed
        self.lock_and_compare(request, lambda: self.represent(league))
        settings = replace(settings_of(league), **given)
        row = change_settings(league=league, settings=settings, by=self.acting(), at=timezone.now())
        return Response(self.represent(row))


class ClosingDraft(serializers.Serializer[JSONObject]):
    """A preview of what closing the league would void.

    Send `edition` to close it in exactly this state.
    """

    fixtures = serializers.IntegerField(help_text="Still to be played.")
    drafts = serializers.IntegerField(help_text="Matches being written.")
    edition = serializers.IntegerField()


class ReadDraft(serializers.Serializer[JSONObject]):
    """Request that confirms closing the league, with the `edition` (version of the league) of its
    preview.

    Without it, the league is closed in its present state.
    """

    edition = serializers.IntegerField(min_value=0, max_value=2**31 - 1, required=False)


@extend_schema_view(get=op("leagues_close_preview", TAG, ClosingDraft, 403, 409))
class LeagueClosing(LeagueResource, LeagueDetailResource, DetailView):
    """Preview what closing the league would void. A POST closes it.

    Open fixtures become void until the league is reopened.
    """

    serializer_class = LeagueFull

    def get_object(self) -> ClosingPreview:
        """Return the preview of closing the league, for organisers. Raises OperationError."""
        if not may_organise(self.player, self.league):
            raise NotAllowed(_("Only an organiser of the league can do this."))
        return preview_closing(league=self.league)

    def represent(self, row: ClosingPreview) -> JSONObject:
        return asdict(row)

    @op("leagues_close", TAG, LeagueFull)
    @idempotent(ReadDraft)
    def post(self, request: Request, *args: str, **kwargs: str | int) -> Response:
        """Close the league, for organisers.

        Rejected while a match awaits confirmation or is disputed, and if the league has changed
        since the draft.
        """
        league, by = self.league, self.acting()  # checked before the body
        edition = self.read(request).get("edition")
        row = close_league(league=league, by=by, at=timezone.now(), edition=edition)
        return Response(self.get_serializer(row).data)


class LeagueReopening(LeagueResource, LeagueDetailResource):
    """Reopen a closed league and restore the fixtures and drafts that closing it voided."""

    serializer_class = LeagueFull

    @op("leagues_reopen", TAG, LeagueFull)
    @idempotent()
    def post(self, request: Request, *args: str, **kwargs: str | int) -> Response:
        """Reopen the league, for organisers."""
        row = reopen_league(league=self.league, by=self.acting(), at=timezone.now())
        return Response(self.get_serializer(row).data)


class RulesDraft(serializers.Serializer[JSONObject]):
    """A preview of the standings under the current rules.

    Send `edition` to adopt them in exactly this state.
    """

    standings = StandingMoves(many=True)
    edition = serializers.IntegerField()


class ReadRulesDraft(serializers.Serializer[JSONObject]):
    """Request that confirms adopting the rules, with the `edition` (version of the league) of its
    preview.

    Without it, the rules are adopted in the present state.
    """

    edition = serializers.IntegerField(min_value=0, max_value=2**31 - 1, required=False)


@extend_schema_view(get=op("leagues_adopt_rules_preview", TAG, RulesDraft, 403, 409))
class LeagueRulesAdoption(LeagueResource, LeagueDetailResource, DetailView):
    """Preview the standings under the current rules. A POST adopts these rules for good.

    Only for leagues that were founded under earlier rules and whose standings are not final.
    """

    serializer_class = LeagueFull

    def get_object(self) -> League:
        """Return the league, for organisers. Raises OperationError if it cannot adopt the rules."""
        if not may_organise(self.player, self.league):
            raise NotAllowed(_("Only an organiser of the league can do this."))
        check_may_adopt(self.league)
        return self.league

    def represent(self, row: League) -> JSONObject:
        changes = rules_to_adopt(row) or Consequences()
        moves = [standing_move(change) for change in changes.standings]
        return {"standings": moves, "edition": row.edition}

    @op("leagues_adopt_rules", TAG, LeagueFull)
    @idempotent(ReadRulesDraft)
    def post(self, request: Request, *args: str, **kwargs: str | int) -> Response:
        """Adopt the current rules of standings, for organisers. This cannot be undone.

        Rejected if the league has changed since the draft, follows these rules already, or if its
        standings are final.
        """
        league, by = self.league, self.acting()  # checked before the body
        row = adopt_rules(league=league, by=by, edition=self.read(request).get("edition"))
        return Response(self.get_serializer(row).data)


class InvitationToken(serializers.Serializer[JSONObject]):
    """Token of an invitation."""

    invitation = serializers.CharField()


class LeagueInvitation(LeagueResource):
    """Renew the invitation. The old one becomes invalid."""

    @op("leagues_renew_invitation", TAG, InvitationToken)
    @idempotent()
    def post(self, request: Request, *args: str, **kwargs: str | int) -> Response:
        """Renew the invitation, for organisers."""
        return Response({"invitation": renew_invitation(league=self.league, by=self.acting())})


class Invited(serializers.ModelSerializer[League]):
    """The league to which an invitation belongs, and the user's role in it."""

    role = serializers.SerializerMethodField()

    class Meta:
        model = League
        fields = ["slug", "name", "about", "game", "profile", "format", "closed_at", "role"]

    def get_role(self, league: League) -> str | None:
        """The user's role, or null for users who are not members."""
        return role_in(self.context["view"].player, league)


@extend_schema_view(get=op("invitations_read", TAG, Invited))
class Invitation(VisitorResource, DetailView):
    """The league to which an invitation belongs. A POST joins the league."""

    serializer_class = Invited

    def get_object(self) -> League:
        """Return the league of the token. Raises Http404."""
        league = League.objects.filter(invitation=self.kwargs["token"]).first()
        if league is None:
            raise Http404
        return league

    @op("invitations_join", TAG, Invited)
    @idempotent()
    def post(self, request: Request, *args: str, **kwargs: str | int) -> Response:
        """Join the league. Former members return to it."""
        league = self.get_object()
        join_league(token=league.invitation, by=self.acting(), at=timezone.now())
        return Response(self.represent(league))
