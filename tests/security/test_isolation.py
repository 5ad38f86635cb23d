"""Running a function in a separate process: its result, its limits, and which results are
accepted.
"""

from __future__ import annotations

import importlib
import os
import pickle
import sys
import threading
from fractions import Fraction
from pathlib import Path

import pytest

from core import isolation
from core.isolation import sandbox
from core.spreadsheets.files import RESULT_TYPES, Tables, read_sheets
from core.spreadsheets.limits import Limits
from core.spreadsheets.sheets import Line, Sheet


def test_isolated_function_returns_its_result() -> None:
    read = isolation.run(read_sheets, b"a,b\n1,2\n", "x.csv", Limits(), ["x"], made_of=RESULT_TYPES)
    assert read == Tables((Sheet("x.csv", [Line(1, ["a", "b"]), Line(2, ["1", "2"])]),))


def test_isolated_process_is_separate_and_has_no_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_KEY", "secret")
    assert isolation.run(os.getpid) != os.getpid()
    assert isolation.run(os.getenv, "SECRET_KEY") is None


def spin() -> None:
    while True:
        pass


def swell() -> int:
    return len([bytearray(1_000_000) for _time in range(1000)])


def sleep() -> None:
    threading.Event().wait(60)


def write_a_file(folder: str) -> bool:
    try:
        (Path(folder) / "left").write_bytes(b"x" * 10)
    except OSError:
        return True
    return False


def loaded() -> list[str]:
    for name in ("core.spreadsheets.files", "leagues.exchange.formats"):
        importlib.import_module(name)
    return [name for name in sys.modules if name.partition(".")[0] == "django"]


@pytest.mark.slow
@pytest.mark.parametrize("work", [spin, swell])
def test_isolated_function_that_needs_too_much_is_stopped(work: object) -> None:
    with pytest.raises(isolation.TooExpensiveError):
        isolation.run(work)  # type: ignore[arg-type]


def test_isolated_function_that_only_waits_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "TIMEOUT", 0.5)
    with pytest.raises(isolation.TooExpensiveError):
        isolation.run(sleep)


def test_isolated_function_leaves_no_file_behind(tmp_path: Path) -> None:
    assert isolation.run(write_a_file, str(tmp_path))
    assert not (tmp_path / "left").exists() or not (tmp_path / "left").read_bytes()


def test_isolated_file_readers_do_not_import_django() -> None:
    assert isolation.run(loaded) == []


def test_only_listed_classes_are_unpickled() -> None:
    with pytest.raises(isolation.BrokenError, match="Fraction"):
        isolation.run(Fraction, 1, 2)
    assert isolation.run(Fraction, 1, 2, made_of=[Fraction]) == Fraction(1, 2)


def test_result_that_would_execute_code_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    class Deed:
        def __reduce__(self) -> tuple[object, ...]:
            return os.getcwd, ()

    monkeypatch.setattr(sandbox, "_run_process", lambda _asked: pickle.dumps(Deed()))
    with pytest.raises(isolation.BrokenError, match="getcwd"):
        isolation.run(os.getpid)


def test_exception_in_an_isolated_function_is_reported() -> None:
    with pytest.raises(isolation.BrokenError, match="ZeroDivisionError"):
        isolation.run(divmod, 1, 0)


def test_number_of_isolated_processes_at_once_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "_slots", threading.BoundedSemaphore(1))
    monkeypatch.setattr(sandbox, "QUEUE_TIMEOUT", 0.05)
    sandbox._slots.acquire()
    with pytest.raises(isolation.BusyError):
        isolation.run(os.getpid)
    sandbox._slots.release()
    assert isolation.run(os.getpid)
