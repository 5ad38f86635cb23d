"""Notifications about runs, winters, and offered or copied circuits.

A run is a job that continues a season.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final

from django.urls import reverse
from django.utils.translation import gettext_lazy
from icalendar import Event

from accounts.notifications import kinds
from accounts.notifications.kinds import Channel, NotificationKind
from accounts.notifications.operations import notify
from core.names.text import sort_key
from corridas.addresses import address
from corridas.calendar import is_over
from corridas.engine import Tally
from corridas.escalafon.queries import ranking
from corridas.following.queries import followed_first, followed_keys, followers
from corridas.models import Circuit, CircuitCopy, Corrida, Injury, Lidia, Run, Season
from corridas.simulation.breakdowns import SENTENCES
from corridas.simulation.pause_queries import season_end
from corridas.world.awards import BY_KEY, TRIUMPH, points

if TYPE_CHECKING:
    from accounts.models import User

# Maximum number of coming corridas in a user's calendar feed
OCCASIONS: Final = 200
AFTERNOON: Final = dt.timedelta(hours=2)
# Maximum number of matadors or herds named in a notification
NAMED: Final = 3

RUN_OVER = NotificationKind(
    key="run_over",
    label=gettext_lazy("A season has been played as far as I asked"),
    text=gettext_lazy(
        "%(season)s has been played as far as you asked. Corridas played: %(corridas)s. "
        "In the news: %(names)s."
    ),
    earlier=gettext_lazy(
        "%(season)s has been played as far as you asked. Corridas played: %(corridas)s."
    ),
    variants={
        "leader": gettext_lazy(
            "%(season)s has been played as far as you asked. Corridas played: %(corridas)s. "
            "%(leader)s leads the escalafón. In the news: %(names)s."
        ),
        "champion": gettext_lazy(
            "%(season)s has been played to its end. Corridas played: %(corridas)s. "
            "%(leader)s is the champion. In the news: %(names)s."
        ),
    },
)
RUN_STOPPED = NotificationKind(
    key="run_stopped",
    label=gettext_lazy("A season stopped because something happened that I wanted to know about"),
    text=gettext_lazy(
        "%(season)s stopped early because something happened that you wanted to know "
        "about. Corridas played: %(corridas)s. In the news: %(names)s."
    ),
    earlier=gettext_lazy(
        "%(season)s stopped early because something happened that you wanted to know "
        "about. Corridas played: %(corridas)s."
    ),
    variants={
        "leader": gettext_lazy(
            "%(season)s stopped early, because something happened that you asked about. "
            "Corridas played: %(corridas)s. %(leader)s leads the escalafón. In the news: %(names)s."
        ),
        "champion": gettext_lazy(
            "%(season)s stopped at its end, where something happened that you asked about. "
            "Corridas played: %(corridas)s. %(leader)s is the champion. In the news: %(names)s."
        ),
    },
)
RUN_BROKEN = NotificationKind(
    key="run_broken",
    label=gettext_lazy("A season stopped because of an error"),
    text=gettext_lazy("%(season)s stopped because of an error: %(reason)s"),
    terms={"reason": SENTENCES},
    usual=frozenset({Channel.SITE, Channel.MAIL}),
)
FOLLOWED_PLAYED = NotificationKind(
    key="followed_played",
    label=gettext_lazy("Corridas with matadors or herds that I follow have been played"),
    text=gettext_lazy("%(season)s: corridas with %(names)s have been played."),
)
SEASON_OVER = NotificationKind(
    key="season_over",
    label=gettext_lazy("A season in my circuit has ended"),
    text=gettext_lazy("%(season)s has ended, so its winter can begin."),
    variants={
        "champion": gettext_lazy(
            "%(season)s has ended, so its winter can begin. %(champion)s is the champion."
        )
    },
)
WINTER_OVER = NotificationKind(
    key="winter_over",
    label=gettext_lazy("A winter in my circuit has ended"),
    text=gettext_lazy(
        "The winter after %(season)s has ended, and the next season has been planned."
    ),
)
OFFERED = NotificationKind(
    key="circuit_offered",
    label=gettext_lazy("Someone offers me a circuit"),
    text=gettext_lazy("%(by)s has offered you the circuit %(circuit)s."),
    usual=frozenset({Channel.SITE, Channel.MAIL}),
)

COPIED = NotificationKind(
    key="circuit_copied",
    label=gettext_lazy("A copy of a circuit that I requested is ready"),
    text=gettext_lazy("The circuit “%(circuit)s” is ready. You are its director."),
)
COPY_FAILED = NotificationKind(
    key="circuit_copy_failed",
    label=gettext_lazy("A copy of a circuit that I requested could not be created"),
    text=gettext_lazy(
        "The circuit “%(circuit)s” could not be created. The page of the circuit explains why."
    ),
)


def register_notifications() -> None:
    kinds.register_kinds(
        RUN_OVER,
        RUN_STOPPED,
        RUN_BROKEN,
        FOLLOWED_PLAYED,
        SEASON_OVER,
        WINTER_OVER,
        OFFERED,
        COPIED,
        COPY_FAILED,
        AFTERNOONS,
    )


def run_ended(run: Run, reason: str, at: dt.datetime) -> None:
    """Notify followers that a run has ended.

    The user who requested it is notified too, unless it was stopped by hand.
    """
    if reason != "asked" and run.asked_by is not None:
        run_over(run, at=at)
    else:
        season_over(run.season, at=at)
    followed_played(run, at=at)


def run_over(run: Run, *, at: dt.datetime) -> None:
    """Notify the user who requested a run that it has reached its goal or a stop condition."""
    if run.asked_by is None:
        return
    # Corridas are counted because the `Run` row does not include the last chunk yet.
    posted = Corrida.objects.filter(run=run).count()
    done: dict[str, str | int] = {"season": str(run.season), "corridas": posted}
    if run.asked_by.shielded_since is None and (names := _names(run)):
        done["names"] = names
        if leader := _leader(run.season):
            done["leader"] = leader
            done["variant"] = "champion" if is_over(run.season_id) else "leader"
    kind = RUN_STOPPED if run.state == Run.State.STOPPED else RUN_OVER
    link = _end(run.season) if is_over(run.season_id) else _digest(run)
    notify([run.asked_by.pk], kind, at=at, data=done, link=link)
    season_over(run.season, at=at)


def _leader(season: Season) -> str:
    """Return the name of the matador who leads the ranking, or "" before the first corrida.

    If the season is over, this is the champion.
    """
    standings = ranking.standings(season)
    return standings[0].name if standings else ""


def _names(run: Run) -> str:
    """Return the names of a few matadors of a run, those followed by its user first."""
    circuit = run.season.circuit.slug
    people = in_the_news(run)
    first = followed_first(people, followed_keys(run.asked_by, circuit).matadors, itemgetter(0))
    return ", ".join(name for _pk, name in first[:NAMED])


def followed_played(run: Run, *, at: dt.datetime) -> None:
    """Notify users who follow matadors or herds that appeared in a run.

    The user who requested the run is left out. Names are in alphabetical order, so that the order
    reveals no result.
    """
    names = followers(run)
    names.pop(run.asked_by_id or 0, None)
    own = {
        user: {"names": ", ".join(sorted(followed, key=sort_key)[:NAMED])}
        for user, followed in names.items()
    }
    data = {"season": str(run.season)}
    notify(names, FOLLOWED_PLAYED, at=at, data=data, own=own, link=_digest(run))


def _digest(run: Run) -> str:
    if not Corrida.objects.filter(run=run).exists():
        return _page(run.season)
    return address(run.season.circuit.slug, "digest", year=run.season.year, run=run.pk)


def run_broken(run: Run, at: dt.datetime) -> None:
    if run.asked_by_id:
        data = {"season": str(run.season), "reason": run.reason[:200]}
        notify([run.asked_by_id], RUN_BROKEN, at=at, data=data, link=_page(run.season))


def seasons_over_after(corridas: Sequence[int], *, at: dt.datetime) -> None:
    seasons = Season.objects.filter(corridas__in=corridas) if corridas else Season.objects.none()
    for season in seasons.select_related("circuit").distinct():
        season_over(season, at=at)


def season_over(season: Season, *, at: dt.datetime) -> None:
    owner = season.circuit.owner
    if owner is None or not is_over(season.pk):
        return
    data = {"season": str(season)}
    if owner.shielded_since is None and (champion := _leader(season)):
        data |= {"champion": champion, "variant": "champion"}
    notify([owner.pk], SEASON_OVER, at=at, data=data, link=_end(season), once=True)


def winter_over(season: Season, at: dt.datetime) -> None:
    """Notify the circuit's director that a winter is over.

    If there is no director, the user whose run ended the season is notified.
    """
    director = season.circuit.owner_id
    if director is None and (end := season_end(season)):
        director = end.director
    if director:
        link = address(season.circuit.slug, "winter", year=season.year)
        notify([director], WINTER_OVER, at=at, data={"season": str(season)}, link=link)


def circuit_offered(circuit: Circuit, *, by: User, at: dt.datetime) -> None:
    if circuit.offered_to_id:
        data = {"by": by.get_username(), "circuit": circuit.name}
        notify([circuit.offered_to_id], OFFERED, at=at, data=data, link=reverse("circuits"))


def circuit_copied(copy: CircuitCopy, *, at: dt.datetime) -> None:
    """Notify the user who requested a copy of a circuit that it is complete."""
    if copy.asked_by_id and copy.circuit:
        link = address(copy.circuit.slug, "desk")
        notify([copy.asked_by_id], COPIED, at=at, data={"circuit": copy.name}, link=link)


def copy_failed(copy: CircuitCopy, *, at: dt.datetime) -> None:
    """Notify the user who requested a copy of a circuit that it failed."""
    if copy.asked_by_id:
        link = reverse("circuit_copying", kwargs={"pk": copy.pk})
        notify([copy.asked_by_id], COPY_FAILED, at=at, data={"circuit": copy.name}, link=link)


def _end(season: Season) -> str:
    """Return the URL of the page about the end of a season."""
    return address(season.circuit.slug, "season_over", year=season.year)


def _page(season: Season) -> str:
    return address(season.circuit.slug, "season", year=season.year)


def afternoons_of(user: User, site: str, now: dt.datetime) -> Iterator[Event]:
    """Yield calendar events for the next corridas of a user's circuits.

    Corridas with a scheduled broadcast have a time, others only their date in the season's
    calendar.
    """
    rows = Corrida.objects.filter(
        season__circuit__owner=user,
        season__circuit__archived_at=None,
        state__in=(Corrida.State.ANNOUNCED, Corrida.State.QUEUED, Corrida.State.ON_AIR),
    ).select_related("season__circuit", "plaza")
    domain = site.partition("://")[2].partition(":")[0]
    for corrida in rows.order_by("date", "pk")[:OCCASIONS]:
        yield _event(corrida, site, domain, now)


def _event(corrida: Corrida, site: str, domain: str, now: dt.datetime) -> Event:
    event = Event()
    event.add("uid", f"corrida-{corrida.pk}@{domain}")
    event.add("dtstamp", now)
    if corrida.on_air_at:
        event.add("dtstart", corrida.on_air_at)
        event.add("dtend", corrida.ends_at or corrida.on_air_at + AFTERNOON)
    else:
        event.add("dtstart", corrida.date)
    event.add("transp", "TRANSPARENT")
    circuit = corrida.season.circuit
    event.add("summary", f"{circuit.name}: {corrida.plaza.name}")
    event.add("url", site + address(circuit.slug, "corrida", pk=corrida.pk))
    return event


AFTERNOONS = NotificationKind(
    key="circuit_afternoons",
    label=gettext_lazy("The next corridas in my circuits"),
    usual=frozenset({Channel.CALENDAR}),
    occasions=afternoons_of,
)


def in_the_news(run: Run) -> list[tuple[int, str]]:
    """Return the keys and names of the matadors of a run, the most newsworthy first.

    Injured matadors come first, then those with the most points for trophies. Three queries.
    """
    hurt = set(Injury.objects.filter(corrida__run=run).values_list("matador_id", flat=True))
    counts: dict[int, Tally] = {pk: Tally() for pk in hurt}
    lidias: Any = Lidia.objects.filter(corrida__run=run, finisher__isnull=False).order_by()
    columns = ("finisher_id", "trophy", "vuelta", "ending", "avisos")
    for lidia in lidias.values_list(*columns, named=True):
        counts.setdefault(lidia.finisher_id, Tally()).add(lidia)
    people = ranking.people_by_id(counts)
    order = sorted(
        counts,
        key=lambda pk: (
            pk not in hurt,
            -points(BY_KEY[TRIUMPH], counts[pk]),
            sort_key(people[pk].full_name),
            people[pk].slug,
        ),
    )
    return [(pk, people[pk].name) for pk in order]
