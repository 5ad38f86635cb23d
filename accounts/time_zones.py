"""Select the time zone of displayed times: the visitor's choice, or that of the page's subject."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import cache
from typing import TYPE_CHECKING, Any, Final
from zoneinfo import ZoneInfo, available_timezones

from django import forms
from django.conf import settings
from django.utils import timezone

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from accounts.models import User

# Regions (first parts of names such as Europe/Madrid) whose time zones the form lists, besides UTC.
# The form also accepts all other names of the time zone database: old names, offsets and
# abbreviations, which programs and files use.
REGIONS: Final = (
    "Africa",
    "America",
    "Antarctica",
    "Arctic",
    "Asia",
    "Atlantic",
    "Australia",
    "Europe",
    "Indian",
    "Pacific",
)
# Entries of the time zone database that are not time zones: the host's own setting, and a
# placeholder.
NO_ZONES: Final = frozenset({"Factory", "localtime"})
# Requests with this prefix use UTC, whatever time zone the visitor prefers.
API_PREFIX: Final = "/api/"


@cache
def zone_choices() -> tuple[tuple[str, str], ...]:
    named = sorted(zone for zone in available_timezones() if zone.split("/")[0] in REGIONS)
    return tuple((zone, zone.replace("_", " ")) for zone in ("UTC", *named))


@cache
def _zones() -> frozenset[str]:
    return frozenset(available_timezones() - NO_ZONES)


def is_zone(name: str) -> bool:
    return name in _zones()


class ZoneSelect(forms.Select):
    """Drop-down list of time zones.

    It includes the user's current time zone even if the list usually lacks it.
    """

    def optgroups(self, name: str, value: list[str], attrs: dict[str, object] | None = None) -> Any:
        offered = list(self.choices)
        known = {choice for choice, _label in offered}
        self.choices = [*offered, *((zone, zone) for zone in value if zone not in known)]
        try:
            return super().optgroups(name, value, attrs)
        finally:
            self.choices = offered


class ZoneField(forms.ChoiceField):
    """Form field for a time zone.

    `empty` is the label of the choice that selects no time zone, if the form offers that choice.
    """

    widget = ZoneSelect

    def __init__(self, *, empty: object = None, **kw: Any) -> None:
        none = [] if empty is None else [("", empty)]
        super().__init__(choices=lambda: [*none, *zone_choices()], required=empty is None, **kw)

    def valid_value(self, value: object) -> bool:
        return is_zone(str(value))


class TimeZoneMiddleware:
    """Activate the time zone from the visitor's cookie, if there is one."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not is_zone(request.COOKIES.get(settings.ZONE_COOKIE_NAME, "")):
            request.COOKIES.pop(settings.ZONE_COOKIE_NAME, None)  # it is part of cache keys
        with timezone.override(_chosen_zone(request)):
            return self._get_response(request)


def activate_default_zone(request: HttpRequest, zone: str) -> None:
    if _chosen_zone(request) is None:
        timezone.activate(ZoneInfo(zone))


def override_zone_for(user: User) -> AbstractContextManager[None]:
    return timezone.override(ZoneInfo(user.zone) if is_zone(user.zone) else None)


def _chosen_zone(request: HttpRequest) -> ZoneInfo | None:
    name = request.COOKIES.get(settings.ZONE_COOKIE_NAME, "")
    return ZoneInfo(name) if name and not request.path.startswith(API_PREFIX) else None
