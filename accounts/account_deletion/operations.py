"""Request, cancel and carry out account deletions."""

from __future__ import annotations

import datetime as dt
import logging
import secrets
from collections.abc import Iterator
from typing import Final

from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.utils import translation
from django.utils.translation import gettext as _

from accounts.account_deletion.anonymization import anonymize_columns, longer_than
from accounts.account_deletion.registry import Deletion, Effect, handlers, texts
from accounts.models import SAME_USERNAME_KIND, Departure, Notice, User
from core.names.text import comparison_key

# Time between the request and the deletion. The owner can cancel until then, also if somebody else
# requested the deletion in a stolen session.
GRACE_PERIOD: Final = dt.timedelta(days=7)


class DeletionBlockedError(ValueError):
    """The account cannot be deleted yet.

    `sentences` are messages for the user about what to transfer to somebody else first, such as a
    league that needs an organiser.
    """

    def __init__(self, sentences: list[str]) -> None:
        super().__init__(" ".join(sentences))
        self.sentences = sentences


def obstacles_for(user: User) -> list[str]:
    """Return messages that say what the user must transfer to other people before the deletion."""
    obstacles = []
    if is_last_superuser(user):
        obstacles.append(
            _("You are the only superuser of this site. Make someone else a superuser first.")
        )
    for handler in handlers:
        obstacles += handler.hindrances(user)
    return obstacles


def effects_for(user: User) -> list[Effect]:
    """Return lines that say what deleting the account deletes and what the site keeps.

    They are in the order of the deletion page.
    """
    return [effect for handler in handlers for effect in handler.effects(user)]


def is_last_superuser(user: User) -> bool:
    """Return True if the site would have no active superuser without this user."""
    others = User.objects.filter(is_superuser=True, is_active=True).exclude(pk=user.pk)
    return user.is_superuser and not others.exists()


@transaction.atomic
def request_deletion(user: User, *, at: dt.datetime) -> Departure:
    """Lock the account and end its sessions. A task deletes it after the grace period.

    Raises `DeletionBlockedError`. A repeated request does not change the date of the deletion.
    """
    held = User.objects.select_for_update(no_key=True).get(pk=user.pk)
    obstacles = obstacles_for(held)
    if obstacles:
        raise DeletionBlockedError(obstacles)
    held.is_active = False
    held.save(update_fields=["is_active"])
    end_sessions(held)
    departure, _made = Departure.objects.get_or_create(
        user=held, defaults={"asked_at": at, "due_at": at + GRACE_PERIOD}
    )
    return departure


@transaction.atomic
def cancel_deletion(departure: Departure) -> User:
    """Unlock an account whose deletion was requested."""
    user = User.objects.select_for_update(no_key=True).get(pk=departure.user_id)
    Departure.objects.filter(user=user).delete()
    user.is_active = True
    user.save(update_fields=["is_active"])
    return user


def end_sessions(user: User) -> None:
    """Sign the user out of every session."""
    for session in UserSession.objects.filter(user=user):
        session.end()


log = logging.getLogger(__name__)

BATCH_SIZE: Final = 20


def delete_due_accounts(*, at: dt.datetime) -> int:
    """Delete accounts whose grace period is over and return their number.

    If a deletion fails, the error is logged, the account stays locked, and the next run tries
    again.
    """
    due = Departure.objects.filter(due_at__lte=at).order_by("due_at")
    gone = 0
    for number in list(due.values_list("pk", flat=True)[:BATCH_SIZE]):
        try:
            gone += delete_account(number, at=at)
        except Exception:
            log.exception("Departure %s failed; it is tried again", number)
    return gone


@transaction.atomic
def delete_account(number: int, *, at: dt.datetime) -> bool:
    """Delete one account.

    Returns False if the owner has cancelled, or if the user is the last superuser.
    """
    departure = Departure.objects.select_for_update().filter(pk=number, due_at__lte=at).first()
    if departure is None:
        return False
    user = User.objects.select_for_update().get(pk=departure.user_id)
    if is_last_superuser(user):
        log.warning("Departure %s waits: nobody else keeps the site", number)
        return False
    names = _names_of(user)
    deletion = Deletion(
        user=user,
        alias=_alias(user),
        names=names,
        longer_names=longer_than(names, _names_of_others(user)),
        at=at,
    )
    found = [(text, text.rows(user)) for text in texts]
    for handler in handlers:
        handler.part(deletion)
    _anonymize_account_data(deletion)
    # Replace the addresses of pages last. Only now are all new slugs known.
    for text, rows in sorted(found, key=lambda pair: pair[0].links):
        anonymize_columns(text, rows, deletion)
    user.delete()
    _free_username(user)
    return True


def _free_username(gone: User) -> None:
    """Let a user with the same username in another case sign in again with any spelling.

    While two usernames differ only in upper and lower case, both users must type theirs exactly.
    Deleting one of the accounts ends this restriction for the other.
    """
    key = comparison_key(gone.get_username())
    same = [
        user
        for user in User.objects.filter(username_key=None)
        if comparison_key(user.get_username()) == key
    ]
    if len(same) == 1 and not User.objects.filter(username_key=key).exists():
        User.objects.filter(pk=same[0].pk).update(username_key=key)
        Notice.objects.filter(user=same[0], kind=SAME_USERNAME_KIND).delete()


def _alias(user: User) -> str:
    # The user's match results stay on the site under this alias.
    with translation.override(user.language or settings.LANGUAGE_CODE):
        return _("Former player %s") % secrets.token_hex(2)


def _names_of(user: User) -> tuple[str, ...]:
    names = {user.get_username(), user.email, user.get_full_name(), user.first_name}
    names |= {
        user.last_name,
        *EmailAddress.objects.filter(user=user).values_list("email", flat=True),
    }
    for handler in handlers:
        names |= set(handler.names(user))
    return tuple(sorted((name for name in names if name), key=lambda name: (-len(name), name)))


def _names_of_others(user: User) -> Iterator[str]:
    for handler in handlers:
        yield from handler.names_of_others(user)


def _anonymize_account_data(deletion: Deletion) -> None:
    end_sessions(deletion.user)
    about = LogEntry.objects.filter(
        content_type=ContentType.objects.get_for_model(User), object_id=str(deletion.user.pk)
    )
    about.update(object_repr=deletion.alias, change_message="")
