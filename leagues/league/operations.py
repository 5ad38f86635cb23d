"""Operations on a league: creation, settings, invitation, closing and reopening."""

from __future__ import annotations

import datetime as dt
import secrets
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, fields, replace
from typing import Final

from django.db import IntegrityError, transaction
from django.db.models import F, Q, QuerySet
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.time_zones import is_zone
from api.types import JSON
from core.addresses import reserved_words
from core.names.fields import with_keys
from core.names.text import clean_lines
from fairness import Seed
from leagues.calendar_changes import mark_byes_changed, mark_changed
from leagues.emit import emit_league_closed, emit_league_opened
from leagues.exceptions import NotAllowed, OperationError
from leagues.games import Game
from leagues.matches.consequences import Consequences, StandingChange, standing_changes
from leagues.matches.operations.matches import game_of, pinned_rules
from leagues.models import Fixture, League, Match, Member, Player, Result, Round
from leagues.permissions import may_organise
from leagues.players import clean_name
from leagues.ratings.recounts import send_recounts
from leagues.results import touch_league, update_site_results
from leagues.search_index import index_leagues
from leagues.standings.operations import reopen_standings
from leagues.standings.queries import enrolments_of, is_final, standings_basis
from leagues.standings.scoring import Scoring
from leagues.standings.tallies import RulesVersion
from leagues.standings.tie_breaks import TieBreak

SEATS_RANGE = (2, 6)
DAYS_RANGE = (1, 365)
HOURS_RANGE = (0, 24 * 60)
ROUNDS_RANGE = (1, 99)
ABSENCES_RANGE = (0, 99)
CUT_MATCHES_RANGE = (0, 99)
CUT_RANGE = (1, 1000)
FIGURES: Final = {
    "seats": SEATS_RANGE,
    "days_a_round": DAYS_RANGE,
    "hours_to_object": HOURS_RANGE,
    "absences_allowed": ABSENCES_RANGE,
    "rounds_planned": ROUNDS_RANGE,
    "cut": CUT_RANGE,
    "cut_matches": CUT_MATCHES_RANGE,
}
# Pattern of the points for a match in the standings: a number or a fraction below 10,000, in
# thousandths or larger parts. Points are stored as fractions, so 1234.567 is stored as
# 1234567/1000.
POINTS_PATTERN: Final = r"^-?[0-9]{1,7}([./][0-9]{1,4})?$"
MAX_POINTS_LENGTH: Final = 13
# Version of the rules of standings for new leagues.
NEW_RULES: Final = RulesVersion.CURRENT


@dataclass(frozen=True, kw_only=True)
class LeagueSettings:
    """Settings of a league.

    `rules` are used only if `profile` is "own". `rounds_planned` is the number of Swiss rounds or,
    in a round robin, how often all players meet (once if None). `cut` is the number of places above
    the cut-off line, None without a line. `cut_matches` is the number of matches that a player
    needs to be placed above the line. `absences_allowed` is the number of announced absences that
    bring points, per player of a Swiss league.
    """

    name: str
    game: str
    profile: str
    rules: JSON = None
    about: str = ""
    visibility: str = League.Visibility.LINK
    format: str = League.Format.LADDER
    seats: int = 2
    rounds_planned: int | None = None
    days_a_round: int = 7
    scoring: Mapping[str, JSON] = field(default_factory=dict)
    tie_breaks: Sequence[str] = ()
    cut: int | None = None
    absences_allowed: int = 1
    cut_matches: int = 1
    hours_to_object: int = 72
    zone: str = "UTC"


# Settings that the first match or round locks, so that the rules stay the same as when players
# joined.
LOCKED_BY_MATCHES = ("game", "profile", "rules", "seats", "format")
LOCKED_BY_RESULTS = ("scoring",)


def settings_of(league: League) -> LeagueSettings:
    """Return the present settings of a league."""
    return LeagueSettings(
        **{setting.name: getattr(league, setting.name) for setting in fields(LeagueSettings)}
    )


def has_begun(league: League) -> bool:
    """Return whether the league has a round or match, which locks the rules."""
    rounds = Round.objects.filter(league=league).exists()
    return rounds or Match.objects.filter(league=league).exists()


def locked_settings(league: League) -> frozenset[str]:
    """Return the names of the settings that can no longer be changed."""
    names: list[str] = [*LOCKED_BY_MATCHES] if has_begun(league) else ["game"]
    if Result.objects.filter(league=league).exists():
        names += LOCKED_BY_RESULTS
    return frozenset(names)


def validated_columns(
    settings: LeagueSettings, version: RulesVersion = NEW_RULES, stored: League | None = None
) -> dict[str, JSON]:
    """Return the database columns that these settings change, with rules normalised and hashed.

    `version` is the league's version of the rules of standings, and `stored` the league before the
    change. Unchanged settings are neither validated nor returned, so that a league can still be
    saved after a limit or a profile has changed in the code. Raises `OperationError` with the name
    of the invalid field.
    """
    changed = _changed_names(settings, stored)
    for name in sorted(changed & FIGURES.keys()):
        _check_figure(settings, name)
    _check_rounds(settings, stored)
    _check_cut(settings, stored)
    columns = _rules_columns(settings, changed, stored)
    validated: dict[str, Callable[[], JSON]] = {
        "name": lambda: clean_name(settings.name),
        "about": lambda: _about(settings.about),
        "visibility": lambda: _choice(settings.visibility, League.Visibility.values, "visibility"),
        "format": lambda: _choice(settings.format, League.Format.values, "format"),
        "scoring": lambda: _scoring(settings.scoring, version),
        "tie_breaks": lambda: _tie_breaks(settings.tie_breaks),
        "zone": lambda: _zone(settings.zone),
    }
    for name in (setting.name for setting in fields(LeagueSettings) if setting.name in changed):
        if name not in columns:
            columns[name] = validated[name]() if name in validated else getattr(settings, name)
    return columns


def _changed_names(settings: LeagueSettings, stored: League | None) -> set[str]:
    names = {setting.name for setting in fields(LeagueSettings)}
    if stored is None:
        return names
    before = settings_of(stored)
    return {name for name in names if getattr(settings, name) != getattr(before, name)}


def _rules_columns(
    settings: LeagueSettings, changed: set[str], stored: League | None
) -> dict[str, JSON]:
    """Return the columns for game, rules and number of players, if one of them changes."""
    game = game_of(settings.game)
    columns: dict[str, JSON] = {}
    if stored is None or changed & {"game", "profile", "rules"}:
        rules = pinned_rules(game, settings.profile, settings.rules)
        columns = {
            "game": settings.game,
            "profile": settings.profile,
            "rules": rules,
            "rules_hash": game.digest(rules),
        }
    else:
        rules = stored.rules
    if columns or "seats" in changed:
        _check_seats(settings, game, rules)
    return columns


def _check_rounds(settings: LeagueSettings, stored: League | None) -> None:
    """Raise `OperationError` for a Swiss league without a number of rounds.

    Old leagues that never had such a number are accepted.
    """
    swiss = League.Format.SWISS
    had_none = stored is not None and stored.format == swiss and stored.rounds_planned is None
    if settings.format == swiss and settings.rounds_planned is None and not had_none:
        raise OperationError(_("Enter how many rounds the Swiss league has."), "rounds_planned")


def _check_cut(settings: LeagueSettings, stored: League | None) -> None:
    """Raise `OperationError` if a new cut-off line has more places above it than the league has
    players.

    This is checked only once the league has begun, because players may still join before.
    """
    if stored is None or settings.cut is None or settings.cut == stored.cut:
        return
    people = sum(person.left_at is None for person in enrolments_of(stored))
    if settings.cut > people and has_begun(stored):
        raise OperationError(
            _(
                "The league has fewer players than places above the cut-off line. Players: "
                "%(count)s."
            )
            % {"count": people},
            "cut",
        )


def _check_figure(settings: LeagueSettings, name: str) -> None:
    low, high = FIGURES[name]
    value: int | None = getattr(settings, name)
    if value is not None and not low <= value <= high:
        raise OperationError(
            _("Enter a number from %(low)s to %(high)s.") % {"low": low, "high": high}, name
        )


def _check_seats(settings: LeagueSettings, game: Game, rules: JSON) -> None:
    possible = game.seat_counts(rules)
    if settings.seats not in possible:
        raise OperationError(
            _("With these rules, a match can have %(possible)s players.")
            % {"possible": ", ".join(map(str, possible))},
            "seats",
        )


def _about(text: str) -> str:
    lines = clean_lines(text)
    if len(lines) > 1000:
        raise OperationError(_("Use %d characters at most.") % 1000, "about")
    return lines


def _zone(name: str) -> str:
    if not is_zone(name):
        raise OperationError(_("“%s” is not a time zone.") % name, "zone")
    return name


def _choice(value: str, among: Sequence[str], name: str) -> str:
    if value not in among:
        raise OperationError(_("Choose one of the options shown."), name)
    return value


def _scoring(options: Mapping[str, JSON], version: RulesVersion) -> dict[str, object]:
    # Under the first version of the rules, a bye brings no points unless the organiser sets them.
    usual = {} if version is RulesVersion.CURRENT else {"bye": "0"}
    refused = OperationError(
        _("These scoring rules are not valid. Check how they are written."), "scoring"
    )
    try:
        scoring = Scoring.from_options(usual | dict(options))
    except (ValueError, ZeroDivisionError) as error:
        raise refused from error
    if not scoring.fits:
        raise refused
    return scoring.options()


def _tie_breaks(names: Sequence[str]) -> list[str]:
    if len(set(names)) < len(names):
        raise OperationError(
            _("The same tie-break is listed twice. Remove one of them."), "tie_breaks"
        )
    return [_choice(name, list(TieBreak), "tie_breaks") for name in names]


def check_unlocked(league: League, columns: Mapping[str, JSON]) -> None:
    """Raise `OperationError` if a locked setting would change."""
    for name in sorted(locked_settings(league) & columns.keys()):
        if columns[name] != getattr(league, name):
            raise OperationError(
                _("The league has started, so this setting can’t be changed."), name
            )


_MAX_SLUG_LENGTH = 60

# Notes that releases up to 0.1.0 wrote into fixtures when a league was closed.
CLOSING_NOTES: Final = ("The league was closed.", "La liga se cerró.")


def create_league(
    *, settings: LeagueSettings, by: Player, at: dt.datetime, plays: bool = True
) -> League:
    """Create a league with the player `by` as organiser, and store the digest of its rules.

    The organiser needs an account, because a guest would lose the league with the browser's
    session. Leagues that are not public get a slug that cannot be guessed.
    """
    if by.is_guest:
        raise NotAllowed(
            _("Sign in to start a league, so that you can find it again as its organiser.")
        )
    columns = validated_columns(settings, NEW_RULES)
    columns["standings_rules"] = NEW_RULES
    with transaction.atomic():
        league = _new_league(columns, at=at)
        index_leagues([league.pk])
        Member.objects.create(
            league=league, player=by, role=Member.Role.ORGANISER, plays=plays, joined_at=at
        )
        emit_league_opened(league, at=at)
    return league


def _new_league(columns: dict[str, object], *, at: dt.datetime) -> League:
    hidden = columns["visibility"] != League.Visibility.PUBLIC
    stem = slugify(str(columns["name"]))[:_MAX_SLUG_LENGTH] or "league"
    if stem in reserved_words(*League.FOLDERS):
        stem += "-2"
    for attempt in range(5):
        tail = f"-{secrets.token_hex(6)}" if hidden or attempt else ""
        try:
            with transaction.atomic():
                return League.objects.create(
                    slug=stem + tail,
                    seed=Seed.fresh().value,
                    invitation=_token(),
                    created_at=at,
                    **columns,
                )
        except IntegrityError:
            if not League.objects.filter(slug=stem + tail).exists():
                raise
    raise OperationError(
        _("Someone else has just chosen the same name. Try again or choose another name.")
    )


def _token() -> str:
    return secrets.token_urlsafe(32)


def lock_organised_league(league: League, *, by: Player) -> League:
    """Lock a league for one of its organisers until the transaction ends, and return it."""
    row = League.objects.select_for_update(no_key=True).get(pk=league.pk)
    if not may_organise(by, row):
        raise NotAllowed(_("Only an organiser of the league can do this."))
    return row


def change_settings(
    *, league: League, settings: LeagueSettings, by: Player, at: dt.datetime
) -> League:
    """Change settings, except those that the first match or round has locked.

    If the league becomes public or stops being public, the ratings of the site are recalculated.
    """
    with transaction.atomic():
        row = lock_organised_league(league, by=by)
        columns = validated_columns(settings, RulesVersion(row.standings_rules), row)
        check_unlocked(row, columns)
        was = row.visibility
        for name, value in columns.items():
            setattr(row, name, value)
        row.save(update_fields=with_keys(League, columns))
        index_leagues([row.pk])
        if row.visibility != was:
            update_site_results(row, at=at)
        reopen_standings(row)
        touch_league(row)
        transaction.on_commit(send_recounts)
    return row


def rules_to_adopt(league: League) -> Consequences | None:
    """Return the changes in the standings if a league under way adopts the current rules of
    standings.

    Returns None if the league follows these rules already or its standings are final.
    """
    try:
        check_may_adopt(league)
    except OperationError:
        return None
    after = standings_basis(_with_current_rules(copy(league)))
    changes = standing_changes(standings_basis(league), after)
    return Consequences(standings=tuple(filter(_is_seen, changes)))


def check_may_adopt(league: League) -> None:
    """Raise `OperationError` if a league cannot adopt the current rules of standings."""
    if league.standings_rules == RulesVersion.CURRENT:
        raise OperationError(_("The league already follows the current rules."))
    if is_final(league):
        raise OperationError(_("The standings are final and will not change."))


def _is_seen(change: StandingChange) -> bool:
    """Return whether a player's place or score in the standings changes.

    Changed values of tie-breaks alone do not matter.
    """
    before, after = change.before, change.after
    if before is None or after is None:
        return True
    old, new = (before.place, before.placed, before.score), (after.place, after.placed, after.score)
    return old != new


def _with_current_rules(league: League) -> League:
    """Give a league (in memory) the current rules of standings.

    If a bye brought no points, it now brings the usual amount. The cut-off line counts only players
    with at least one match.
    """
    league.standings_rules = RulesVersion.CURRENT
    scoring = Scoring.from_options(league.scoring)
    league.scoring = replace(scoring, bye=scoring.bye or None).options()
    league.cut_matches = league.cut_matches or 1
    return league


def adopt_rules(*, league: League, by: Player, edition: int | None = None) -> League:
    """Let a league under way permanently follow the current rules of standings.

    `edition` is the league's edition at the time of the preview (`rules_to_adopt`). The operation
    is rejected if the league has changed since.
    """
    with transaction.atomic():
        row = lock_organised_league(league, by=by)
        check_edition(row, edition)
        check_may_adopt(row)
        _with_current_rules(row).save(update_fields=["standings_rules", "scoring", "cut_matches"])
        touch_league(row)
    return row


def renew_invitation(*, league: League, by: Player) -> str:
    """Create a new invitation and return it. The old invitation becomes invalid."""
    with transaction.atomic():
        row = lock_organised_league(league, by=by)
        row.invitation = _token()
        row.save(update_fields=["invitation"])
    return row.invitation


@dataclass(frozen=True, kw_only=True)
class ClosingPreview:
    """Open fixtures and scoresheet drafts that closing a league would void.

    `edition` is the league's edition at the time of the preview. It is sent with the confirmation,
    to detect changes.
    """

    fixtures: int
    drafts: int
    edition: int


def preview_closing(*, league: League) -> ClosingPreview:
    """Preview the effects of closing a league. Nothing is saved.

    Raises `OperationError` if the league cannot be closed now.
    """
    row = League.objects.get(pk=league.pk)
    _check_may_close(row)
    return ClosingPreview(
        fixtures=_to_play(row).count(), drafts=_drafts(row).count(), edition=row.edition
    )


def close_league(
    *, league: League, by: Player, at: dt.datetime, edition: int | None = None
) -> League:
    """Close a league: open fixtures become void and the standings are final.

    `edition` is the league's edition at the time of the preview. The operation is rejected if the
    league has changed since. Raises `OperationError` while a match awaits confirmation or is
    disputed.
    """
    with transaction.atomic():
        row = lock_organised_league(league, by=by)
        _check_may_close(row)
        check_edition(row, edition)
        _void_drafts(row)
        mark_changed(_to_play(row), at=at)
        _to_play(row).update(before_close=F("state"), state=Fixture.State.VOID)
        # Closing the league cancels byes in rounds that are not over, so their calendar entries
        # change.
        mark_byes_changed(Round.objects.filter(league=row, deadline__gt=at), at=at)
        Round.objects.filter(league=row, closed_at=None).update(closed_at=at)
        row.closed_at = at
        row.save(update_fields=["closed_at"])
        touch_league(row)
        emit_league_closed(row, at=at)
    return row


def _check_may_close(league: League) -> None:
    if league.closed_at is not None:
        raise OperationError(_("The league is already closed."))
    count = Match.objects.filter(league=league, state__in=Match.UNSETTLED).count()
    if count:
        raise OperationError(
            ngettext(
                "%d match is awaiting confirmation or disputed. Confirm or void it first.",
                "%d matches are awaiting confirmation or disputed. Confirm or void them first.",
                count,
            )
            % count
        )


def check_edition(league: League, edition: int | None) -> None:
    """Raise `OperationError` if the league has changed since the preview."""
    if edition is not None and league.edition != edition:
        raise OperationError(_("The league has changed since this preview. Check the draw again."))


def _to_play(league: League) -> QuerySet[Fixture]:
    return Fixture.objects.filter(round__league=league, state__in=Fixture.TO_PLAY)


def _drafts(league: League) -> QuerySet[Match]:
    return Match.objects.filter(league=league, state=Match.State.DRAFT)


def _void_drafts(league: League) -> None:
    for match in _drafts(league).select_for_update(no_key=True):
        match.state, match.version = Match.State.VOID, match.version + 1
        match.note, match.closed_away = _("The league was closed."), True
        match.save(update_fields=["state", "version", "note", "closed_away"])


def reopen_league(*, league: League, by: Player, at: dt.datetime) -> League:
    """Reopen a league and restore the fixtures, drafts and rounds that closing it voided or ended.

    Fixtures that were void for another reason stay void.
    """
    with transaction.atomic():
        row = lock_organised_league(league, by=by)
        if row.closed_at is None:
            raise OperationError(_("The league is already open."))
        mark_byes_changed(Round.objects.filter(league=row, deadline__gt=row.closed_at), at=at)
        _restore_closed(row, at=at)
        row.closed_at = None
        row.save(update_fields=["closed_at"])
        reopen_standings(row)
        touch_league(row)
        emit_league_opened(row, at=at, again=True)
    return row


def _restore_closed(league: League, *, at: dt.datetime) -> None:
    Round.objects.filter(league=league, closed_at=league.closed_at).update(closed_at=None)
    fixtures = Fixture.objects.filter(round__league=league).exclude(before_close="")
    mark_changed(fixtures, at=at)
    fixtures.filter(note__in=CLOSING_NOTES).update(note="")
    fixtures.filter(state=Fixture.State.VOID).update(state=F("before_close"))
    fixtures.update(before_close="")
    drafts = Match.objects.filter(league=league, closed_away=True)
    # If a fixture stays void, the draft of its scoresheet stays void too.
    drafts.filter(
        Q(fixture=None) | Q(fixture__state__in=Fixture.TO_PLAY), state=Match.State.VOID
    ).update(state=Match.State.DRAFT, note="", version=F("version") + 1)
    drafts.update(closed_away=False)
