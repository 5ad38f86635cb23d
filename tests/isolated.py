"""Run functions for untrusted files in the process of the test, to save a process for each file.

A process takes a tenth of a second of CPU, mostly for importing the function's module. `FULL=1`
uses real processes, and so do `make full`, `.ci/run` and `tests/security/test_isolation.py`.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import pytest

from core import isolation
from core.isolation.sandbox import PLAIN_TYPES, _RestrictedUnpickler
from tests.properties import FULL


def run_here(function: Callable[..., Any], *args: Any, made_of: Any = (), **options: Any) -> Any:
    """Do what `isolation.run` does without another process.

    Arguments and result are pickled all the same, so that a class missing in `made_of` fails.
    """
    args, options = pickle.loads(pickle.dumps((args, options)))
    answer = pickle.dumps(function(*args, **options))
    return _RestrictedUnpickler(answer, [*made_of, *PLAIN_TYPES]).load()


@pytest.fixture(autouse=True)
def _read_files_in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """For the conftest of folders whose tests read many files."""
    if not FULL:
        monkeypatch.setattr(isolation, "run", run_here)
