"""The total of the reports of several runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.scripts import count_tests

PASSED = '<testcase classname="tests.a" name="test_passed"/>'
FAILED = '<testcase classname="tests.a" name="test_failed"><failure/></testcase>'
SKIPPED = '<testcase classname="tests.a" name="test_skipped"><skipped/></testcase>'
RAN_AGAIN = '<testcase classname="tests.a" name="test_failed"/>'


def report(folder: Path, run: str, *cases: str) -> None:
    (folder / f"{run}.xml").write_text(
        f"<testsuites><testsuite>{''.join(cases)}</testsuite></testsuites>"
    )


def test_tests_of_all_runs_are_added_up(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report(tmp_path, "test", PASSED, SKIPPED)
    report(tmp_path, "walk", '<testcase classname="tests.b" name="test_passed"/>')
    assert count_tests.main(tmp_path, ["test", "walk"]) == 0
    assert capsys.readouterr().out == "Tests: 2 passed, 0 failed, 1 skipped\n"


def test_test_that_ran_twice_counts_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report(tmp_path, "test", PASSED)
    report(tmp_path, "postgres", PASSED)
    assert count_tests.main(tmp_path, ["test", "postgres"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "Again on PostgreSQL: 1 passed, 0 failed, 0 skipped",
        "Tests: 1 passed, 0 failed, 0 skipped",
    ]


def test_failure_is_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report(tmp_path, "test", PASSED, FAILED)
    assert count_tests.main(tmp_path, ["test"]) == 1
    assert capsys.readouterr().out == "Tests: 1 passed, 1 failed, 0 skipped\n"


def test_test_that_passed_the_second_time_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report(tmp_path, "test", FAILED, RAN_AGAIN)
    assert count_tests.main(tmp_path, ["test"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "Failed at first and ran again: tests.a::test_failed",
        "Tests: 1 passed, 0 failed, 0 skipped",
    ]


@pytest.mark.parametrize("cases", [None, ()])
def test_missing_and_empty_reports_are_failures(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], cases: tuple[()] | None
) -> None:
    report(tmp_path, "test", PASSED)
    if cases is not None:
        report(tmp_path, "walk")
    assert count_tests.main(tmp_path, ["test", "walk"]) == 1
    assert capsys.readouterr().out.splitlines() == [
        f"{tmp_path / 'walk.xml'}: no tests ran",
        "Tests: 1 passed, 0 failed, 0 skipped",
    ]
