"""The stand-alone script that verifies records: it checks commitments and random numbers.

`docs/records.md` lists what it does not check.
"""

import importlib.util
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

import actas
from tests.actas import documents
from tests.actas.documents import Document, leaves, other_value, sealed_anew, with_value

ROOT = Path(__file__).parents[3]
SCRIPT = ROOT / "tools" / "scripts" / "check_acta.py"
MAKERS: dict[str, Callable[[], Document]] = {
    "lidia": documents.lidia,
    "lidia of one deck": lambda: documents.lidia(5, shuffle="when_exhausted"),
    "corrida": lambda: documents.corrida(shuffle="when_exhausted"),
    "hand": documents.hand,
    "highest double": lambda: documents.hand(lead="highest_double", highest=9),
    "game": lambda: documents.town(days=3),
    "match": lambda: documents.match(target=100),
    "sheet": lambda: documents.sheet("dominoes", {"totals": [100, 58, 33]}),
}
# Values that follow from the rules, or that nothing determines. `manage.py verify` checks the
# former.
LEFT = re.compile(
    r"(rounds/\d+/)?(site|seats|result|points|moves)(/.*)?"
    r"|game|of/(circuit|season|corrida|table|match|sheet)"
    r"|suspended|lidias/\d+/(able|reads|line|result)(/.*)?"
)


@pytest.fixture(scope="module")
def script() -> ModuleType:
    """The script as a module, which is faster than starting it a thousand times."""
    spec = importlib.util.spec_from_file_location("check_acta", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run(*files: Path) -> subprocess.CompletedProcess[str]:
    """Run the script in a Python process without access to the project."""
    names = [str(file) for file in files]
    return subprocess.run(
        [sys.executable, "-I", str(SCRIPT), *names],
        capture_output=True,
        text=True,
        cwd=files[0].parent,
        check=False,
    )


def written_file(folder: Path, document: Document, name: str = "acta.json") -> Path:
    file = folder / name
    file.write_bytes(actas.to_bytes(document))
    return file


def test_true_records_verify_without_the_project(tmp_path: Path) -> None:
    files = [written_file(tmp_path, make(), f"{name}.json") for name, make in MAKERS.items()]
    ended = run(*files)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert ended.stdout.count("digest and random numbers are correct") == len(files)


def test_one_changed_byte_is_reported_with_its_place(tmp_path: Path) -> None:
    document = documents.lidia()
    card = document["lidias"][0]["draws"][7]
    file = written_file(tmp_path, with_value(document, "lidias/0/draws/7", (card + 1) % 70))
    ended = run(file)
    assert ended.returncode == 1
    assert f"{file}: lidias/0/draws/7: says {(card + 1) % 70}, is {card}" in ended.stdout
    assert "digest: says" in ended.stdout
    assert not ended.stderr


def test_file_that_is_no_record_is_reported(tmp_path: Path) -> None:
    file = tmp_path / "acta.json"
    for text in ("", "[]", "{}", '{"a": 1, "a": 2}', "[" * 9999, "\ud800"):
        file.write_text(text, "utf-8", "surrogatepass")
        ended = run(file, tmp_path / "missing.json")
        assert ended.returncode == 1
        assert ended.stdout.count("cannot be checked") == 2
        assert not ended.stderr


def test_script_imports_the_standard_library_only() -> None:
    named = re.findall(r"^(?:import|from) (\w+)", SCRIPT.read_text("utf-8"), re.MULTILINE)
    assert set(named) - {"__future__"} <= set(sys.stdlib_module_names)


@pytest.mark.slow
@pytest.mark.parametrize("name", MAKERS)
def test_every_value_of_a_record_is_checked_or_listed_as_unchecked(
    script: ModuleType, name: str
) -> None:
    document = MAKERS[name]()
    left, every = [], list(leaves(document))
    for path, value in every[:: 1 + len(every) // 150]:
        changed = with_value(document, path, other_value(value))
        assert _is_noticed(script, changed), path
        if path != "digest" and not _is_noticed(script, sealed_anew(changed)):
            left.append(path)
    if name != "sheet":  # only the digest fixes it
        assert not [path for path in left if not LEFT.fullmatch(path)]


def _is_noticed(script: ModuleType, document: Document) -> bool:
    try:
        return bool(script.check(document))
    except Exception:  # as the script itself does
        return True


@given(data=st.data())
def test_script_reports_errors_for_any_changed_byte(
    script: ModuleType, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    name = data.draw(st.sampled_from(["lidia", "hand"]))
    document = MAKERS[name]()
    text = bytearray(actas.to_bytes(document))
    at = data.draw(st.integers(0, len(text) - 1))
    text[at] = data.draw(st.integers(0, 255))
    file = tmp_path_factory.getbasetemp() / "byte.json"
    file.write_bytes(text)
    if script.main([str(file)]) == 0:
        assert actas.to_bytes(actas.load(bytes(text))) == actas.to_bytes(document)


def test_rounds_of_a_match_are_checked_one_by_one(script: ModuleType) -> None:
    document = documents.match(target=100)
    path = "rounds/1/deal/boneyard/0"
    assert any(line.startswith(path) for line in script.check(with_value(document, path, "9|9")))


def test_false_counts_in_a_record_do_not_make_the_script_run_forever(script: ModuleType) -> None:
    document = documents.lidia(5, shuffle="when_exhausted")
    assert script.check(with_value(document, "lidias/0/drawn_before", 10**15))
    assert _is_noticed(script, with_value(documents.hand(), "rules/highest", 10**9))
    long = with_value(documents.town(days=1), "days/0/dice", [1] * 200_000)
    assert _is_noticed(script, long)
