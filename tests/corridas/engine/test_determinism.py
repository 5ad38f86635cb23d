"""The same seed says the same, byte by byte, on every interpreter and under every hash seed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.corridas.engine.fingerprint import fingerprint

ROOT = Path(__file__).parents[3]
HASH_SEEDS = ("0", "1", "4242")
VERSIONS = ("3.11", "3.13")


def run(interpreter: str, version: str, hash_seed: str, *arguments: str) -> str:
    """What an interpreter prints; PYENV_VERSION chooses among those behind a shim."""
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYENV_VERSION": version}
    finished = subprocess.run(
        [interpreter, *arguments],
        check=False,  # an interpreter that is none says so on the error stream
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
    )
    return finished.stdout.strip() or finished.stderr


def interpreter_of(version: str) -> str:
    """The path of an interpreter of that version; skips the test where there is none."""
    found = shutil.which(f"python{version}")
    asked = "import sys; print('.'.join(map(str, sys.version_info[:2])))"
    if found is None or run(found, version, "0", "-c", asked) != version:
        pytest.skip(f"no working python{version} on the path")
    return found


@pytest.fixture(scope="module")
def here() -> str:
    """What this interpreter makes of it."""
    return fingerprint()


@pytest.mark.slow
@pytest.mark.parametrize("hash_seed", HASH_SEEDS)
@pytest.mark.parametrize("version", VERSIONS)
def test_the_same_log_on_every_interpreter(version: str, hash_seed: str, here: str) -> None:
    interpreter = interpreter_of(version)
    assert run(interpreter, version, hash_seed, "-m", "tests.corridas.engine.fingerprint") == here


def test_another_hash_seed_does_change_what_must_not_be_used() -> None:
    # Otherwise the test above would prove nothing.
    orders = {run(sys.executable, "", seed, "-c", "print(hash('toro'))") for seed in HASH_SEEDS}
    assert len(orders) == len(HASH_SEEDS)
