"""Deletion of an account: its results stay, the name of its player goes."""

from __future__ import annotations

import datetime as dt
import logging
import secrets
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.text import slugify
from django.utils.translation import gettext as _

from accounts.account_deletion import registry as deletion_registry
from accounts.account_deletion.anonymization import replace_names
from accounts.account_deletion.registry import Deletion, DeletionHandler, Effect
from events.models import Event
from leagues.exceptions import OperationError
from leagues.models import (
    Dispute,
    Fixture,
    League,
    Match,
    Member,
    Player,
    Round,
    Sheet,
    Table,
    TableSeat,
)
from leagues.results import touch_league
from leagues.search_index import index_leagues, index_players
from leagues.tables.operations.lobby import stand_up
from leagues.tables.operations.moves import leave

if TYPE_CHECKING:
    from accounts.models import User

log = logging.getLogger(__name__)

# Random digits in the new address, so that it can't be guessed from the old one.
SLUG_DIGITS: Final = 4


def register_account_deletion() -> None:
    deletion_registry.register_handler(
        DeletionHandler(part=_anonymise, hindrances=_hindrances, effects=_effects, names=_names)
    )


def _persons(user: User) -> QuerySet[Player]:
    return Player.objects.filter(Q(user=user) | Q(merged_into__user=user))


def _names(user: User) -> Iterable[str]:
    return _persons(user).values_list("name", flat=True)


def _solely_organised(user: User) -> Iterator[tuple[League, Member | None]]:
    """Yield open leagues without another organiser, each with its successor.

    That is the member with an account who has the highest role and joined first, or None.
    """
    organised = League.objects.filter(
        members__player__in=_persons(user), members__role=Member.Role.ORGANISER, closed_at=None
    )
    for league in organised.distinct().order_by("pk"):
        others = league.members.exclude(player__in=_persons(user)).filter(
            player__user__is_active=True
        )
        if not others.filter(role=Member.Role.ORGANISER).exists():
            scorers = others.filter(role=Member.Role.SCORER).order_by("joined_at").first()
            yield league, scorers or others.order_by("joined_at").first()


def _hindrances(user: User) -> Iterable[str]:
    for league, other in _solely_organised(user):
        if other is not None:
            yield _(
                "You are the only organiser of %s. Make someone else an organiser, or close "
                "the league."
            ) % (league)


def _effects(user: User) -> Iterable[Effect]:
    persons = _persons(user)
    if not persons.exists():
        return
    yield Effect(text=_("Your name and the address of your player page are deleted."), kept=False)
    yield Effect(
        text=_(
            "Results, standings and ratings do not change, because they also belong to other "
            "players. Your name is replaced with an alias such as “Former player 7f3a”."
        ),
        kept=True,
    )
    yield Effect(
        text=_(
            "You are no longer included in draws. The organisers of your leagues decide what "
            "happens to your remaining fixtures."
        ),
        kept=True,
    )
    for league, other in _solely_organised(user):
        if other is None:
            yield Effect(
                text=_("The league %s has no other members and will be closed.") % league, kept=True
            )


def _anonymise(deletion: Deletion) -> None:
    """Rename and unlink players without touching anything that counts.

    Members are not marked as withdrawn, because that would rank them behind players level with
    them. `left_at` keeps them out of later draws.
    """
    players = list(_persons(deletion.user).select_for_update(of=("self",)))
    numbers = [player.pk for player in players]
    _hand_over(deletion)
    _leave_seats(players, deletion.at)
    for player in players:
        _rename(player, deletion)
    index_players(numbers)
    _replace_name_in_texts(numbers, deletion)
    for league in League.objects.filter(members__player__in=numbers).distinct():
        touch_league(league)


def _hand_over(deletion: Deletion) -> None:
    """Hand over leagues. Successors named a week ago may be gone too, so they are chosen again."""
    for league, other in _solely_organised(deletion.user):
        if other is None:
            league.closed_at = deletion.at
            league.save(update_fields=["closed_at"])
        else:
            other.role = Member.Role.ORGANISER
            other.save(update_fields=["role"])


def _leave_seats(players: list[Player], at: dt.datetime) -> None:
    seats = TableSeat.objects.filter(player__in=players, table__state__in=Table.ACTIVE)
    for seat in seats.select_related("table", "player"):
        go = leave if seat.table.state == Table.State.PLAYING else stand_up
        try:
            with transaction.atomic():
                go(table_id=seat.table_id, player=seat.player, at=at)
        except OperationError as refused:
            log.warning("Table %s keeps who has left: %s", seat.table_id, refused)


def _rename(player: Player, deletion: Deletion) -> None:
    player.name = deletion.alias[: Player._meta.get_field("name").max_length or 60]
    player.slug = f"{slugify(deletion.alias)[:60]}-{secrets.token_hex(SLUG_DIGITS)}"
    if player.merged_into_id is None:
        player.user, player.left_at = None, deletion.at
    player.save(update_fields=["name", "slug", "user", "left_at"])


def _replace_name_in_texts(numbers: list[int], deletion: Deletion) -> None:
    matches = Match.objects.filter(seats__player__in=numbers)
    leagues = League.objects.filter(members__player__in=numbers)
    fixtures = Fixture.objects.filter(round__league__in=leagues)
    _rename_leagues(leagues.filter(members__role=Member.Role.ORGANISER), deletion)
    replace_names(
        Match.objects.filter(Q(pk__in=matches) | Q(league__in=leagues)), ["note", "draft"], deletion
    )
    replace_names(Sheet.objects.filter(match__in=matches), ["reason"], deletion)
    replace_names(Dispute.objects.filter(match__in=matches), ["reason", "settlement"], deletion)
    replace_names(Fixture.objects.filter(pk__in=fixtures), ["note", "reasons"], deletion)
    replace_names(Event.objects.filter(league__in=leagues.values("pk")), ["data"], deletion)
    replace_names(Event.objects.filter(kind="table.over"), ["data"], deletion)
    replace_names(Round.objects.filter(league__in=leagues), ["byes"], deletion)
    LogEntry.objects.filter(
        content_type=ContentType.objects.get_for_model(Player),
        object_id__in=[str(number) for number in numbers],
    ).update(object_repr=deletion.alias, change_message="")


def _rename_leagues(organised: QuerySet[League], deletion: Deletion) -> None:
    rows = League.objects.filter(pk__in=organised.values("pk"))
    replace_names(rows, ["about"], deletion)
    for league in League.objects.filter(pk__in=replace_names(rows, ["name"], deletion)):
        league.slug = f"{slugify(league.name)[:60]}-{secrets.token_hex(SLUG_DIGITS)}"
        league.save(update_fields=["slug"])
        index_leagues([league.pk])
