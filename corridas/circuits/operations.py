"""What a person can do with a circuit: found it, change it, hand it on, let it rest, end it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING, Final
from zoneinfo import available_timezones

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from corridas import notifications
from corridas.circuits import queries as circuits
from corridas.circuits.queries import SHIPPED, free_slug, has_history
from corridas.engine import Rules, RulesError
from corridas.errors import OperationError
from corridas.models import Circuit, Season
from corridas.season import simulation
from corridas.season.simulation.new_circuit import Company, bare_company, invented_company, shipped
from corridas.world.calendar import CalendarError, Entry, Overlap, dates, overlap
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
    "check_calendar",
    "check_directs",
    "check_sand",
    "check_seasons",
    "decline_circuit",
    "delete_circuit",
    "found_circuit",
    "found_leyendas",
    "freeze_circuit",
    "offer_circuit",
    "plan_season",
    "restore_circuit",
    "thaw_circuit",
    "withdraw_offer",
]

DIRECT: Final = "corridas.direct_circuit"


def check_directs(by: User | AnonymousUser, circuit: Circuit) -> None:
    """`PermissionDenied` for who neither directs the circuit nor may do everything."""
    if not by.has_perm(DIRECT, circuit):
        raise PermissionDenied(_("Only the director of this circuit can open this page."))


def check_awake(circuit: Circuit) -> None:
    """`OperationError` where nothing is played: the circuit is frozen or put away."""
    if circuit.archived_at:
        raise OperationError(_("%s is archived, so nothing can be played in it.") % circuit)
    if circuit.frozen_at:
        raise OperationError(_("%s is frozen, so nothing can be played in it.") % circuit)


def check_own(circuit: Circuit) -> None:
    """`OperationError` for the circuit that comes with the site, which stays as it is."""
    if circuit.slug == SHIPPED:
        raise OperationError(_("This circuit belongs to the site and can’t be deleted."))


def check_circuits(user: User, field: str = "") -> None:
    """`OperationError` where the user keeps as many circuits as one may; within a transaction.

    The user is held meanwhile, so that of two circuits at once only one is the last.
    """
    get_user_model().objects.select_for_update().filter(pk=user.pk).first()
    if not circuits.circuits_left(user):
        raise OperationError(
            _("You can direct at most %(most)s circuits. Delete one or hand it over first.")
            % {"most": settings.CIRCUITS_A_USER},
            field,
        )


def check_seasons(circuit: Circuit) -> None:
    """`OperationError` where the circuit has as many seasons as one may have."""
    if not circuits.seasons_left(circuit):
        raise OperationError(
            _("A circuit can have at most %(most)s seasons.")
            % {"most": settings.SEASONS_A_CIRCUIT},
            "year",
        )


def check_sand(circuit: Circuit) -> None:
    """`OperationError` where its director has as many corridas on the sand as one may."""
    if not circuits.sand_left(circuit):
        raise OperationError(
            _("You can have at most %(most)s corridas on air. Wait until one has ended.")
            % {"most": settings.ON_THE_SAND_A_USER},
            "corrida",
        )


MAX_NAME_LENGTH: Final = 60
MAX_SEED_LENGTH: Final = 64
YEARS: Final = (1900, 2500)


@dataclass(frozen=True, kw_only=True)
class Founding:
    """What a circuit is founded with.

    `rules`: options by name; `seed`: the words an invented roster is drawn from; `calendar`: its
    own entries, or None for the shipped ones; `year`: that of its first season.
    """

    name: str
    year: int
    public: bool = True
    rules: Mapping[str, str] = field(default_factory=dict)
    roster: Circuit.Roster = Circuit.Roster.LEGENDS
    seed: str = ""
    calendar: Sequence[Entry] | None = None


def found_circuit(*, founding: Founding, by: User, at: dt.datetime) -> Circuit:
    """A circuit of the user's own, with its first season where its roster is not still to come.

    Raises `OperationError` for a name that is none, an option that does not exist, a calendar that
    cannot be, a year out of bounds, an invented roster without words to draw it from, or one
    circuit too many.
    """
    name = clean_name(founding.name)
    rules = _options(founding.rules)
    check_year(founding.year)
    check_calendar(founding.calendar, founding.year)
    company = _company(founding)
    with transaction.atomic():
        check_circuits(by)
        circuit = simulation.found(
            company.roster, slug=free_slug(name), name=name, owner=by, rules=rules
        )
        _settle(circuit, founding, company, at)
        if founding.roster != Circuit.Roster.IMPORTED:
            plan_season(circuit=circuit, year=founding.year)
    return circuit


def _settle(circuit: Circuit, founding: Founding, company: Company, at: dt.datetime) -> None:
    """What a circuit of a user has besides its roster."""
    circuit.public, circuit.founded_at = founding.public, at
    circuit.roster = founding.roster
    circuit.roster_seed = company.seed
    circuit.calendar = written(founding.calendar)
    circuit.save(update_fields=["public", "founded_at", "roster", "roster_seed", "calendar"])
    simulation.mark_invented(circuit, company)


def clean_name(text: str) -> str:
    """A name as it is kept; `OperationError` for one that is empty or too long."""
    name = " ".join(text.split())
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
    """`OperationError` for a year that no season can be in."""
    if not YEARS[0] <= year <= YEARS[1]:
        raise OperationError(
            _("The year of a season must be from %(first)s to %(last)s.")
            % {"first": YEARS[0], "last": YEARS[1]},
            "year",
        )


def check_calendar(entries: Sequence[Entry] | None, year: int) -> None:
    """`OperationError` for a calendar that is empty, cannot be in that year or has overlaps."""
    if entries is None:
        return
    if not entries:
        raise OperationError(_("A calendar needs at least one corrida."), "calendar")
    try:
        dates(entries, year)
    except CalendarError as error:
        raise OperationError(str(error), "calendar") from error
    if found := refused_overlap(entries, year):
        raise OperationError(overlap_error(found), "calendar")


def refused_overlap(entries: Sequence[Entry], year: int) -> Overlap | None:
    """Two ferias that need the same day of a plaza; None where all have their own.

    The shipped calendar is taken as it is: its single corridas may meet a Sunday of a run.
    Raises `CalendarError` where a date makes no sense.
    """
    found = overlap(entries, year)
    return None if found and {found.entry, found.other} <= set(shipped().ferias) else found


def overlap_error(found: Overlap) -> str:
    """The sentence that refuses an overlap, with both ferias and their days."""
    return _(
        "In %(year)s, “%(feria)s” (%(days)s) overlaps with “%(other)s” (%(others)s). A plaza can"
        " have one corrida a day, so choose other days for one of them."
    ) % {
        "year": found.days[0].year,
        "feria": found.entry.feria,
        "days": _span(found.days),
        "other": found.other.feria,
        "others": _span(found.others),
    }


def coming_year(circuit: Circuit) -> int:
    """The year after the latest season; any year without a catch where there is none."""
    latest = circuit.seasons.order_by("-year").first()
    return latest.year + 1 if latest else 2027


def _span(days: Sequence[dt.date]) -> str:
    """The first and the last of some days, as 3 March – 7 March."""
    ends = dict.fromkeys((min(days), max(days)))
    return " – ".join(date_format(day, "MONTH_DAY_FORMAT") for day in ends)


def written(entries: Sequence[Entry] | None) -> list[dict[str, str | int]] | None:
    """Entries as a circuit's row keeps them; None stands for the shipped calendar."""
    return None if entries is None else [entry._asdict() for entry in entries]


def _company(founding: Founding) -> Company:
    if founding.roster == Circuit.Roster.IMPORTED:
        return bare_company()
    if founding.roster == Circuit.Roster.LEGENDS:
        return Company(roster=shipped())
    words = founding.seed.strip()
    if not words or len(words) > MAX_SEED_LENGTH:
        raise OperationError(
            _("Enter a seed of 1 to %s characters. Any characters will do.") % MAX_SEED_LENGTH,
            "seed",
        )
    return invented_company(words, Seed(sha256(words.encode()).digest()), founding.year)


def found_leyendas(*, year: int) -> Circuit:
    """The shipped circuit with its roster and a first season; the one there is, if there is one."""
    circuit = Circuit.objects.filter(slug=SHIPPED).first()
    if circuit is None:
        with transaction.atomic():
            circuit = simulation.found(
                shipped(), slug=SHIPPED, name="Circuito Leyendas", owner=None, rules={}
            )
            circuit.always_on_air = True
            circuit.save(update_fields=["always_on_air"])
            plan_season(circuit=circuit, year=year)
    return circuit


def plan_season(*, circuit: Circuit, year: int) -> Season:
    """A season of the circuit's calendar.

    Raises `OperationError` where the year is planned already, or is none; where the circuit is
    frozen, or has seasons enough; where its calendar is empty, or fewer than three matadors with a
    card could appear in it.
    """
    check_awake(circuit)
    check_seasons(circuit)
    _check_company(circuit)
    entries = simulation.calendar_of(circuit)
    if not entries:
        raise OperationError(_("%s has no plazas in its calendar.") % circuit, "year")
    try:
        with transaction.atomic():
            return simulation.plan(circuit, year, entries, seed=Seed.fresh())
    except IntegrityError as error:
        if not Season.objects.filter(circuit=circuit, year=year).exists():
            raise
        raise OperationError(
            _("%(circuit)s already has a season in %(year)s.") % {"circuit": circuit, "year": year},
            "year",
        ) from error
    except CalendarError as error:
        raise OperationError(str(error), "year") from error


def _check_company(circuit: Circuit) -> None:
    """Three men and a herd, or there is no cartel."""
    able = circuit.matadors.filter(state="active", cards__isnull=False).distinct()
    if able.count() < 3 or not circuit.herds.filter(archived_at=None).exists():
        raise OperationError(
            _("%s needs at least three matadors with a card and one herd. Fill its roster first.")
            % circuit,
            "year",
        )


PACES_MS = (50, 60_000)
"""The fastest and the slowest pace, in milliseconds a card."""


@dataclass(frozen=True, kw_only=True)
class Settings:
    """What can be changed at any time; `evening` is an hour in `zone`, or None."""

    name: str
    public: bool
    pace_ms: int
    always_on_air: bool
    evening: dt.time | None
    zone: str
    tables_count: bool


@transaction.atomic
def change_circuit(*, circuit: Circuit, settings: Settings, by: User) -> Circuit:
    """Change a circuit's settings.

    Raises `PermissionDenied` for who does not direct it, `OperationError` for a name, a pace or a
    time zone that is none, and where the shipped circuit would be hidden.
    """
    check_directs(by, circuit)
    found = Circuit.objects.select_for_update().get(pk=circuit.pk)
    _check(found, settings)
    found.name, found.public = clean_name(settings.name), settings.public
    found.pace_ms, found.always_on_air = settings.pace_ms, settings.always_on_air
    found.evening, found.zone = settings.evening, settings.zone
    found.tables_count = settings.tables_count
    found.save(
        update_fields=[
            *("name", "public", "pace_ms", "always_on_air", "evening", "zone", "tables_count")
        ]
    )
    return found


def _check(circuit: Circuit, settings: Settings) -> None:
    fastest, slowest = PACES_MS
    if not fastest <= settings.pace_ms <= slowest:
        raise OperationError(
            _("Enter %(fastest)s to %(slowest)s milliseconds per card, not %(pace)s.")
            % {"fastest": fastest, "slowest": slowest, "pace": settings.pace_ms},
            "pace_ms",
        )
    if settings.zone not in available_timezones():
        raise OperationError(_("“%s” is not a time zone.") % settings.zone, "zone")
    if circuit.slug == SHIPPED and not settings.public:
        raise OperationError(_("The site’s own circuit is always public."), "public")


@transaction.atomic
def change_calendar(*, circuit: Circuit, entries: Sequence[Entry] | None, by: User) -> Circuit:
    """Another calendar, from the next season that is planned; None is the shipped one.

    Raises `PermissionDenied` for who does not direct the circuit, `OperationError` for a calendar
    that is empty, cannot be, or names a plaza the circuit has not.
    """
    check_directs(by, circuit)
    found = Circuit.objects.select_for_update().get(pk=circuit.pk)
    check_calendar(entries, coming_year(found))
    plazas = set(found.plazas.filter(archived_at=None).values_list("slug", flat=True))
    strangers = {entry.plaza for entry in entries or ()} - plazas
    if strangers:
        named = ", ".join(sorted(strangers))
        raise OperationError(_("This circuit has no plaza %s.") % named, "calendar")
    found.calendar = written(entries)
    found.save(update_fields=["calendar"])
    return found


@transaction.atomic
def offer_circuit(*, circuit: Circuit, name: str, by: User) -> User:
    """Offer a circuit to the user of that name, who decides; returns whom it is offered to.

    Raises `PermissionDenied` for who does not direct it, `OperationError` for a name that nobody
    has, for the director's own, and for a circuit that is archived or comes with the site.
    """
    check_directs(by, circuit)
    check_own(circuit)
    found = _locked(circuit)
    if found.archived_at:
        raise OperationError(_("%s is archived. Restore it first.") % found)
    users = get_user_model().objects.filter(is_active=True)
    other = users.filter(username__iexact=name.strip()).first()
    if other is None:
        raise OperationError(_("No user is called “%s”.") % name.strip()[:150], "name")
    if other.pk == found.owner_id:
        raise OperationError(_("%s already directs this circuit.") % other, "name")
    found.offered_to = other
    found.save(update_fields=["offered_to"])
    notifications.circuit_offered(found, by=by, at=timezone.now())
    return other


@transaction.atomic
def withdraw_offer(*, circuit: Circuit, by: User) -> None:
    """Take an offer back; `OperationError` where there is none any more."""
    check_directs(by, circuit)
    if not Circuit.objects.filter(pk=circuit.pk, offered_to__isnull=False).update(offered_to=None):
        raise OperationError(_("This circuit is not being offered to anybody."))


@transaction.atomic
def accept_circuit(*, circuit: Circuit, by: User) -> Circuit:
    """Take over a circuit that is offered to the user.

    Raises `PermissionDenied` where it is not, `OperationError` for one circuit too many.
    """
    found = _offered(circuit, by)
    check_circuits(by)
    found.owner, found.offered_to = by, None
    found.save(update_fields=["owner", "offered_to"])
    return found


@transaction.atomic
def decline_circuit(*, circuit: Circuit, by: User) -> None:
    """Say no to an offer; `PermissionDenied` where there is none to the user."""
    found = _offered(circuit, by)
    found.offered_to = None
    found.save(update_fields=["offered_to"])


def _offered(circuit: Circuit, by: User) -> Circuit:
    found = _locked(circuit)
    if found.offered_to_id != by.pk or found.archived_at:
        raise PermissionDenied(_("This circuit is no longer offered to you."))
    return found


def _locked(circuit: Circuit) -> Circuit:
    return Circuit.objects.select_for_update(of=("self",)).get(pk=circuit.pk)


RESTORABLE: Final = dt.timedelta(days=30)
"""So long its director can bring back what was archived; afterwards only the office can."""


@transaction.atomic
def freeze_circuit(*, circuit: Circuit, by: User, at: dt.datetime) -> None:
    """Nothing is played any more; what is on air is shown to its end, and every page stays.

    Raises `PermissionDenied` for who does not direct it, `OperationError` where it is frozen
    already or comes with the site.
    """
    found = _own(circuit, by)
    if found.frozen_at:
        raise OperationError(_("%s is already frozen.") % found)
    found.frozen_at = at
    found.save(update_fields=["frozen_at"])
    simulation.halt(found, at=at)


@transaction.atomic
def thaw_circuit(*, circuit: Circuit, by: User) -> None:
    """Wake a frozen circuit; the same refusals, and where it is not frozen."""
    found = _own(circuit, by)
    if not found.frozen_at:
        raise OperationError(_("%s is not frozen.") % found)
    found.frozen_at = None
    found.save(update_fields=["frozen_at"])


@transaction.atomic
def delete_circuit(*, circuit: Circuit, by: User, at: dt.datetime) -> bool:
    """End a circuit: gone where nothing was played in it, else archived; returns whether gone.

    What is archived can be restored by its director for 30 days, and stays in the office.
    Raises `PermissionDenied` for who does not direct it, `OperationError` for the shipped one and
    for what is archived already.
    """
    found = _own(circuit, by)
    if found.archived_at:
        raise OperationError(_("%s is already archived.") % found)
    # A run holds its season while it plays: what it is at is over before history is looked for.
    list(Season.objects.select_for_update().filter(circuit=found).order_by("pk").values_list("pk"))
    simulation.halt(found, at=at)
    if not has_history(found):
        simulation.unfound(found)
        return True
    found.archived_at, found.offered_to = at, None
    found.save(update_fields=["archived_at", "offered_to"])
    return False


@transaction.atomic
def restore_circuit(*, circuit: Circuit, by: User, at: dt.datetime) -> None:
    """Bring an archived circuit back.

    Raises `PermissionDenied` for who does not direct it, `OperationError` where it is not
    archived, its 30 days are over (superusers aside), or for one circuit too many.
    """
    found = _own(circuit, by)
    if not found.archived_at:
        raise OperationError(_("%s is not archived.") % found)
    if not by.is_superuser and at - found.archived_at > RESTORABLE:
        raise OperationError(
            _(
                "It can no longer be restored here, because 30 days have passed. Ask an "
                "administrator to restore it."
            )
        )
    if found.owner is not None and found.owner == by:
        check_circuits(by)
    found.archived_at = None
    found.save(update_fields=["archived_at"])


def _own(circuit: Circuit, by: User) -> Circuit:
    check_directs(by, circuit)
    check_own(circuit)
    return Circuit.objects.select_for_update(of=("self",)).get(pk=circuit.pk)
