"""docs/deployment.md agrees with the shipped configuration files and with the settings."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.site import KEY, ROOT

PAGE = (ROOT / "docs/deployment.md").read_text("utf-8")
COMPOSE = (ROOT / "compose.yaml").read_text("utf-8")
UNITS = sorted((ROOT / "deploy/systemd").glob("*.*"))
READ = re.compile(r"environment\.(?:text|flag|whole_number|words|secret|one_of)\(\s*\"([A-Z_]+)\"")
ENVIRONMENT = {"PATH": os.environ["PATH"]}


def documented() -> set[str]:
    table = PAGE.partition("## Every setting")[2].partition("\n## ")[0]
    return set(re.findall(r"^\| `([A-Z_]+)` \|", table, re.MULTILINE))


def production(tmp_path: Path) -> dict[str, str]:
    """Return the documented environment of a production site, with a data folder of this test."""
    written = re.search(r"```sh production\n(.*?)```", PAGE, re.DOTALL)
    assert written
    # Each `...` in the documentation stands for a secret.
    told = dict(line.split("=", 1) for line in written[1].replace("...", KEY).splitlines())
    return ENVIRONMENT | told | {"DATA": str(tmp_path), "STATIC_ROOT": str(tmp_path / "static")}


def services() -> dict[str, dict[str, Any]]:
    told: dict[str, dict[str, Any]] = yaml.safe_load(COMPOSE)["services"]
    return told


def test_documented_settings_are_those_that_the_code_reads() -> None:
    read = [
        (ROOT / name).read_text("utf-8") for name in ("config/settings.py", "server/environment.py")
    ]
    assert documented() == set(READ.findall("".join(read)))


@pytest.mark.slow
def test_documented_environment_passes_the_deployment_checks(tmp_path: Path) -> None:
    checked = subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "INFO"],
        cwd=ROOT,
        env=production(tmp_path),
        capture_output=True,
        text=True,
        check=False,
    )
    # The documented database does not run here. There must be no other error.
    assert re.findall(r"\(\w+\.[A-Z]\d+\)", checked.stderr) == ["(site.W001)"], checked.stderr


@pytest.mark.slow
def test_environment_without_a_secret_key_is_rejected_by_name(tmp_path: Path) -> None:
    told = production(tmp_path) | {"SECRET_KEY": ""}
    refused = subprocess.run(
        [sys.executable, "manage.py", "check"],
        cwd=ROOT,
        env=told,
        capture_output=True,
        text=True,
        check=False,
    )
    assert refused.returncode != 0
    assert "SECRET_KEY must be set" in refused.stderr


def test_compose_and_systemd_run_every_part_of_the_site() -> None:
    parts = {"pages", "feed", "long", "tables", "clock", "prepare", "backup"}
    units = {path.name.removeprefix("temporada-").partition(".")[0] for path in UNITS}
    assert units == parts | {"live"}
    outside = {"proxy", "postgres", "valkey"}
    assert set(services()) == parts | {"corridas"} | outside


@pytest.mark.parametrize("name", sorted(services()))
def test_compose_services_are_pinned_limited_checked_and_unprivileged(name: str) -> None:
    service = services()[name]
    assert re.search(r":.*\d+\.\d+", service["image"]), "An exact version."
    assert "privileged" not in service
    assert service.get("network_mode") is None
    assert "no-new-privileges:true" in service["security_opt"]
    assert service["mem_limit"]
    assert service["pids_limit"]
    assert service["healthcheck"].get("test") or name in {"prepare", "backup"}
    assert "ports" not in service or name == "proxy"
    assert name == "postgres" or (service["read_only"] and service["cap_drop"] == ["ALL"])
    assert not any("docker.sock" in str(volume) for volume in service.get("volumes", []))


def test_repository_contains_no_secret() -> None:
    told = (ROOT / "deploy/example.env").read_text("utf-8")
    values = dict(re.findall(r"^([A-Z_]+)=(.*)$", told, re.MULTILINE))
    assert {name for name in values if re.search("KEY|PASSWORD|TOKEN", name) and values[name]} == (
        set()
    )
    assert set(re.findall(r"\$\{([A-Z_]+)", COMPOSE)) <= set(values) | {"TEMPORADA_TAG"}


def composer() -> list[str] | None:
    """Return the command of Docker Compose, or None. No Docker engine is needed to parse files."""
    for command in (["docker", "compose"], ["docker-compose"]):
        if shutil.which(command[0]):
            asked = subprocess.run([*command, "version"], capture_output=True, check=False)
            if asked.returncode == 0:
                return command
    return None


def test_docker_compose_reads_the_file_and_names_missing_variables() -> None:
    command = composer()
    if command is None:
        pytest.skip("docker compose is not installed")
    told = ENVIRONMENT | {"SITE_HOST": "a.example.org", "POSTGRES_PASSWORD": "p"}
    whole = configured(command, told | {"SECRET_KEY": KEY})
    assert whole.returncode == 0, whole.stderr
    assert "postgres://temporada:p@postgres:5432/temporada" in whole.stdout
    missing = configured(command, told)
    assert missing.returncode != 0
    assert "SECRET_KEY" in missing.stderr


def configured(command: list[str], told: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*command, "--file", "compose.yaml", "config"],
        cwd=ROOT,
        env=told,
        capture_output=True,
        text=True,
        check=False,
    )


def test_image_uses_locked_packages_and_an_unprivileged_user() -> None:
    told = (ROOT / "Dockerfile").read_text("utf-8")
    assert "--require-hashes" in told
    assert re.search(r"^USER temporada$", told, re.MULTILINE)
    assert "HEALTHCHECK" in told
    assert "collectstatic" in told
    assert "compile_catalogues" in told
    for base in re.findall(r"^FROM (\S+)", told, re.MULTILINE):
        assert re.search(r":\d+\.\d+\.\d+", base)
    let_in = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    assert let_in[0] == "*"
    packages = {path.parent.name for path in ROOT.glob("*/__init__.py")} - {"tests", "tools"}
    assert packages <= {line.removeprefix("!") for line in let_in}


def test_systemd_accepts_the_shipped_units(tmp_path: Path) -> None:
    if not shutil.which("systemd-analyze"):
        pytest.skip("systemd is not installed")
    for path in UNITS:  # replace programs that are missing
        told = re.sub(
            r"^ExecStart=/srv\S+",
            "ExecStart=/bin/true",
            path.read_text("utf-8"),
            flags=re.MULTILINE,
        )
        (tmp_path / path.name).write_text(told)
    verified = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *sorted(map(str, tmp_path.iterdir()))],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (verified.returncode, verified.stderr) == (0, "")


ENVIRONMENT_FILE = """\
# a comment
SECRET_KEY="a b$c`d&"
DATABASE_URL=postgres://u:p@h/d?sslmode=verify-full&connect_timeout=5
EMPTY=
QUOTED='"'
LAST=1"""


@pytest.fixture
def wrapper(tmp_path: Path) -> Path:
    """The shipped script with `env` instead of manage.py, and with all its files in the test's
    folder.
    """
    if os.geteuid() != 0:
        pytest.skip("The script gives up the rights of root.")
    shipped = (ROOT / "deploy/systemd/temporada-manage").read_text("utf-8")
    for there, here in (
        ("/etc/temporada/environment", str(tmp_path / "environment")),
        ("/srv/temporada", "/"),
        ("--reuid temporada --regid temporada", "--reuid nobody --regid nogroup"),
        (".venv/bin/python manage.py", "env"),
    ):
        assert there in shipped
        shipped = shipped.replace(there, here)
    (tmp_path / "environment").write_text(ENVIRONMENT_FILE)
    script = tmp_path / "temporada-manage"
    script.write_text(shipped)
    script.chmod(0o755)
    return script


def run_wrapper(script: Path, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [script, *words],
        env=ENVIRONMENT | variables,
        capture_output=True,
        text=True,
        check=False,
    )


def test_manage_script_passes_on_only_the_sites_environment(wrapper: Path) -> None:
    done = run_wrapper(wrapper, HOST="0.0.0.0", DEBUG="1")
    seen = dict(line.split("=", 1) for line in done.stdout.splitlines())
    wanted = {
        "SECRET_KEY": "a b$c`d&",
        "DATABASE_URL": "postgres://u:p@h/d?sslmode=verify-full&connect_timeout=5",
        "EMPTY": "",
        "QUOTED": '"',
        "LAST": "1",
    }
    assert {name: seen.get(name) for name in wanted} == wanted
    assert not {"HOST", "DEBUG"} & set(seen)
    elsewhere = run_wrapper(wrapper, DATABASE_URL="postgres://u:p@h/trial")
    assert "DATABASE_URL=postgres://u:p@h/trial\n" in elsewhere.stdout


def test_manage_script_runs_as_the_user_of_the_site(wrapper: Path) -> None:
    assert run_wrapper(wrapper, "id", "-un").stdout == "nobody\n"
    assert run_wrapper(wrapper, "sh", "-c", "umask").stdout == "0077\n"


def test_manage_script_names_the_user_who_may_run_it(wrapper: Path) -> None:
    (wrapper.parent / "environment").unlink()
    refused = run_wrapper(wrapper, "createsuperuser")
    assert refused.returncode == 1
    assert "Run this as root: sudo temporada-manage createsuperuser" in refused.stderr


@pytest.mark.parametrize(
    ("program", "variables", "word"),
    [
        (Path(sys.executable).with_name("caddy"), {}, "request_buffers"),
        (Path("/usr/bin/caddy"), {"CADDY_BUFFERS": "buffers_of_2_6"}, "buffer_requests"),
    ],
    ids=["newest", "debian"],
)
def test_caddy_accepts_the_shipped_caddyfile(
    program: Path, variables: dict[str, str], word: str
) -> None:
    if not program.exists():
        pytest.skip(f"There is no {program}.")
    adapted = subprocess.run(
        [program, "adapt", "--config", "deploy/Caddyfile", "--adapter", "caddyfile"],
        cwd=ROOT,
        env=ENVIRONMENT | variables | {"SITE_HOST": "temporada.example.org"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert adapted.returncode == 0, adapted.stderr
    assert f'"{word}":' in adapted.stdout
    if variables:
        assert " ".join(f"{name}={value}" for name, value in variables.items()) in PAGE


def test_files_named_in_the_deployment_documentation_exist() -> None:
    named = set(re.findall(r"\bdeploy/[\w./*-]*[\w*]", PAGE))
    assert named
    assert [name for name in named if not list(ROOT.glob(name))] == []


@pytest.mark.parametrize("path", [p for p in UNITS if p.suffix == ".service"], ids=lambda p: p.stem)
def test_systemd_units_have_no_unneeded_rights(path: Path) -> None:
    told = path.read_text("utf-8")
    for line in (
        *("User=temporada", "NoNewPrivileges=yes", "CapabilityBoundingSet=\n", "PrivateTmp=yes"),
        *("ProtectSystem=strict", "ProtectHome=yes", "RestrictNamespaces=yes", "UMask=0077"),
        *("SystemCallFilter=@system-service", "EnvironmentFile=/etc/temporada/environment"),
    ):
        assert line in told, line
