"""User groups for the Django admin, and their permissions."""

from __future__ import annotations

from collections.abc import Iterable

from django.contrib.auth.models import Group, Permission
from django.db import transaction
from django.db.models import Q

ROSTER_EDITOR, DIRECTOR, SITE_ADMIN = "Roster editor", "Director", "Site admin"

EVERY = ("view", "add", "change", "delete")
ROSTERS = ("matador", "matadorcard", "plaza", "ganaderia", "bull", "deck")
PLAYED = ("corrida", "lidia", "escalafon", "injury", "run")

# Permissions to edit the rosters of the user's own circuits and of circuits without an owner.
EDITS = (
    *(f"{verb}_{model}" for model in ROSTERS for verb in EVERY),
    *(f"view_{model}" for model in ("circuit", "change")),
    "keep_rosters",
)

# Permissions to edit everything in the user's own circuits, and nothing in other circuits.
DIRECTS = (
    *(f"{verb}_{model}" for model in (*ROSTERS, "feria") for verb in EVERY),
    *(f"view_{model}" for model in ("circuit", "change", "season", *PLAYED)),
    *(f"change_{model}" for model in ("circuit", "season", "corrida", "run")),
    "add_season",
)

OVERSEEN = ("accounts", "auth", "corridas", "dominoes", "eltoro", "leagues")


@transaction.atomic
def found_roles() -> list[Group]:
    """Create or reset the three groups.

    Permissions that were added by hand are removed.
    """
    everything = Permission.objects.filter(content_type__app_label__in=OVERSEEN)
    return [
        _role(ROSTER_EDITOR, _named(EDITS)),
        _role(DIRECTOR, _named(DIRECTS)),
        _role(SITE_ADMIN, everything),
    ]


def _named(names: Iterable[str]) -> Iterable[Permission]:
    wanted = Q(content_type__app_label="corridas", codename__in=names)
    return Permission.objects.filter(wanted)


def _role(name: str, permissions: Iterable[Permission]) -> Group:
    group, _made = Group.objects.get_or_create(name=name)
    group.permissions.set(permissions)
    return group
