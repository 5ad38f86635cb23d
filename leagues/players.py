"""Operations on players: the player of a request, names and visibility."""

from __future__ import annotations

import datetime as dt
import secrets
from typing import TYPE_CHECKING

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _

from core.addresses import reserved_words
from core.names.fields import with_keys
from core.names.text import clean, comparison_key, shorten
from leagues.exceptions import OperationError
from leagues.models import FormerName, League, Player
from leagues.results import touch_league
from leagues.search_index import index_players

if TYPE_CHECKING:
    from django.http import HttpRequest

    from accounts.models import User

# Session key of the guest (player without an account) as whom the browser plays.
GUEST_SESSION_KEY = "guest_player"
MAX_NAME_LENGTH = 60
_MAX_SLUG_LENGTH = 60
_MAX_TRIES = 5


def player_of(request: HttpRequest) -> Player | None:
    """Return the player of the signed-in user, or else the guest as whom this browser plays.

    A user's player is created if needed. Returns None for all other visitors.
    """
    if request.user.is_authenticated:
        return player_of_user(request.user, at=timezone.now())
    return guest_of(request)


def player_of_user(user: User, *, at: dt.datetime) -> Player:
    """Return the player of an account. The player is created with the user's name if needed."""
    player = Player.objects.filter(user=user).first()
    if player is not None:
        return player
    names = (shorten(name, MAX_NAME_LENGTH) for name in (user.get_full_name(), user.get_username()))
    # Old accounts may have a username without visible characters. Their player is named by the
    # user's primary key.
    name = next(filter(None, names), f"{user.pk}")
    try:
        with transaction.atomic():
            return new_player(name=name, at=at, user=user)
    except IntegrityError:  # concurrent requests of the same user
        return Player.objects.get(user=user)


def guest_of(request: HttpRequest) -> Player | None:
    """Return the guest as whom this browser plays, or None.

    If the guest was merged into another guest, that guest is returned. If the guest was merged into
    a player with an account, the result is None, because the owner of the account must sign in.
    """
    key = request.session.get(GUEST_SESSION_KEY)
    if not isinstance(key, int):
        return None
    guest = Player.objects.select_related("merged_into").filter(pk=key).first()
    person = guest and (guest.merged_into or guest)
    return person if person is not None and person.is_guest else None


def become_guest(request: HttpRequest, name: str) -> Player:
    """Let this browser play as a new guest with this name, and return the guest.

    If the browser plays as a guest already, that guest is returned. Raises `OperationError` for an
    invalid name, or if the user is signed in.
    """
    if request.user.is_authenticated:
        raise OperationError(_("You are signed in, so you play under your own name."), "name")
    held = guest_of(request)
    if held is not None:
        return held
    with transaction.atomic():
        guest = new_player(name=clean_name(name), at=timezone.now())
    remember_guest(request, guest)
    return guest


def remember_guest(request: HttpRequest, guest: Player) -> None:
    """Let this browser play as this guest from now on.

    The session ID stays the same. If it changed, a concurrent request with the old ID would delete
    the new cookie.
    """
    request.session[GUEST_SESSION_KEY] = guest.pk


def clean_name(name: str) -> str:
    """Return the name of a player without superfluous spaces and invisible characters.

    Raises `OperationError` if the name is empty or too long.
    """
    words = clean(name)
    if not words:
        raise OperationError(_("Enter a name for the player."), "name")
    if len(words) > MAX_NAME_LENGTH:
        raise OperationError(_("A name can have at most %d characters.") % MAX_NAME_LENGTH, "name")
    return words


def new_player(
    *, name: str, at: dt.datetime, user: User | None = None, added_by: Player | None = None
) -> Player:
    """Create a player with an unused slug. `name` must be clean. Call it in a transaction."""
    for attempt in range(_MAX_TRIES):
        slug = _free_slug(name, crowded=attempt > 0)
        try:
            with transaction.atomic():
                player = Player.objects.create(
                    name=name, slug=slug, user=user, added_by=added_by, created_at=at
                )
                index_players([player.pk])
                return player
        except IntegrityError:
            if not Player.objects.filter(slug=slug).exists():
                raise  # the slug is not the cause
    raise OperationError(
        _("Someone else has just chosen the same name. Try again or choose another name.")
    )


def _free_slug(name: str, *, crowded: bool) -> str:
    stem = slugify(name)[:_MAX_SLUG_LENGTH] or "player"
    if crowded:
        return f"{stem}-{secrets.token_hex(4)}"
    taken = set(Player.objects.filter(slug__startswith=stem).values_list("slug", flat=True))
    taken |= reserved_words(*Player.FOLDERS)
    numbered = (f"{stem}-{number}" for number in range(2, len(taken) + 3))
    return stem if stem not in taken else next(slug for slug in numbered if slug not in taken)


def rename_player(*, player: Player, name: str) -> Player:
    """Rename a player. The slug of the player's page stays the same, so links keep working.

    Raises `OperationError` for an invalid name.
    """
    words = clean_name(name)
    with transaction.atomic():
        row = Player.objects.select_for_update().get(pk=player.pk)
        remember_name(row, words)
        row.name = words
        row.save(update_fields=with_keys(Player, ["name"]))
        index_players([row.pk])
        for league in League.objects.filter(members__player=row):
            touch_league(league)  # its pages show the new name
    return row


def remember_name(player: Player, new: str) -> None:
    """Store the present name of a player before a change, because files and notes still contain
    it.
    """
    if comparison_key(player.name) != comparison_key(new):
        FormerName.objects.get_or_create(player=player, name=player.name)


def set_player_visibility(*, player: Player, public: bool) -> None:
    """Set whether the player's page and leaderboards show the player to everybody."""
    Player.objects.filter(pk=player.pk).update(public=public)
