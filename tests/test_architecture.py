"""Rules about the structure of the code that the import contracts cannot express."""

import ast
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parent.parent
APPLICATIONS = sorted(
    path.parent.name for path in ROOT.glob("*/__init__.py") if path.parent.name != "tests"
)
PURE = (
    "corridas/engine",
    "corridas/world",
    "dominoes/bots",
    "dominoes/engine",
    "eltoro/bots",
    "eltoro/engine",
    "fairness",
    "leagues/bots.py",
    "leagues/exchange/formats",
    "leagues/calendar.py",
    "leagues/pairing",
    "leagues/members_read/statistics.py",
    "leagues/ratings/calculation.py",
    "leagues/standings/cut.py",
    "leagues/standings/ranking.py",
    "leagues/standings/scoring.py",
)
CLOCKLESS = (
    *PURE,
    "corridas/tabletop/sheets",
    "dominoes/stage",
    "dominoes/tabletop/sheets",
    "eltoro/calibration.py",
    "eltoro/stage",
    "eltoro/tabletop/sheets",
    "leagues/byes.py",
    "leagues/emit.py",
    "leagues/draws.py",
    "leagues/fixtures/queries.py",
    "leagues/league/queries.py",
    "leagues/matches/consequences.py",
    "leagues/matches_read.py",
    "leagues/results.py",
    "leagues/members/operations/merging.py",
    "leagues/members_read/queries.py",
    "leagues/models",
    "leagues/ratings/pools.py",
    "leagues/ratings/queries.py",
    "leagues/standings/queries.py",
    "leagues/tables/actas.py",
    "leagues/tables/automation.py",
    "leagues/tables/changes.py",
    "leagues/tables/clock.py",
    "leagues/tables/log.py",
    "leagues/tables/play.py",
    "leagues/tables/queries.py",
    "leagues/tables/visibility.py",
)
AMBIENT = {("time", "time"), ("datetime", "now"), ("date", "today"), ("timezone", "now")}
BANNED_NAMES = {"utils", "helpers", "common", "base", "manager", "services"}


@cache
def files(place: str) -> list[Path]:
    """Return the Python files of a folder, or a single file."""
    path = ROOT / place
    found = [path] if path.is_file() else sorted(path.rglob("*.py"))
    assert found, f"{place} holds no code: it has moved, and nothing is checked"
    return found


def modules(*folders: str) -> Iterator[Path]:
    for folder in folders:
        yield from files(folder)


class Source(NamedTuple):
    """The parts of a source file that these tests check. Each file is parsed once in a run."""

    imported: frozenset[str]
    functions: frozenset[str]
    # Numbers of the lines that read the current time.
    ambient: tuple[int, ...]


@cache
def source(path: Path) -> Source:
    imported, functions, ambient = set(), set(), []
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            imported |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            imported.add(node.module)
        elif isinstance(node, ast.FunctionDef):
            functions.add(node.name)
        elif (
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and (node.value.id, node.attr) in AMBIENT
        ):
            ambient.append(node.lineno)
    return Source(frozenset(imported), frozenset(functions), tuple(ambient))


def imported(path: Path) -> frozenset[str]:
    """Return the full names of all modules that a file imports."""
    return source(path).imported


def test_import_contracts_contain_every_application() -> None:
    linted = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]
    layers = " ".join(linted["contracts"][0]["layers"]).replace("|", " ").split()
    packages = [name for name in APPLICATIONS if name != "tools"]
    assert sorted(linted["root_packages"]) == sorted(layers) == packages


# Modules that engines, worlds and bots may import besides the standard library and themselves.
STANDS_ON = {
    "fairness": (),
    "corridas/engine": ("fairness",),
    "dominoes/engine": ("fairness",),
    "eltoro/engine": ("fairness",),
    "corridas/world": ("fairness", "corridas.engine", "core.names.text"),
    "dominoes/bots": ("fairness", "dominoes.engine", "leagues.bots"),
    "eltoro/bots": ("fairness", "eltoro.engine", "leagues.bots"),
}


@pytest.mark.parametrize("folder", STANDS_ON)
def test_engines_and_bots_import_only_the_standard_library_and_listed_modules(folder: str) -> None:
    allowed = (folder.replace("/", "."), *STANDS_ON[folder])
    for path in modules(folder):
        strangers = {
            name
            for name in imported(path)
            if name.split(".")[0] not in sys.stdlib_module_names
            and not any(f"{name}.".startswith(f"{place}.") for place in allowed)
        }
        assert not strangers, f"{path} imports {strangers}"


@pytest.mark.slow
@pytest.mark.parametrize("game", ["corridas", "dominoes", "eltoro"])
def test_other_code_imports_engines_only_through_their_package(game: str) -> None:
    for path in modules(*APPLICATIONS):
        if (ROOT / game / "engine") in path.parents:
            continue
        behind = {name for name in imported(path) if name.startswith(f"{game}.engine.")}
        assert not behind, f"{path} goes past the engine's door: {behind}"


def test_leagues_contain_no_name_of_a_game() -> None:
    style = ROOT / "static/css/league.css"
    for path in [*modules("leagues"), *(ROOT / "templates/leagues").glob("*.html"), style]:
        told = path.read_text("utf-8").lower()
        for word in ("domino", "dom-", "eltoro", "el toro", "elt-"):
            assert word not in told, f"{path}: {word}"


@pytest.mark.slow
def test_no_application_imports_the_random_module() -> None:
    for path in modules(*(name for name in APPLICATIONS if name != "tools")):
        assert "random" not in imported(path), path
        assert "numpy.random" not in imported(path), path


@pytest.mark.parametrize("folder", CLOCKLESS)
def test_rules_and_pure_modules_never_read_the_current_time(folder: str) -> None:
    for path in modules(folder):
        assert not source(path).ambient, path


def test_no_module_has_a_meaningless_name_such_as_utils() -> None:
    for path in modules(*APPLICATIONS):
        assert path.stem not in BANNED_NAMES, path


@pytest.mark.slow
def test_no_model_overrides_save_and_no_module_uses_signals() -> None:
    for path in modules(*APPLICATIONS):
        assert "django.db.models.signals" not in imported(path), path
        if "models" in {path.stem, path.parent.name}:
            assert "save" not in source(path).functions, path


@pytest.mark.parametrize("lock", ["requirements.lock", "requirements-dev.lock"])
def test_lock_files_contain_hashes_and_no_urls(lock: str) -> None:
    text = (ROOT / lock).read_text("utf-8")
    assert "--hash=sha256:" in text
    assert "://" not in text
    assert "index-url" not in text
