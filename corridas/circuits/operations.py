"""Operations on circuits: create, change, transfer, freeze, thaw, delete and restore."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.exceptions import ObjectDoesNotExist, PermissionDenied
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.time_zones import is_zone
from core.jobs import enqueue
from core.names.fields import with_keys
from core.names.text import clean, shorten
from corridas import circuit_queries as circuits
from corridas import notifications
from corridas.calendar_faults import calendar_fault
from corridas.circuit_queries import SHIPPED, has_history
from corridas.circuits.calendar_checks import check_calendar, years_ahead, years_from
from corridas.engine import Rules, RulesError
from corridas.errors import OperationError
from corridas.models import Circuit, CircuitCopy, Season
from corridas.simulation import new_circuit
from corridas.simulation.draw import announce_alternativas
from corridas.simulation.new_circuit import Company, bare_company, invented_company, shipped
from corridas.simulation.run import halt
from corridas.simulation.schedule import calendar_of, own_entries, plan
from corridas.world.calendar import MAX_ENTRIES, CalendarEntry, CalendarError
from corridas.world.winter import VERSION
from fairness import Seed

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    from accounts.models import User

__all__ = [
    "Founding",
    "Settings",
    "accept_circuit",
    "change_calendar",
    "change_circuit",
    "check_awake",
    "check_directs",
    "check_sand",
    "check_seasons",
    "decline_circuit",
    "delete_circuit",
    "found_circuit",
    "found_leyendas",
    "freeze_circuit",
    "lock_circuit",
    "offer_circuit",
    "plan_season",
    "restore_circuit",
    "thaw_circuit",
    "withdraw_offer",
]

DIRECT: Final = "corridas.direct_circuit"


def check_directs(by: User | AnonymousUser, circuit: Circuit) -> None:
    """Raise `PermissionDenied` unless the user directs the circuit or is a superuser."""
    if not by.has_perm(DIRECT, circuit):
        raise PermissionDenied(_("Only the director of this circuit can open this page."))


def check_awake(circuit: Circuit) -> None:
    """Raise `OperationError` if the circuit is frozen or archived."""
    if circuit.archived_at:
        raise OperationError(_("%s is archived, so no corridas can be played in it.") % circuit)
    if circuit.frozen_at:
        raise OperationError(_("%s is frozen, so no corridas can be played in it.") % circuit)


def check_own(circuit: Circuit) -> None:
    """Raise `OperationError` for the shipped circuit, which cannot be changed."""
    if circuit.slug == SHIPPED:
        raise OperationError(_("This is the site’s own circuit and can’t be deleted."))


def check_circuits(user: User, field: str = "") -> None:
    """Raise `OperationError` if the user has the maximum number of circuits.

    Call it within a transaction. The user's row is locked, so that two requests at the same time
    cannot exceed the maximum.
    """
    get_user_model().objects.select_for_update().filter(pk=user.pk).first()
    if not circuits.circuits_left(user):
        raise OperationError(
            _("You can direct at most %(most)s circuits. Delete one or hand it over first.")
            % {"most": settings.MAX_CIRCUITS_PER_USER},
            field,
        )


def check_seasons(circuit: Circuit) -> None:
    """Raise `OperationError` if the circuit has the maximum number of seasons."""
    if not circuits.seasons_left(circuit):
        raise OperationError(
            _("A circuit can have at most %(most)s seasons.")
            % {"most": settings.SEASONS_A_CIRCUIT},
            "year",
        )


def check_sand(circuit: Circuit) -> None:
    """Raise `OperationError` if the director has the maximum number of corridas on air."""
    if not circuits.sand_left(circuit):
        raise OperationError(
            _("You can have at most %(most)s corridas on air. Wait until one has ended.")
            % {"most": settings.MAX_LIVE_CORRIDAS_PER_USER},
            "corrida",
        )


MAX_NAME_LENGTH: Final = 60
MAX_SEED_LENGTH: Final = 64
YEARS: Final = (1900, 2500)


@dataclass(frozen=True, kw_only=True)
class Founding:
    """The data of a new circuit.

    `rules` are options by name. `seed` is the text from which an invented roster is generated.
    `calendar` are the circuit's own entries, or None for the shipped calendar. `year` is the year
    of its first season.
    """

    name: str
    year: int
    public: bool = True
    rules: Mapping[str, str] = field(default_factory=dict)
    roster: Circuit.Roster = Circuit.Roster.LEGENDS
    seed: str = ""
    calendar: Sequence[CalendarEntry] | None = None


def found_circuit(*, founding: Founding, by: User, at: dt.datetime) -> Circuit:
    """Create a circuit of the user.

    Its first season is planned too, unless its roster is to be added first. Raise `OperationError`
    for an invalid name, an unknown option, an impossible calendar, a year out of range, an invented
    roster without seed text, or one circuit too many.
    """
    name = clean_name(founding.name)
    rules = _options(founding.rules)
    check_year(founding.year)
    check_calendar(founding.calendar, years_from(founding.year))
    company = _company(founding)
    with transaction.atomic():
        check_circuits(by)
        circuit = new_circuit.found(company.roster, name=name, owner=by, rules=rules)
        _settle(circuit, founding, company, at)
        if founding.roster != Circuit.Roster.IMPORTED:
            plan_season(circuit=circuit, year=founding.year)
    return circuit


def _settle(circuit: Circuit, founding: Founding, company: Company, at: dt.datetime) -> None:
    circuit.public, circuit.founded_at = founding.public, at
    circuit.roster = founding.roster
    circuit.roster_seed = company.seed
    circuit.calendar = stored_calendar(founding.calendar)
    circuit.save(update_fields=["public", "founded_at", "roster", "roster_seed", "calendar"])
    new_circuit.mark_invented(circuit, company)


def clean_name(text: str) -> str:
    """Return the cleaned name of a circuit.

    Raise `OperationError` if it is empty or too long.
    """
    name = clean(text)
    if not name:
        raise OperationError(_("Enter a name for the circuit."), "name")
    if len(name) > MAX_NAME_LENGTH:
        raise OperationError(_("A name can have at most %s characters.") % MAX_NAME_LENGTH, "name")
    return name


def _options(rules: Mapping[str, str]) -> dict[str, str]:
    try:
        return Rules.from_options(rules).options()
    except RulesError as error:
        raise OperationError(str(error), "rules") from error


def check_year(year: int) -> None:
    """Raise `OperationError` for a year in which there can be no season."""
    if not YEARS[0] <= year <= YEARS[1]:
        raise OperationError(
            _("The year of a season must be from %(first)s to %(last)s.")
            % {"first": YEARS[0], "last": YEARS[1]},
            "year",
        )


def stored_calendar(entries: Sequence[CalendarEntry] | None) -> list[dict[str, str | int]] | None:
    """Return calendar entries as a circuit stores them; None stands for the shipped calendar."""
    return None if entries is None else [entry._asdict() for entry in entries]


def _company(founding: Founding) -> Company:
    if founding.roster == Circuit.Roster.IMPORTED:
        return bare_company()
    if founding.roster == Circuit.Roster.LEGENDS:
        return Company(roster=shipped())
    words = founding.seed.strip()
    if not words or len(words) > MAX_SEED_LENGTH:
        raise OperationError(
            _("Enter a seed of 1 to %s characters. You can use any characters.") % MAX_SEED_LENGTH,
            "seed",
        )
    seed = Seed(sha256(words.encode()).digest())
    return invented_company(words, seed, founding.year, version=VERSION)


def found_leyendas(*, year: int) -> Circuit:
    """Return the shipped circuit.

    If it is missing, it is created with its roster and a first season.
    """
    circuit = Circuit.objects.filter(slug=SHIPPED).first()
    if circuit is None:
        with transaction.atomic():
            circuit = new_circuit.found(
                shipped(), slug=SHIPPED, name="Circuito Leyendas", owner=None, rules={}
            )
            circuit.always_on_air = True
            circuit.save(update_fields=["always_on_air"])
            plan_season(circuit=circuit, year=year)
    return circuit


@transaction.atomic
def plan_season(*, circuit: Circuit, year: int) -> Season:
    """Plan a season with the corridas of the circuit's calendar.

    Raise `OperationError` if the year is already planned or invalid, if the circuit is frozen or
    has the maximum number of seasons, if its calendar is empty, or if it has fewer than three
    active matadors with a card.
    """
    circuit = lock_circuit(circuit)
    check_awake(circuit)
    check_seasons(circuit)
    _check_company(circuit)
    entries = calendar_of(circuit)
    if not entries:
        raise OperationError(_("%s has no plazas in its calendar.") % circuit, "year")
    if circuit.seasons.filter(year=year).exists():
        raise OperationError(
            _("%(circuit)s already has a season in %(year)s.") % {"circuit": circuit, "year": year},
            "year",
        )
    try:
        season = plan(circuit, year, entries, seed=Seed.fresh())
    except CalendarError as error:
        raise OperationError(calendar_fault(error), "year") from error
    announce_alternativas(season, fresh=Seed.fresh, at=None)
    return season


def _check_company(circuit: Circuit) -> None:
    """Raise `OperationError` unless there are three matadors and a herd, enough for a cartel."""
    able = circuit.matadors.filter(state="active", cards__isnull=False).distinct()
    if able.count() < 3 or not circuit.herds.filter(archived_at=None).exists():
        raise OperationError(
            _(
                "%s needs at least one herd and three matadors with cards. Complete its roster "
                "first."
            )
            % circuit,
            "year",
        )


# Fastest and slowest allowed pace of a broadcast, in milliseconds per card.
PACES_MS = (50, 60_000)


def check_pace(pace_ms: int) -> None:
    """Raise `OperationError` for a pace that is too fast or too slow."""
    fastest, slowest = PACES_MS
    if not fastest <= pace_ms <= slowest:
        raise OperationError(
            _("Enter %(fastest)s to %(slowest)s milliseconds per card, not %(pace)s.")
            % {"fastest": fastest, "slowest": slowest, "pace": pace_ms},
            "pace_ms",
        )


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The settings of a circuit that can be changed at any time.

    `evening` is the hour of the daily corrida in the time zone `zone`, or None.
    """

    name: str
    public: bool
    pace_ms: int
    always_on_air: bool
    evening: dt.time | None
    zone: str
    tables_count: bool


@transaction.atomic
def change_circuit(*, circuit: Circuit, settings: Settings, by: User) -> Circuit:
    """Change the settings of a circuit.

    Raise `PermissionDenied` unless the user directs it. Raise `OperationError` for an invalid name,
    pace or time zone, and if the shipped circuit would be hidden.
    """
    check_directs(by, circuit)
    held = lock_circuit(circuit)
    _check(held, settings)
    held.name, held.public = clean_name(settings.name), settings.public
    held.pace_ms, held.always_on_air = settings.pace_ms, settings.always_on_air
    held.evening, held.zone = settings.evening, settings.zone
    held.tables_count = settings.tables_count
    held.save(
        update_fields=with_keys(
            Circuit,
            ("name", "public", "pace_ms", "always_on_air", "evening", "zone", "tables_count"),
        )
    )
    return held


def _check(circuit: Circuit, settings: Settings) -> None:
    if settings.pace_ms != circuit.pace_ms:
        check_pace(settings.pace_ms)
    if settings.zone != circuit.zone and not is_zone(settings.zone):
        raise OperationError(_("“%s” is not a time zone.") % settings.zone, "zone")
    if circuit.slug == SHIPPED and not settings.public:
        raise OperationError(_("The site’s own circuit is always public."), "public")


@transaction.atomic
def change_calendar(
    *, circuit: Circuit, entries: Sequence[CalendarEntry] | None, by: User
) -> Circuit:
    """Set the calendar of seasons planned from now on; None is the shipped calendar.

    Dates in plazas that the circuit lacks or has archived are not shown in the form. They are kept
    after the other entries. An unchanged calendar is not checked. Raise `PermissionDenied` unless
    the user directs the circuit, and `OperationError` for a calendar that is empty, too long or
    impossible, or that names a plaza outside of the circuit.
    """
    check_directs(by, circuit)
    held = lock_circuit(circuit)
    stored = own_entries(held)
    plazas = set(held.plazas.filter(archived_at=None).values_list("slug", flat=True))
    shown = [entry for entry in stored or () if entry.plaza in plazas]
    if stored is not None and entries is not None and list(entries) == shown:
        return held
    check_calendar(entries, years_ahead(held), room=max(MAX_ENTRIES, len(shown)))
    strangers = {entry.plaza for entry in entries or ()} - plazas
    if strangers:
        named = ", ".join(sorted(strangers))
        raise OperationError(_("This circuit has no plaza %s.") % named, "calendar")
    hidden = [entry for entry in stored or () if entry.plaza not in plazas]
    held.calendar = stored_calendar(None if entries is None else [*entries, *hidden])
    held.save(update_fields=["calendar"])
    return held


@transaction.atomic
def offer_circuit(*, circuit: Circuit, name: str, by: User) -> User:
    """Offer the circuit to the user of that name, who may accept or decline. Return that user.

    Raise `PermissionDenied` unless `by` directs it. Raise `OperationError` for an unknown name, for
    the director's own name, and for an archived or the shipped circuit.
    """
    check_directs(by, circuit)
    check_own(circuit)
    held = lock_circuit(circuit)
    if held.archived_at:
        raise OperationError(_("%s is archived. Restore it first.") % held)
    other = _active_user_called(name)
    if other is None:
        raise OperationError(_("No user is called “%s”.") % shorten(name, 150), "name")
    if other.pk == held.owner_id:
        raise OperationError(_("%s already directs this circuit.") % other, "name")
    held.offered_to = other
    held.save(update_fields=["offered_to"])
    notifications.circuit_offered(held, by=by, at=timezone.now())
    return other


def _active_user_called(name: str) -> User | None:
    try:
        user = get_user_model().objects.get_by_natural_key(clean(name))
    except ObjectDoesNotExist:
        return None
    return user if user.is_active else None


@transaction.atomic
def withdraw_offer(*, circuit: Circuit, by: User) -> None:
    """Withdraw the offer of a circuit. Raise `OperationError` if it was not offered."""
    check_directs(by, circuit)
    if not Circuit.objects.filter(pk=circuit.pk, offered_to__isnull=False).update(offered_to=None):
        raise OperationError(_("This circuit is not being offered to anybody."))


@transaction.atomic
def accept_circuit(*, circuit: Circuit, by: User) -> Circuit:
    """Make the user the director of a circuit that was offered.

    Raise `PermissionDenied` without an offer, and `OperationError` if the user has the maximum
    number of circuits.
    """
    held = _offered_circuit(circuit, by)
    check_circuits(by)
    if held.owner is not None:
        # If the circuit is named after its director, it keeps that name.
        held.former_owners.add(held.owner)
    held.owner, held.offered_to = by, None
    held.save(update_fields=["owner", "offered_to"])
    return held


@transaction.atomic
def decline_circuit(*, circuit: Circuit, by: User) -> None:
    """Decline the offer of a circuit. Raise `PermissionDenied` if it was not offered."""
    held = _offered_circuit(circuit, by)
    held.offered_to = None
    held.save(update_fields=["offered_to"])


def _offered_circuit(circuit: Circuit, by: User) -> Circuit:
    held = lock_circuit(circuit)
    if held.offered_to_id != by.pk or held.archived_at:
        raise PermissionDenied(_("The offer to direct this circuit is no longer open."))
    return held


def lock_circuit(circuit: Circuit) -> Circuit:
    """Return the current row of a circuit, locked until the end of the transaction.

    To avoid deadlocks, lock a circuit before a user. Raise `OperationError` if the circuit was
    deleted.
    """
    held = Circuit.objects.select_for_update(of=("self",)).filter(pk=circuit.pk).first()
    if held is None:
        raise OperationError(_("The circuit has been deleted or archived."))
    return held


# Time for which the director can restore an archived circuit. Later only administrators can.
RESTORABLE: Final = dt.timedelta(days=30)


@transaction.atomic
def freeze_circuit(*, circuit: Circuit, by: User, at: dt.datetime) -> None:
    """Freeze a circuit, so that nothing more is played in it. Its pages stay visible.

    Broadcasts that have begun go on to their end. Raise `PermissionDenied` unless the user directs
    the circuit, and `OperationError` if it is already frozen or is the shipped circuit.
    """
    held = _own(circuit, by)
    if held.frozen_at:
        raise OperationError(_("%s is already frozen.") % held)
    held.frozen_at = at
    held.save(update_fields=["frozen_at"])
    halt(held, at=at)


@transaction.atomic
def thaw_circuit(*, circuit: Circuit, by: User) -> None:
    """Thaw a frozen circuit.

    Raise `PermissionDenied` unless the user directs it, and `OperationError` if it is not frozen or
    is the shipped circuit.
    """
    held = _own(circuit, by)
    if not held.frozen_at:
        raise OperationError(_("%s is not frozen.") % held)
    held.frozen_at = None
    held.save(update_fields=["frozen_at"])


@transaction.atomic
def delete_circuit(*, circuit: Circuit, by: User, at: dt.datetime) -> bool:
    """Delete a circuit in which nothing was played, otherwise archive it.

    Return whether it was deleted. The director can restore an archived circuit for 30 days, and
    administrators can always see it. Raise `PermissionDenied` unless the user directs the circuit,
    and `OperationError` for the shipped circuit and for an archived one.
    """
    held = _own(circuit, by)
    if held.archived_at:
        raise OperationError(_("%s is already archived.") % held)
    # A run locks its season while it plays a corrida. Waiting for that lock lets the corrida end
    # before the check whether anything was played.
    list(Season.objects.select_for_update().filter(circuit=held).order_by("pk").values_list("pk"))
    halt(held, at=at)
    if not has_history(held):
        if not _hide_copy(held, at):
            new_circuit.unfound(held)
        return True
    held.archived_at, held.offered_to = at, None
    held.save(update_fields=["archived_at", "offered_to"])
    return False


def _hide_copy(circuit: Circuit, at: dt.datetime) -> bool:
    """Hide a copied circuit. A worker then removes its rows.

    Return False if the circuit is not a copy.
    """
    copy = CircuitCopy.objects.filter(circuit=circuit).first()
    if copy is None:
        return False
    # This makes the old slug available at once. The new one begins with an underscore, and
    # `slugify` never returns such a slug.
    circuit.slug, circuit.owner = f"_copy-{copy.pk}", None
    circuit.incomplete, circuit.public, circuit.offered_to = True, False, None
    circuit.archived_at = at
    circuit.save(
        update_fields=with_keys(
            Circuit, ["slug", "owner", "incomplete", "public", "offered_to", "archived_at"]
        )
    )
    enqueue("corridas.tasks.remove_copy", copy.pk, on_commit=True)
    return True


@transaction.atomic
def restore_circuit(*, circuit: Circuit, by: User, at: dt.datetime) -> None:
    """Restore an archived circuit.

    Raise `PermissionDenied` unless the user directs it. Raise `OperationError` if it is not
    archived, if the 30 days are over (except for superusers), or if the user has the maximum number
    of circuits.
    """
    held = _own(circuit, by)
    if not held.archived_at:
        raise OperationError(_("%s is not archived.") % held)
    if not by.is_superuser and at - held.archived_at > RESTORABLE:
        raise OperationError(
            _(
                "You can no longer restore this circuit, because it was archived more than 30 "
                "days ago. Ask an administrator to restore it."
            )
        )
    if held.owner is not None and held.owner == by:
        check_circuits(by)
    held.archived_at = None
    held.save(update_fields=["archived_at"])


def _own(circuit: Circuit, by: User) -> Circuit:
    check_directs(by, circuit)
    check_own(circuit)
    return lock_circuit(circuit)
