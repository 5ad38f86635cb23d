"""Work in a process of its own: what it answers, what it may use up, and what is believed of it."""

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


def test_the_answer_is_what_the_function_answers() -> None:
    read = isolation.run(read_sheets, b"a,b\n1,2\n", "x.csv", Limits(), ["x"], made_of=RESULT_TYPES)
    assert read == Tables((Sheet("x.csv", [Line(1, ["a", "b"]), Line(2, ["1", "2"])]),))


def test_it_is_neither_this_process_nor_told_its_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
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
def test_what_needs_too_much_is_ended(work: object) -> None:
    with pytest.raises(isolation.TooExpensiveError):
        isolation.run(work)  # type: ignore[arg-type]


def test_what_only_waits_is_ended_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "TIMEOUT", 0.5)
    with pytest.raises(isolation.TooExpensiveError):
        isolation.run(sleep)


def test_it_leaves_nothing_behind(tmp_path: Path) -> None:
    assert isolation.run(write_a_file, str(tmp_path))
    assert not (tmp_path / "left").exists() or not (tmp_path / "left").read_bytes()


def test_readers_do_without_django() -> None:
    assert isolation.run(loaded) == []


def test_only_classes_that_are_named_are_made() -> None:
    with pytest.raises(isolation.BrokenError, match="Fraction"):
        isolation.run(Fraction, 1, 2)
    assert isolation.run(Fraction, 1, 2, made_of=[Fraction]) == Fraction(1, 2)


def test_an_answer_that_would_do_something_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    class Deed:
        def __reduce__(self) -> tuple[object, ...]:
            return os.getcwd, ()

    monkeypatch.setattr(sandbox, "_run_process", lambda _asked: pickle.dumps(Deed()))
    with pytest.raises(isolation.BrokenError, match="getcwd"):
        isolation.run(os.getpid)


def test_a_function_that_raises_says_where() -> None:
    with pytest.raises(isolation.BrokenError, match="ZeroDivisionError"):
        isolation.run(divmod, 1, 0)


def test_so_many_work_at_once_and_the_next_is_told_to_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "_slots", threading.BoundedSemaphore(1))
    monkeypatch.setattr(sandbox, "QUEUE_TIMEOUT", 0.05)
    sandbox._slots.acquire()
    with pytest.raises(isolation.BusyError):
        isolation.run(os.getpid)
    sandbox._slots.release()
    assert isolation.run(os.getpid)
