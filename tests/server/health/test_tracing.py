"""Messages about periodic tasks are left out of the log."""

from __future__ import annotations

import logging
from typing import Any, Final

import pytest
from celery.app.trace import LOG_FAILURE, LOG_RECEIVED, LOG_RETRY, LOG_SUCCESS

from server.health.tracing import RoutineTaskFilter

SWEEP: Final = "corridas.tasks.sweep"
BEAT: Final = {
    "name": "celery.beat",
    "msg": "Scheduler: Sending due task %s (%s)",
    "args": ("sweep", SWEEP),
}


def about(task: str, message: str) -> dict[str, Any]:
    return {"name": "celery.app.trace", "msg": message, "data": {"name": task}}


@pytest.mark.parametrize(
    ("record", "kept"),
    [
        (about(SWEEP, LOG_RECEIVED), False),
        (about(SWEEP, LOG_SUCCESS), False),
        (BEAT, False),
        (about(SWEEP, LOG_RETRY), True),
        (about(SWEEP, LOG_FAILURE) | {"levelno": logging.ERROR}, True),
        (about("corridas.tasks.play_corrida", LOG_RECEIVED), True),
        (about("corridas.tasks.play_corrida", LOG_SUCCESS), True),
        ({"name": "celery.beat", "msg": "beat: Starting..."}, True),
        ({"name": "config", "msg": "answered"}, True),
    ],
)
def test_periodic_tasks_are_logged_at_debug_level_only(
    record: dict[str, Any], kept: bool, caplog: pytest.LogCaptureFixture
) -> None:
    routine = RoutineTaskFilter([SWEEP])
    made = logging.makeLogRecord({"levelno": logging.INFO} | record)
    caplog.set_level(logging.INFO)
    assert routine.filter(made) is kept
    caplog.set_level(logging.DEBUG)
    assert routine.filter(made)
