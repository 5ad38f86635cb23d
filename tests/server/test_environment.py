"""Settings as people write them, and as they mistype them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from accounts.loopback import is_loopback
from server.environment import Environment, SettingError, broker, database, secret_key
from tests.site import ROOT


@pytest.mark.parametrize(
    ("word", "meaning"), [("1", True), ("Yes", True), ("0", False), ("", False), ("off", False)]
)
def test_a_flag_is_yes_or_no(word: str, meaning: bool) -> None:
    assert Environment({"DEBUG": word}).flag("DEBUG") is meaning


def test_a_flag_that_is_neither_is_refused_by_name() -> None:
    with pytest.raises(SettingError, match="DEBUG is 'maybe'"):
        Environment({"DEBUG": "maybe"}).flag("DEBUG")


@pytest.mark.parametrize("written", ["0", "70000", "eighty", "-1", "²"])
def test_a_port_out_of_range_is_refused(written: str) -> None:
    with pytest.raises(SettingError, match="PORT"):
        Environment({"PORT": written}).whole("PORT", 8000, low=1, high=65535)


@pytest.mark.parametrize(
    "host", ["localhost", "127.0.0.1", "127.8.8.8", "::1", "[::1]", "::ffff:127.0.0.1"]
)
def test_hosts_that_mean_this_machine(host: str) -> None:
    assert is_loopback(host)


@pytest.mark.parametrize(
    "host",
    [
        "",
        "*",
        ".localhost",
        "0.0.0.0",
        "::",
        "192.168.1.2",
        "localhost.example.org",
        "127.0.0.1.nip.io",
    ],
)
def test_hosts_that_may_mean_another(host: str) -> None:
    assert not is_loopback(host)


def test_the_database_is_a_file_in_the_data_folder_by_default(tmp_path: Path) -> None:
    assert database("", tmp_path)["NAME"] == tmp_path / "temporada.sqlite3"


def test_a_postgres_address_is_taken_apart(tmp_path: Path) -> None:
    read = database("postgres://ana:p%40ss@db.example:5433/season?sslmode=require", tmp_path)
    wanted = {"USER": "ana", "PASSWORD": "p@ss", "HOST": "db.example", "PORT": "5433"}
    assert wanted.items() <= read.items()
    assert read["NAME"] == "season"
    assert read["OPTIONS"] == {"sslmode": "require"}


def test_a_postgres_address_may_name_a_socket_folder(tmp_path: Path) -> None:
    read = database("postgresql://postgres:@/postgres?host=/run/a b", tmp_path)
    assert (read["HOST"], read["OPTIONS"]) == ("/run/a b", {})


@pytest.mark.parametrize("url", ["mysql://x/y", "sqlite://", "postgres://host", "season.db"])
def test_other_databases_are_refused_with_an_example(url: str, tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="DATABASE_URL must be like"):
        database(url, tmp_path)


def test_the_queue_speaks_of_sockets_in_its_own_way() -> None:
    assert broker("unix:///run/valkey.sock") == "redis+socket:///run/valkey.sock"
    with pytest.raises(SettingError, match="REDIS_URL"):
        broker("amqp://guest@localhost")


def test_a_key_is_made_once_and_readable_by_its_owner_only(tmp_path: Path) -> None:
    first = secret_key("", data=tmp_path, for_us_alone=True)
    assert first == secret_key("", data=tmp_path, for_us_alone=True)
    assert len(first) >= 50
    assert (tmp_path / "secret-key").stat().st_mode & 0o077 == 0


def test_a_site_for_others_must_be_given_its_key(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="SECRET_KEY"):
        secret_key("", data=tmp_path, for_us_alone=False)
    assert list(tmp_path.iterdir()) == []


def load_settings(tmp_path: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", "import config.settings as s; print(s.LOCAL_CHAIR, s.HTTPS)"],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "DATA": str(tmp_path)} | variables,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    "others",
    [
        {"ALLOWED_HOSTS": "temporada.example.org", "SECRET_KEY": "x" * 50},
        {"ALLOWED_HOSTS": "localhost,*", "SECRET_KEY": "x" * 50},
        {"HOST": "0.0.0.0", "SECRET_KEY": "x" * 50},
        {"PROXIES": "1", "SECRET_KEY": "x" * 50},
        {"DEBUG": "1"},
    ],
    ids="-".join,
)
def test_the_local_chair_and_a_site_for_others_exclude_each_other(
    tmp_path: Path, others: dict[str, str]
) -> None:
    loaded = load_settings(tmp_path, **others)
    assert loaded.returncode == 0, loaded.stderr
    assert loaded.stdout.startswith("False")
    refused = load_settings(tmp_path, TEMPORADA_LOCAL="1", **others)
    assert refused.returncode != 0
    assert "TEMPORADA_LOCAL opens the director's chair" in refused.stderr


def test_a_site_of_one_machine_may_open_the_chair(tmp_path: Path) -> None:
    assert load_settings(tmp_path, TEMPORADA_LOCAL="1").stdout.split() == ["True", "False"]
