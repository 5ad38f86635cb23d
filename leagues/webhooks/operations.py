"""Operations of organisers on webhooks."""

from __future__ import annotations

import datetime as dt
import secrets
from collections.abc import Sequence
from typing import Final, NewType

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _

from events.kinds import kinds
from events.numbering import newest_number
from leagues.exceptions import OperationError
from leagues.league.operations import lock_organised_league
from leagues.models import Delivery, League, Player, Webhook
from leagues.webhooks import signatures
from leagues.webhooks.addresses import AddressRefused, parse_target, resolve_address
from leagues.webhooks.delivery import TEST_EVENT

# Maximum number of test events and repetitions per league and hour.
MAX_TESTS_PER_HOUR: Final = 20
FAMILIES: Final = ("league", "table")
# Type of a webhook URL that `checked_address` has already accepted.
CheckedAddress = NewType("CheckedAddress", str)


def available_kinds() -> tuple[str, ...]:
    """Return the kinds of events that a webhook can receive."""
    return tuple(key for family in FAMILIES for key in kinds.under(family))


def add_webhook(
    *, league: League, url: str, wanted: Sequence[str], by: Player, at: dt.datetime
) -> Webhook:
    """Add a webhook for future events. Its `secret` must be shown to the organiser once.

    `wanted` are kinds of events, empty for all. Raises `OperationError` for a URL that is invalid
    or not allowed, and if the league has too many webhooks.
    """
    return add_checked(league=league, address=checked_address(url), wanted=wanted, by=by, at=at)


def add_checked(
    *, league: League, address: CheckedAddress, wanted: Sequence[str], by: Player, at: dt.datetime
) -> Webhook:
    """Add a webhook whose URL has been checked already. No host name is resolved."""
    chosen = _chosen_kinds(wanted)
    with transaction.atomic():
        row = lock_organised_league(league, by=by)
        if row.closed_at is not None:
            raise OperationError(_("The league is closed and has no more events to send."))
        if row.webhooks.count() >= settings.WEBHOOKS_A_LEAGUE:
            raise OperationError(
                _("A league can have at most %d webhook addresses.") % settings.WEBHOOKS_A_LEAGUE,
                "url",
            )
        if row.webhooks.filter(url=address).exists():
            raise OperationError(_("This address has already been added."), "url")
        return Webhook.objects.create(
            league=row,
            url=address,
            secret=signatures.new_secret(),
            kinds=chosen,
            cursor=newest_number(),
            next_at=at,
            created_at=at,
        )


def checked_address(url: str) -> CheckedAddress:
    """Return a URL after checking it. Raises `OperationError` if it is not allowed.

    Resolving the host name may take seconds, so call it outside of a transaction.
    """
    address = url.strip()
    try:
        resolve_address(parse_target(address))
    except AddressRefused as error:
        raise OperationError(str(error), "url") from error
    return CheckedAddress(address)


def _chosen_kinds(wanted: Sequence[str]) -> list[str]:
    known = available_kinds()
    for kind in wanted:
        if kind not in known:
            raise OperationError(_("This type of event does not exist."), "kinds")
    return [] if set(wanted) == set(known) else sorted(set(wanted))


def lock_webhook(league: League, key: int, by: Player) -> Webhook:
    """Lock a webhook until the transaction ends, for an organiser of its league, and return it."""
    row = lock_organised_league(league, by=by)
    webhook = Webhook.objects.select_for_update().filter(league=row, pk=key).first()
    if webhook is None:
        raise OperationError(_("This address has been removed."))
    return webhook


def renew_secret(*, league: League, key: int, by: Player, at: dt.datetime) -> Webhook:
    """Create a new secret, which must be shown to the organiser once.

    For a day, requests are also signed with the previous secret.
    """
    with transaction.atomic():
        hook = lock_webhook(league, key, by)
        hook.old_secret, hook.changed_at = hook.secret, at
        hook.secret = signatures.new_secret()
        hook.save(update_fields=["old_secret", "changed_at", "secret"])
    return hook


def choose_kinds(*, league: League, key: int, wanted: Sequence[str], by: Player) -> Webhook:
    """Change the kinds of events that a webhook receives, empty for all.

    Raises `OperationError`.
    """
    chosen = _chosen_kinds(wanted)
    with transaction.atomic():
        hook = lock_webhook(league, key, by)
        hook.kinds = chosen
        hook.save(update_fields=["kinds"])
    return hook


def switch_webhook(*, league: League, key: int, on: bool, by: Player, at: dt.datetime) -> Webhook:
    """Turn a webhook on or off. When it is turned on, it receives only future events."""
    with transaction.atomic():
        hook = lock_webhook(league, key, by)
        if on and hook.league.closed_at is not None:
            raise OperationError(_("The league is closed and has no more events to send."))
        hook.stopped = Webhook.Stopped.NOT if on else Webhook.Stopped.ASKED
        hook.tries, hook.failing_since, hook.next_at = 0, None, at
        if on:
            hook.cursor = newest_number()
        hook.save(update_fields=["stopped", "tries", "failing_since", "next_at", "cursor"])
    return hook


def remove_webhook(*, league: League, key: int, by: Player) -> None:
    """Delete a webhook with its deliveries."""
    with transaction.atomic():
        lock_webhook(league, key, by).delete()


def send_test(*, league: League, key: int, by: Player, at: dt.datetime) -> Delivery:
    """Request a test event. The returned delivery will contain the outcome."""
    with transaction.atomic():
        hook = lock_webhook(league, key, by)
        _check_trials(hook.league_id, at)
        return _queue_delivery(
            hook, f"test_{secrets.token_hex(8)}", Delivery.Cause.TEST, TEST_EVENT, None, at
        )


def deliver_again(
    *, league: League, key: int, delivery: int, by: Player, at: dt.datetime
) -> Delivery:
    """Request another attempt to send an event, with the same identifier."""
    with transaction.atomic():
        hook = lock_webhook(league, key, by)
        _check_trials(hook.league_id, at)
        old = hook.deliveries.filter(pk=delivery).exclude(event=None).first()
        if old is None:
            raise OperationError(_("This delivery no longer exists."))
        return _queue_delivery(hook, old.identifier, Delivery.Cause.AGAIN, old.kind, old.event, at)


def _check_trials(league: int, at: dt.datetime) -> None:
    lately = Delivery.objects.filter(
        webhook__league=league,
        cause__in=(Delivery.Cause.TEST, Delivery.Cause.AGAIN),
        at__gt=at - dt.timedelta(hours=1),
    )
    if lately.count() >= MAX_TESTS_PER_HOUR:
        raise OperationError(
            _("You can send at most %d tests and repeat deliveries an hour. Try again later.")
            % MAX_TESTS_PER_HOUR
        )


def _queue_delivery(
    hook: Webhook, identifier: str, cause: str, kind: str, event: int | None, at: dt.datetime
) -> Delivery:
    tried = hook.deliveries.filter(identifier=identifier).count()
    return Delivery.objects.create(
        webhook=hook,
        identifier=identifier,
        event=event,
        kind=kind,
        cause=cause,
        attempt=tried + 1,
        state=Delivery.State.WAITING,
        at=at,
        next_at=at,
    )
