"""Runs the examples of the API documentation page against a live server."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import call_command
from django.utils import timezone

from accounts.models import User
from api.keys.operations import make_token
from corridas.models import Corrida
from leagues.models import Match

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "api.md").read_text()
EXAMPLES = dict(
    re.findall(r"^### (.+?)\n.*?^```python\n(.+?)^```$", PAGE, re.MULTILINE | re.DOTALL)
)
LONGEST = 10

pytestmark = pytest.mark.django_db(transaction=True)


class ExampleSite:
    """A site with some finished corridas, and the API key of a superuser."""

    def __init__(self, url: str, folder: Path) -> None:
        self.url, self.folder = url, folder
        call_command("found_leyendas", verbosity=0)
        admin = User.objects.create_superuser("admin", "admin@example.org", "x")
        _row, self.key = make_token(user=admin, name="x", scope="write", at=timezone.now())

    def run(self, name: str) -> str:
        """Run an example in a folder with the project's tools, and return its output."""
        environment = os.environ | {"SITE": self.url, "KEY": self.key}
        if not (self.folder / "tools").exists():
            (self.folder / "tools").symlink_to(ROOT / "tools")
        done = subprocess.run(
            [sys.executable, "-I", "-c", EXAMPLES[name]],
            cwd=self.folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout


@pytest.fixture
def table(live_server: object, tmp_path: Path) -> ExampleSite:
    return ExampleSite(str(live_server), tmp_path)


def test_documentation_contains_five_api_examples_of_at_most_ten_lines() -> None:
    assert len(EXAMPLES) == 5
    for name, text in EXAMPLES.items():
        lines = [line for line in text.splitlines() if line and not line.startswith("import")]
        assert len(lines) <= LONGEST, name


@pytest.mark.slow
def test_api_examples_do_what_they_say(table: ExampleSite) -> None:
    """All examples run on one site, because founding it takes longer than running them."""
    assert table.run("Who leads").splitlines()[0].split()[0] == "1"
    happened = table.run("What has happened since I last looked").splitlines()
    posted = Corrida.objects.filter(state=Corrida.State.POSTED).count()
    assert len([line for line in happened if "corrida.posted" in line]) == posted > 0
    assert table.run("What has happened since I last looked") == ""
    table.run("Keep a record, and check it without this site")
    table.run("Put the next corrida on air")
    assert Corrida.objects.filter(state=Corrida.State.QUEUED).count() == 1
    assert "handed_in" in table.run("Submit a result from a real table")
    assert Match.objects.get().state == Match.State.HANDED_IN
