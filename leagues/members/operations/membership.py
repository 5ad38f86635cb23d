"""Membership of a league: joining, guests, roles, withdrawing and returning."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from django.db import transaction
from django.utils.translation import gettext as _

from core.names.text import sort_key
from leagues import notifications
from leagues.calendar_changes import mark_changed
from leagues.exceptions import NotAllowed, OperationError
from leagues.fixtures.operations import forfeit_seats, mark_void
from leagues.fixtures.opponents import check_free, lock_fixtures
from leagues.fixtures.vacancies import Replacement, Vacancy, replace_opponent, vacancy_of
from leagues.league.operations import lock_organised_league
from leagues.matches.operations.locking import find_fixture
from leagues.matches.operations.matches import check_open
from leagues.members_read.queries import belongs_to, player_rows_of
from leagues.models import Fixture, FixtureSeat, League, Match, Member, Player
from leagues.permissions import may_organise, may_score
from leagues.players import clean_name, new_player
from leagues.ratings.recounts import send_recounts
from leagues.results import touch_league
from leagues.standings.queries import is_final


class FixtureHandling(StrEnum):
    """What happens to the open fixtures of a member who withdraws.

    `forfeit`: the member loses them. `void`: they do not count. The other two apply to the last
    round of a Swiss league, while other fixtures are forfeited: `match` lets a player with a bye
    play instead, and `bye` gives the opponent a bye.
    """

    FORFEIT = "forfeit"
    VOID = "void"
    MATCH = "match"
    BYE = "bye"


@dataclass(frozen=True, kw_only=True)
class WithdrawalPreview:
    """Effects of a withdrawal on open fixtures and matches.

    `waiting` are matches that await confirmation or are disputed. The withdrawal does not affect
    these. `vacancies` maps primary keys of fixtures whose opponent could get another match or a bye
    to the possibilities.
    """

    fixtures: tuple[Fixture, ...]
    waiting: tuple[Match, ...]
    vacancies: Mapping[int, Vacancy]

    @property
    def handlings(self) -> list[FixtureHandling]:
        """Return the possible choices for what happens to the fixtures of the withdrawing
        member, the usual choice first.
        """
        possible = {
            FixtureHandling(replacement)
            for vacancy in self.vacancies.values()
            for replacement in vacancy.replacements
        }
        order = (
            FixtureHandling.MATCH,
            FixtureHandling.FORFEIT,
            FixtureHandling.BYE,
            FixtureHandling.VOID,
        )
        usual = {FixtureHandling.FORFEIT, FixtureHandling.VOID}
        return [handling for handling in order if handling in possible | usual]

    @property
    def stand_in(self) -> Player | None:
        """Return the player with a bye who would play instead of the withdrawing player, or
        None.
        """
        found = (vacancy.stand_in for vacancy in self.vacancies.values())
        return next((player for player in found if player is not None), None)


def join_league(*, token: str, by: Player, at: dt.datetime) -> Member:
    """Join a league with the token of an invitation. Former members return.

    Raises `OperationError` for an invalid token or a closed league.
    """
    with transaction.atomic():
        league = League.objects.select_for_update(no_key=True).filter(invitation=token).first()
        if league is None:
            raise OperationError(_("This invitation has been replaced. Ask for the new link."))
        return _add_member(league, by, at=at)


def _add_member(league: League, player: Player, *, at: dt.datetime) -> Member:
    check_may_join(league)
    member = Member.objects.filter(belongs_to(player), league=league).first()
    if member is None:
        member = Member.objects.create(league=league, player=player, joined_at=at)
    elif member.withdrawn_at is not None or not member.plays:
        _come_back(member)
    touch_league(league)
    return member


def _come_back(member: Member) -> None:
    member.withdrawn_at, member.left_after_end, member.plays = None, False, True
    member.save(update_fields=["withdrawn_at", "left_after_end", "plays"])


def check_may_join(league: League) -> None:
    """Raise `OperationError` if players can no longer join the league.

    This is the case once a round robin has been drawn, because its fixtures are fixed.
    """
    check_open(league)
    if league.format == League.Format.ROUND_ROBIN and league.rounds.exists():
        raise OperationError(
            _("The fixtures of this league have been drawn, so nobody else can join.")
        )


def add_guest(*, league: League, name: str, by: Player, at: dt.datetime) -> Member:
    """Add a guest, whom a user can claim to be later. Only for organisers and scorers."""
    with transaction.atomic():
        row = League.objects.select_for_update(no_key=True).get(pk=league.pk)
        if not may_score(by, row):
            raise NotAllowed(_("Only an organiser or a scorer of the league can add guests."))
        words = clean_name(name)
        if Member.objects.filter(league=row, player__name_key=sort_key(words)).exists():
            raise OperationError(_("The league already has a player called %s.") % words, "name")
        return _add_member(row, new_player(name=words, at=at, added_by=by), at=at)


def set_role(
    *,
    league: League,
    player: Player,
    role: Member.Role,
    by: Player,
    at: dt.datetime | None = None,
) -> Member:
    """Change the role of a member.

    Guests cannot be organisers, and a league always has at least one organiser. `at` is the time of
    the notification. If it is None, nobody is notified.
    """
    with transaction.atomic():
        row = lock_organised_league(league, by=by)
        member = member_of(row, player)
        if role == Member.Role.ORGANISER and member.player.is_guest:
            raise OperationError(_("An organiser needs an account."), "role")
        member.role = role
        member.save(update_fields=["role"])
        check_organised(row)
        touch_league(row)
        if at is not None:
            notifications.notify_role_given(member, by=by, at=at)
    return member


def check_organised(league: League) -> None:
    """Raise `OperationError` if the league no longer has an organiser."""
    if not Member.objects.filter(league=league, role=Member.Role.ORGANISER).exists():
        raise OperationError(_("A league needs at least one organiser."), "role")


def member_of(league: League, player: Player) -> Member:
    """Return the membership of a player. Raises `OperationError` if the player is not a member."""
    rows = Member.objects.select_related("player").filter(belongs_to(player), league=league)
    member = rows.filter(player=player).first() or rows.first()
    if member is None:
        raise OperationError(_("%s is not in this league.") % player, "player")
    return member


def preview_withdrawal(*, league: League, player: Player) -> WithdrawalPreview:
    """Preview the effects of a withdrawal. Nothing is saved."""
    seats = FixtureSeat.objects.filter(
        player__in=player_rows_of(player),
        fixture__round__league=league,
        fixture__state__in=Fixture.TO_PLAY,
    )
    fixtures = Fixture.objects.filter(seats__in=seats).select_related("round__league")
    waiting = Match.objects.filter(fixture__in=fixtures, state__in=Match.UNSETTLED)
    busy = {match.fixture_id for match in waiting}
    free = tuple(fixture for fixture in fixtures if fixture.pk not in busy)
    vacancies: dict[int, Vacancy] = {}
    if league.format == League.Format.SWISS:
        found = {fixture.pk: vacancy_of(fixture, gone=[player.person_id]) for fixture in free}
        vacancies = {key: vacancy for key, vacancy in found.items() if vacancy is not None}
    return WithdrawalPreview(fixtures=free, waiting=tuple(waiting), vacancies=vacancies)


def withdraw(
    *, league: League, player: Player, by: Player, at: dt.datetime, handling: FixtureHandling
) -> WithdrawalPreview:
    """Withdraw a player from a league. Played matches and the place in the standings stay.

    An organiser chooses what happens to open fixtures. Players who withdraw themselves forfeit
    them, or a player with a bye plays instead. The member's role stays, so an organiser remains an
    organiser.
    """
    with transaction.atomic():
        row = League.objects.select_for_update(no_key=True).get(pk=league.pk)
        _check_may_withdraw(row, player, by=by, handling=handling)
        going = preview_withdrawal(league=row, player=player)
        if going.fixtures and handling not in going.handlings:
            raise OperationError(
                _("No player with a bye in this round can replace the player who left.")
                if handling is FixtureHandling.MATCH
                else _("This fixture can’t count as a bye."),
                "handling",
            )
        members = Member.objects.filter(belongs_to(player), league=row, withdrawn_at=None)
        if not members.update(withdrawn_at=at, left_after_end=is_final(row)):
            raise OperationError(_("%s does not play in this league.") % player, "player")
        _keep_void(row, player, at=at)
        for fixture in going.fixtures:
            _release_fixture(fixture, player, by=by, at=at, handling=handling)
        touch_league(row)
        transaction.on_commit(send_recounts)
    return going


def _keep_void(league: League, player: Player, *, at: dt.datetime) -> None:
    """Mark the fixtures of a player so that they stay void if the closed league is reopened.

    The fixtures became void when the league was closed, and the player has withdrawn since.
    """
    seats = FixtureSeat.objects.filter(
        player__in=player_rows_of(player), fixture__round__league=league
    )
    void = Fixture.objects.filter(seats__in=seats).exclude(before_close="")
    mark_changed(void, at=at)
    void.update(before_close="", note=_("%s has withdrawn from the league.") % player)


def _check_may_withdraw(
    league: League, player: Player, *, by: Player, handling: FixtureHandling
) -> None:
    if may_organise(by, league):
        return
    if by.person_id != player.person_id:
        raise NotAllowed(_("Only an organiser of the league can do this."))
    if handling not in (FixtureHandling.FORFEIT, FixtureHandling.MATCH):
        raise NotAllowed(_("Only an organiser can void fixtures."))


def _release_fixture(
    fixture: Fixture,
    player: Player,
    *,
    by: Player,
    at: dt.datetime,
    handling: FixtureHandling,
) -> None:
    """Apply the organiser's choice to one fixture of a player who has already left."""
    if handling is FixtureHandling.VOID:
        mark_void(fixture, note=_("%s has withdrawn from the league.") % player, at=at)
        return
    wanted = next((each for each in Replacement if each.value == handling.value), None)
    if wanted is not None:
        # After two players were merged, a player may have two fixtures in the round. Replacing the
        # player in the first one may have used the only bye.
        lock_fixtures(fixture.round_id)
        row = find_fixture(fixture)
        vacancy = vacancy_of(row)
        if vacancy is not None and wanted in vacancy.replacements:
            check_free(row)
            replace_opponent(row, vacancy, wanted, by=by, at=at)
            return
    seats = fixture.seats.filter(player__in=player_rows_of(player))
    forfeit_seats(fixture, [seat.number for seat in seats], by=by, at=at)


def return_to_league(*, league: League, player: Player, by: Player) -> Member:
    """Let a withdrawn player return to the league. Forfeited and void fixtures stay as they are."""
    with transaction.atomic():
        row = lock_organised_league(league, by=by)
        check_open(row)
        member = member_of(row, player)
        _come_back(member)
        touch_league(row)
    return member
