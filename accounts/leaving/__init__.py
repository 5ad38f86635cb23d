"""Leaving for good: what is deleted, what is kept under another name, and a week to come back.

An account is locked the moment its owner asks. Seven days later the sweep deletes it, unless the
owner has come back. Results of others would fall if those against the one who left were taken
away, so they stay, under an alias. Applications declare a `Farewell` in `AppConfig.ready`.
"""

from accounts.leaving.asking import (
    GRACE,
    MayNotLeaveError,
    ask_to_leave,
    come_back,
    effects,
    hindrances,
)
from accounts.leaving.executing import depart, depart_due
from accounts.leaving.farewells import Effect, Farewell, Parting, register
from accounts.leaving.mending import mend

__all__ = [
    "GRACE",
    "Effect",
    "Farewell",
    "MayNotLeaveError",
    "Parting",
    "ask_to_leave",
    "come_back",
    "depart",
    "depart_due",
    "effects",
    "hindrances",
    "mend",
    "register",
]
