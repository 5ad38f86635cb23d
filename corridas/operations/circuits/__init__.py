"""What a person can ask for of a circuit: found it, change it, hand it on, let it rest, end it."""

from corridas.operations.circuits.asked import (
    check_awake,
    check_directs,
    check_sand,
    check_seasons,
)
from corridas.operations.circuits.ending import (
    delete_circuit,
    freeze_circuit,
    restore_circuit,
    thaw_circuit,
)
from corridas.operations.circuits.founding import (
    Founding,
    check_calendar,
    found_circuit,
    found_leyendas,
    plan_season,
)
from corridas.operations.circuits.handing import (
    accept_circuit,
    decline_circuit,
    offer_circuit,
    withdraw_offer,
)
from corridas.operations.circuits.settings import Settings, change_calendar, change_circuit

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
