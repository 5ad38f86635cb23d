"""Insert faults into the code, one at a time, and see whether a test fails.

    .venv-mutation/bin/python -m tools.scripts.faults draw FILE [--seed N] [--each N]
    .venv/bin/python -m tools.scripts.faults cover FILE ... -- [PYTEST ARGUMENTS]
    .venv/bin/python -m tools.scripts.faults run FILE [--out REPORT]

`draw` writes faults of a mutation tool, `cover` runs the tests once and keeps which of them reach
which fault.

A file of faults is a JSON list of objects with `id`, `area`, `file`, `old` and `new`; `old` is
found in the file exactly once, and `new` replaces it. `draw` needs the packages of
`tools/requirements-mutation.lock` (`make mutation` sees to it). `run` works on a copy of the tree,
runs the tests that reach the changed lines, the quickest first, stops at the first that fails and
gives each fault 120 seconds of CPU, so that a busy machine changes nothing: a fault that outlives
them counts as missed.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import json
import os
import random  # noqa: TID251  # faults are drawn, not played
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
COVERED = ROOT / "var" / "faults-covered.json"
# Seconds of processor time after which a test run is ended.
SECONDS = 120
# Seconds of real time after which a test run that only waits is ended.
STANDSTILL = 900
SEED = 20261122
EACH = 12
# Files in which faults are inserted, by area. A game's referee belongs to the area of referees.
AREAS = {
    "engines": ("corridas/engine", "dominoes/engine", "eltoro/engine"),
    "posting": ("corridas/simulation",),
    "standings": (
        "leagues/draws.py",
        "leagues/matches/consequences.py",
        "leagues/results.py",
        "leagues/ratings/calculation.py",
        "leagues/ratings/pools.py",
        "leagues/standings/cut.py",
        "leagues/standings/queries.py",
        "leagues/standings/ranking.py",
        "leagues/standings/scoring.py",
    ),
    "permissions": (
        "accounts/operations.py",
        "api/authentication.py",
        "api/keys/operations.py",
        "corridas/roles.py",
        "corridas/permissions.py",
        "leagues/members/operations/membership.py",
        "leagues/permissions.py",
    ),
    "referees": (
        "corridas/tabletop/sheets",
        "dominoes/engine/referee",
        "dominoes/tabletop/sheets",
        "eltoro/engine/real_board",
        "eltoro/tabletop/sheets",
    ),
}


class Fault(NamedTuple):
    """One change of one file, which a test should detect."""

    id: str
    area: str
    file: str
    old: str
    new: str
    about: str

    def lines(self, source: str) -> range:
        first = source[: source.index(self.old)].count("\n") + 1
        old, new = self.old.splitlines(), self.new.splitlines()
        blocks = difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
        touched = [(start, end) for tag, start, end, _, _ in blocks if tag != "equal"]
        low = min(start for start, _ in touched)
        high = max(max(end, start + 1) for start, end in touched)
        return range(first + low, first + high)


def read(file: Path) -> list[Fault]:
    rows = json.loads(file.read_text())
    return [
        Fault(
            row["id"],
            row["area"],
            row["file"],
            row["old"],
            row["new"],
            row.get("behaviour") or row.get("operator", ""),
        )
        for row in rows
    ]


# Drawing faults


def files_of(area: str) -> list[Path]:
    elsewhere = [ROOT / path for name, paths in AREAS.items() if name != area for path in paths]
    files = []
    for path in AREAS[area]:
        here = ROOT / path
        for file in sorted(here.rglob("*.py")) if here.is_dir() else [here]:
            inner = [other for other in elsewhere if other.is_relative_to(here)]
            if not any(file.is_relative_to(other) for other in inner):
                files.append(file)
    return files


def in_annotations(source: str) -> set[tuple[int, int]]:
    """Return lines and columns that only type checkers read. A change there is no fault."""
    positions = set()
    for node in ast.walk(ast.parse(source)):
        parts = [getattr(node, name, None) for name in ("annotation", "returns")]
        for part in parts:
            if isinstance(part, ast.expr):
                inner = (child for child in ast.walk(part) if isinstance(child, ast.expr))
                # The operator is to the right of the place where its expression begins.
                for child in inner:
                    last = child.end_col_offset or child.col_offset
                    positions |= {
                        (child.lineno, column) for column in range(child.col_offset, last)
                    }
    return positions


class Mutant(NamedTuple):
    """A change that the mutation tool can make to a file."""

    file: Path
    line: int
    operator: str
    occurrence: int

    def mutated(self) -> str | None:
        from cosmic_ray.mutating import mutate_code
        from cosmic_ray.plugins import get_operator

        code: str | None = mutate_code(
            self.file.read_text(), get_operator(self.operator)(), self.occurrence
        )
        return code if code and compiles(code) else None


def mutants(file: Path) -> Iterator[Mutant]:
    from cosmic_ray.ast import ast_nodes, get_ast
    from cosmic_ray.plugins import get_operator, operator_names

    source = file.read_text()
    skipped = in_annotations(source)
    tree = get_ast(source)
    for name in sorted(operator_names()):
        kind = get_operator(name)
        if kind.arguments():
            continue
        operator = kind()
        places = (
            place for node in ast_nodes(tree) for place, _ in operator.mutation_positions(node)
        )
        for occurrence, place in enumerate(places):
            if tuple(place) not in skipped:
                yield Mutant(file, place[0], name, occurrence)


def compiles(source: str) -> bool:
    """Return True if Python accepts it.

    The tool takes the star of keyword-only parameters for a product.
    """
    try:
        compile(source, "mutant", "exec")
    except SyntaxError:
        return False
    return True


def changed(source: str, mutated: str) -> tuple[str, str] | None:
    """Return the shortest run of whole lines around the change that occurs only once."""
    old, new = source.splitlines(keepends=True), mutated.splitlines(keepends=True)
    head = 0
    while head < min(len(old), len(new)) and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    while True:
        before = "".join(old[head : len(old) - tail])
        if before and source.count(before) == 1:
            return before, "".join(new[head : len(new) - tail])
        if not head and not tail:
            return None
        head, tail = max(head - 1, 0), max(tail - 1, 0)


def draw(target: Path, seed: int, each: int) -> None:
    chance = random.Random(seed)
    drawn: list[dict[str, object]] = []
    for area in AREAS:
        mutants_by_line: dict[tuple[Path, int], list[Mutant]] = defaultdict(list)
        for file in files_of(area):
            for mutant in mutants(file):
                mutants_by_line[file, mutant.line].append(mutant)
        lines = list(mutants_by_line)
        chance.shuffle(lines)
        taken = 0
        for place in lines:  # one of a line, so that long sums do not fill the list
            if taken == each:
                break
            mutant = chance.choice(mutants_by_line[place])
            mutated = mutant.mutated()
            pair = changed(mutant.file.read_text(), mutated) if mutated else None
            if pair is None:
                continue
            taken += 1
            drawn.append(
                {
                    "id": f"{area}-{taken:02}",
                    "area": area,
                    "file": str(mutant.file.relative_to(ROOT)),
                    "line": mutant.line,
                    "operator": mutant.operator.removeprefix("core/"),
                    "old": pair[0],
                    "new": pair[1],
                }
            )
        print(f"{area}: {taken} of {sum(map(len, mutants_by_line.values()))} mutations")
    target.write_text(json.dumps(drawn, indent=1, ensure_ascii=False) + "\n")


# Running the tests

# Source of a pytest plugin in the copied tree. It records which faults the tests reach.
PROBE = '''"""Which tests reach a place, and how long each test takes."""

import atexit
import json
import os
import time

FOLDER = os.environ.get("FAULTS_SEEN")  # not in processes with an environment of their own
TEMPLATES = json.loads(os.environ.get("FAULTS_TEMPLATES", "[]"))
_seen = set()
_took = {}


def hit(fault):
    _seen.add((fault, os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" (")[0]))


def rendered(template, **others):
    for fault, name in TEMPLATES:
        if str(template.origin.name).endswith(name):
            hit(fault)


def pytest_configure():
    from django.test.signals import template_rendered

    template_rendered.connect(rendered)


def pytest_runtest_logreport(report):
    _took[report.nodeid] = _took.get(report.nodeid, 0) + report.duration


@atexit.register
def _write():
    if FOLDER is None:
        return
    with open(f"{FOLDER}/{os.getpid()}-{time.time_ns()}.json", "w") as file:
        json.dump({"seen": sorted(_seen), "took": _took}, file)
'''


def probed(source: str, places: dict[str, range]) -> str:
    """Return the source with a call before every statement that a fault changes.

    Tests do not see what runs at import: there every function of the file is probed.
    """
    tree = ast.parse(source)
    functions = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]
    for fault, lines in places.items():
        call = ast.parse(f'__import__("faults_probe").hit({fault!r})').body[0]
        inner = [body for body in _bodies(functions) if _touches(body, lines)]
        if inner:
            body = min(inner, key=lambda body: _end(body) - body[0].lineno)
            at = next(n for n, statement in enumerate(body) if _last(statement) >= lines.start)
            body.insert(at, ast.copy_location(call, body[at]))
            continue
        for function in functions:
            function.body.insert(bool(ast.get_docstring(function)), call)
    return ast.unparse(ast.fix_missing_locations(tree))


def _bodies(functions: list[ast.FunctionDef | ast.AsyncFunctionDef]) -> Iterator[list[ast.stmt]]:
    for function in functions:
        for node in ast.walk(function):
            for name in ("body", "orelse", "finalbody"):
                statements = getattr(node, name, None)
                if isinstance(statements, list) and statements:
                    yield statements


def _touches(body: list[ast.stmt], lines: range) -> bool:
    return body[0].lineno <= lines.start <= _end(body)


def _end(body: list[ast.stmt]) -> int:
    return _last(body[-1])


def _last(statement: ast.stmt) -> int:
    return statement.end_lineno or statement.lineno


def copied(folder: str) -> Path:
    copy = Path(folder) / "tree"
    left_out = shutil.ignore_patterns(".git", ".venv*", "var", ".*_cache", "test-results")
    shutil.copytree(ROOT, copy, ignore=left_out)
    return copy


def cover(faults: list[Fault], arguments: list[str]) -> int:
    COVERED.parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="temporada-faults-") as folder:
        copy, seen = copied(folder), Path(folder) / "seen"
        seen.mkdir()
        for name in sorted({fault.file for fault in faults}):
            if not name.endswith(".py"):
                continue
            source = (copy / name).read_text()
            here = [fault for fault in faults if fault.file == name]
            places = {f.id: f.lines(source) for f in here if source.count(f.old) == 1}
            (copy / name).write_text(probed(source, places))
        (copy / "faults_probe.py").write_text(PROBE)
        command = [sys.executable, "-m", "pytest", "-n", "2", "-q", "--tb=line"]
        command += ["-p", "faults_probe", *arguments]
        templates = [(f.id, f.file) for f in faults if not f.file.endswith(".py")]
        settings = {"FAULTS_SEEN": str(seen), "FAULTS_TEMPLATES": json.dumps(templates)}
        environment = os.environ | settings | {"FULL": "1"}
        status = subprocess.run(command, cwd=copy, env=environment, check=False).returncode
        tests: dict[str, set[str]] = defaultdict(set)
        took: dict[str, float] = {}
        for file in seen.iterdir():
            kept = json.loads(file.read_text())
            took |= kept["took"]
            for fault, test in kept["seen"]:
                tests[fault] |= {test} - {""}
    ordered = {
        name: sorted(t, key=lambda test_name: took.get(test_name, 0.0)) for name, t in tests.items()
    }
    COVERED.write_text(json.dumps(ordered, indent=1))
    return status


def run(
    faults: list[Fault], covered: dict[str, list[str]], out: Path | None, arguments: list[str]
) -> int:
    rows = []
    with tempfile.TemporaryDirectory(prefix="temporada-faults-") as folder:
        copy = copied(folder)
        for fault in faults:
            row = _try(fault, covered.get(fault.id, []), copy, arguments)
            rows.append(row)
            print(" | ".join(map(str, row)), flush=True)
    missed = [row for row in rows if row[2] != "caught"]
    areas = defaultdict(list)
    for row in rows:
        areas[row[1]].append(row[2] == "caught")
    for area, caught in areas.items():
        print(f"{area}: {sum(caught)} of {len(caught)} caught")
    print(f"{len(rows) - len(missed)} of {len(rows)} caught")
    if out:
        head = "| fault | area | outcome | seconds | where | by |\n|---|---|---|---|---|---|\n"
        out.write_text(head + "".join(f"| {' | '.join(map(str, row))} |\n" for row in rows))
    return len(missed)


def _try(fault: Fault, tests: list[str], copy: Path, arguments: list[str]) -> tuple[object, ...]:
    file = copy / fault.file
    source = file.read_text()
    if source.count(fault.old) != 1:
        return fault.id, fault.area, "does not apply", 0, fault.file, ""
    lines = fault.lines(source)
    where = f"{fault.file}:{lines.start}"
    if not tests:
        return fault.id, fault.area, "missed: no test runs it", 0, where, ""
    began = time.monotonic()
    file.write_text(source.replace(fault.old, fault.new))
    try:
        outcome, by = _outcome(copy, tests, arguments)
    finally:
        file.write_text(source)
    if outcome.startswith("unclear"):  # no test was begun: is that the fault's doing?
        usual, _ = _outcome(copy, tests, [*arguments, "--collect-only"])
        outcome, by = ("caught", "import") if usual.startswith("missed") else (outcome, by)
    return fault.id, fault.area, outcome, round(time.monotonic() - began), where, by


def _outcome(copy: Path, tests: list[str], arguments: list[str]) -> tuple[str, str]:
    named = copy / ".faults-tests"
    named.write_text("\n".join(test for test in tests if (copy / test.split("::")[0]).exists()))
    command = [
        str(ROOT / ".venv/bin/python"),
        "-B",
        "-m",
        "pytest",
        "-x",
        "-q",
        "-p",
        "no:cacheprovider",
    ]
    command += ["--tb=no", *arguments, f"@{named}"]
    try:
        done = subprocess.run(
            command,
            cwd=copy,
            capture_output=True,
            text=True,
            timeout=STANDSTILL,
            check=False,
            preexec_fn=_limit,  # no other thread runs here
        )
    except subprocess.TimeoutExpired:
        return f"missed: {STANDSTILL} s of waiting, {len(tests)} tests", ""
    if done.returncode == -signal.SIGXCPU:
        return f"missed: {SECONDS} s, {len(tests)} tests", ""
    said = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    if done.returncode == 0:
        return f"missed: {len(tests)} tests", ""
    if done.returncode in (1, 2) and said:
        return "caught", said[0].split(" - ")[0].removeprefix("FAILED ").removeprefix("ERROR ")
    return f"unclear: exit {done.returncode}", done.stdout[-200:].replace("\n", " ")


def _limit() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 5))


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    drawing = commands.add_parser("draw")
    drawing.add_argument("file", type=Path)
    drawing.add_argument("--seed", type=int, default=SEED)
    drawing.add_argument("--each", type=int, default=EACH)
    covering = commands.add_parser("cover")
    covering.add_argument("files", type=Path, nargs="+")
    trying = commands.add_parser("run")
    trying.add_argument("file", type=Path)
    trying.add_argument("--out", type=Path)
    words = sys.argv[1:]
    at = words.index("--") if "--" in words else len(words)
    given, rest = parser.parse_args(words[:at]), words[at + 1 :]
    if given.command == "draw":
        draw(given.file, given.seed, given.each)
        return 0
    if given.command == "cover":
        return cover([fault for file in given.files for fault in read(file)], rest)
    covered = json.loads(COVERED.read_text())
    return min(run(read(given.file), covered, given.out, rest), 1)


if __name__ == "__main__":
    sys.exit(main())
