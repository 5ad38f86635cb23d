"""The same seed gives the same results, byte by byte, with every Python version and hash seed."""

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
    """Run a Python interpreter and return its output.

    `PYENV_VERSION` selects the version behind a shim.
    """
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYENV_VERSION": version}
    finished = subprocess.run(
        [interpreter, *arguments],
        check=False,  # a broken interpreter reports an error
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
    )
    return finished.stdout.strip() or finished.stderr


def interpreter_of(version: str) -> str:
    """Return the path of the Python interpreter with this version, or skip the test if none is
    installed.
    """
    found = shutil.which(f"python{version}")
    asked = "import sys; print('.'.join(map(str, sys.version_info[:2])))"
    if found is None or run(found, version, "0", "-c", asked) != version:
        pytest.skip(f"no working python{version} on the path")
    return found


@pytest.fixture(scope="module")
def here() -> str:
    """Return the digest of the corridas, computed by the running interpreter."""
    return fingerprint()


@pytest.mark.slow
@pytest.mark.parametrize(
    "hash_seed",
    ["4242", *(pytest.param(seed, marks=pytest.mark.nightly) for seed in HASH_SEEDS[:2])],
)
@pytest.mark.parametrize("version", VERSIONS)
def test_every_python_version_and_hash_seed_gives_the_same_corridas(
    version: str, hash_seed: str, here: str
) -> None:
    interpreter = interpreter_of(version)
    assert run(interpreter, version, hash_seed, "-m", "tests.corridas.engine.fingerprint") == here


def test_hash_seed_changes_the_hash_of_a_string() -> None:
    # The test above proves something only if the hash seeds have an effect.
    orders = {run(sys.executable, "", seed, "-c", "print(hash('toro'))") for seed in HASH_SEEDS}
    assert len(orders) == len(HASH_SEEDS)
