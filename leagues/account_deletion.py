"""Handler that anonymises a player when the user's account is deleted.

The player's results stay, because they also belong to the opponents. The name is replaced.
"""

from __future__ import annotations

import datetime as dt
import logging
import secrets
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Final

from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.db.models import Model, Q, QuerySet
from django.utils.text import slugify
from django.utils.translation import gettext as _

from accounts.account_deletion import registry as deletion_registry
from accounts.account_deletion.registry import Deletion, DeletionHandler, Effect, StoredText
from accounts.models import Notice
from core.names.fields import with_keys
from events.models import Event
from leagues.exceptions import OperationError
from leagues.models import (
    Delivery,
    Dispute,
    Fixture,
    FormerName,
    League,
    Match,
    MatchSeat,
    Member,
    Player,
    Proposal,
    Recount,
    Sheet,
    Table,
    TableSeat,
)
from leagues.notifications import MATCH_DISPUTED
from leagues.results import touch_league
from leagues.search_index import index_leagues, index_players
from leagues.tables.operations.lobby import stand_up
from leagues.tables.operations.moves import leave_game

if TYPE_CHECKING:
    from accounts.models import User

log = logging.getLogger(__name__)

# Number of random bytes in the new slug of a player or league. The random part keeps others from
# guessing the new slug from the old one.
SLUG_DIGITS: Final = 4


def register_account_deletion() -> None:
    deletion_registry.register_handler(
        DeletionHandler(
            part=_anonymise,
            hindrances=_hindrances,
            effects=_effects,
            names=_names,
            names_of_others=_names_of_others,
        )
    )
    deletion_registry.register_texts(*_TEXTS)


def _persons(user: User) -> QuerySet[Player]:
    return Player.objects.filter(Q(user=user) | Q(merged_into__user=user))


def _names(user: User) -> Iterable[str]:
    """Return the present and former names of a user's players."""
    yield from _persons(user).values_list("name", flat=True)
    former = FormerName.objects.filter(player__in=_persons(user).values("pk"))
    yield from former.values_list("name", flat=True)


def _names_of_others(user: User) -> Iterable[str]:
    """Return the present and former names of all other players."""
    mine = _persons(user).values("pk")
    yield from Player.objects.exclude(pk__in=mine).values_list("name", flat=True).iterator()
    former = FormerName.objects.exclude(player__in=mine)
    yield from former.values_list("name", flat=True).iterator()


def _solely_organised(user: User) -> Iterator[tuple[League, Member | None]]:
    """Yield the open leagues in which the user is the only organiser, each with the new organiser.

    The new organiser is the member with an account who has the highest role and, among equals,
    joined first. It is None if no other member has an account.
    """
    organised = League.objects.filter(
        members__player__in=_persons(user), members__role=Member.Role.ORGANISER, closed_at=None
    )
    for league in organised.distinct().order_by("pk"):
        others = league.members.exclude(player__in=_persons(user)).filter(
            player__user__is_active=True
        )
        if not others.filter(role=Member.Role.ORGANISER).exists():
            scorers = others.filter(role=Member.Role.SCORER).order_by("joined_at", "pk").first()
            yield league, scorers or others.order_by("joined_at", "pk").first()


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
    yield Effect(
        text=_("Your name and the address of your player page will be deleted."), kept=False
    )
    yield Effect(
        text=_(
            "Results, standings and ratings do not change, because they also belong to other "
            "players. Your name is replaced with an alias such as “Former player 7f3a”."
        ),
        kept=True,
    )
    yield Effect(
        text=_(
            "You will no longer be included in draws. The organisers of your leagues will "
            "decide what happens to your remaining fixtures."
        ),
        kept=True,
    )
    for league, other in _solely_organised(user):
        if other is None:
            yield Effect(
                text=_("The league %s has no other members and will be closed.") % league, kept=True
            )


def _anonymise(deletion: Deletion) -> None:
    """Replace the names of the user's players and unlink the players from the account.

    Results do not change. Members are not marked as withdrawn, because withdrawn members rank below
    players with the same score. `Player.left_at` keeps them out of later draws.
    """
    players = list(_persons(deletion.user).select_for_update(of=("self",)))
    numbers = [player.pk for player in players]
    _hand_over(deletion)
    _leave_seats(players, deletion.at)
    for player in players:
        _rename(player, deletion)
    index_players(numbers)
    FormerName.objects.filter(player__in=numbers).delete()
    _anonymise_log(numbers, deletion)
    for league in League.objects.filter(members__player__in=numbers).distinct():
        touch_league(league)


def _hand_over(deletion: Deletion) -> None:
    """Make another member the organiser of leagues that the user organised alone.

    The new organiser is chosen again at the time of deletion, because the request for deletion was
    made a week ago, and the member who was named then may have left the league. A league without
    other members is closed.
    """
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
        go = leave_game if seat.table.state == Table.State.PLAYING else stand_up
        try:
            with transaction.atomic():
                go(table_id=seat.table_id, player=seat.player, at=at)
        except OperationError as refused:
            log.warning("Table %s keeps who has left: %s", seat.table_id, refused)


def _rename(player: Player, deletion: Deletion) -> None:
    before = player.slug
    player.name = deletion.alias[: Player._meta.get_field("name").max_length or 60]
    player.slug = f"{slugify(deletion.alias)[:60]}-{secrets.token_hex(SLUG_DIGITS)}"
    if player.merged_into_id is None:
        player.user, player.left_at = None, deletion.at
    player.save(update_fields=with_keys(Player, ["name", "slug", "user", "left_at"]))
    deletion.moves["players", before] = player.slug


def _anonymise_log(numbers: list[int], deletion: Deletion) -> None:
    LogEntry.objects.filter(
        content_type=ContentType.objects.get_for_model(Player),
        object_id__in=[str(number) for number in numbers],
    ).update(object_repr=deletion.alias, change_message="")


# The following functions find texts that may contain the user's name.


def _leagues(user: User) -> QuerySet[League]:
    """Return the leagues of a user, even if the players no longer belong to the account."""
    players = list(_persons(user).values_list("pk", flat=True))
    memberships = Member.objects.filter(player__in=players)
    return League.objects.filter(pk__in=memberships.values("league"))


def _matches(user: User) -> QuerySet[Match]:
    """Return the user's matches and all other matches of the user's leagues."""
    players = list(_persons(user).values_list("pk", flat=True))
    own = MatchSeat.objects.filter(player__in=players).values("match")
    return Match.objects.filter(Q(pk__in=own) | Q(league__in=_leagues(user).values("pk")))


def _events(user: User) -> QuerySet[Event]:
    return Event.objects.filter(league__in=_leagues(user).values("pk"))


def _move_leagues(deletion: Deletion, numbers: list[int]) -> None:
    """Give new slugs to leagues whose name contained the user's name."""
    for league in League.objects.filter(pk__in=numbers):
        before = league.slug
        league.slug = f"{slugify(league.name)[:60]}-{secrets.token_hex(SLUG_DIGITS)}"
        league.save(update_fields=with_keys(League, ["slug"]))
        deletion.moves["leagues", before] = league.slug
    index_leagues(numbers)


def _in(
    model: type[Model], path: str, of: Callable[[User], QuerySet[Model]]
) -> Callable[[User], QuerySet[Model]]:
    """Return a function that finds rows of `model` with texts about a user.

    Its rows are related to the rows that the function `of` returns for this user.
    """
    return lambda user: model._default_manager.filter(**{f"{path}__in": of(user).values("pk")})


_TEXTS: Final = (
    StoredText(model=League, columns=("name",), rows=_leagues, slug="slug", changed=_move_leagues),
    StoredText(model=League, columns=("about",), rows=_leagues),
    StoredText(model=Match, columns=("note",), rows=_matches),
    StoredText(model=Match, columns=("draft",), rows=_matches, members=("name",)),
    StoredText(model=Sheet, columns=("reason",), rows=_in(Sheet, "match", _matches)),
    StoredText(
        model=Sheet,
        columns=("content",),
        rows=_in(Sheet, "match", _matches),
        # Of an imported result.
        members=("location",),
    ),
    StoredText(
        model=Dispute, columns=("reason", "settlement"), rows=_in(Dispute, "match", _matches)
    ),
    StoredText(model=Proposal, columns=("reason",), rows=_in(Proposal, "match", _matches)),
    StoredText(model=Fixture, columns=("note",), rows=_in(Fixture, "round__league", _leagues)),
    StoredText(model=Event, columns=("data",), rows=_events, members=("name",)),
    StoredText(model=Delivery, columns=("said",), rows=_in(Delivery, "webhook__league", _leagues)),
    # Only notifications about disputed matches contain a free text as their reason. In other kinds
    # of notifications the reason is a key.
    StoredText(
        model=Notice,
        columns=("data",),
        rows=lambda user: Notice.objects.filter(kind=MATCH_DISPUTED.key).exclude(user=user.pk),
        members=("reason",),
    ),
    StoredText(model=Table, columns=("error",), rows=_in(Table, "league", _leagues)),
    StoredText(model=Recount, columns=("error",), rows=_in(Recount, "league", _leagues)),
)
