"""Environment variables with valid values, and errors for invalid ones."""

import os
import re
import secrets
import string
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from accounts.loopback import is_loopback
from server.environment import (
    MIN_PASSWORD_LENGTH,
    Environment,
    SettingError,
    broker,
    check_secrets,
    database,
    secret_key,
    weakness,
)
from tests.site import KEY, ROOT


@pytest.mark.parametrize(
    ("word", "meaning"), [("1", True), ("Yes", True), ("0", False), ("", False), ("off", False)]
)
def test_flag_is_read_from_yes_or_no(word: str, meaning: bool) -> None:
    assert Environment({"DEBUG": word}).flag("DEBUG") is meaning


def test_invalid_flag_is_rejected_by_name() -> None:
    with pytest.raises(SettingError, match="DEBUG is 'maybe'"):
        Environment({"DEBUG": "maybe"}).flag("DEBUG")


@pytest.mark.parametrize("default", [True, False])
def test_unset_flag_has_its_default(default: bool) -> None:
    assert Environment({}).flag("DEBUG", default) is default


def test_blanks_around_a_value_are_removed() -> None:
    environment = Environment({"HOST": " ::1 ", "DATA": "  ", "ALLOWED_HOSTS": " a, ,b ,"})
    assert environment.text("HOST", "127.0.0.1") == "::1"
    assert environment.text("DATA", "var") == "var"
    assert environment.words("ALLOWED_HOSTS", ["localhost"]) == ["a", "b"]
    assert environment.words("TRUSTED", ["localhost"]) == ["localhost"]


@pytest.mark.parametrize(("written", "port"), [("1", 1), (" 2 ", 2), ("65535", 65535), ("", 8000)])
def test_port_may_be_any_number_up_to_both_limits(written: str, port: int) -> None:
    assert Environment({"PORT": written}).whole_number("PORT", 8000, low=1, high=65535) == port


def test_first_word_is_the_default_of_a_choice() -> None:
    words = ["json", "text"]
    chosen = [Environment({"LOG": word}).one_of("LOG", words) for word in ("", "json", "text")]
    assert chosen == ["json", "json", "text"]
    with pytest.raises(SettingError, match="LOG is 'xml': it must be json or text"):
        Environment({"LOG": "xml"}).one_of("LOG", words)


def test_secret_may_be_unset_or_as_long_as_the_minimum() -> None:
    for length in (0, 16, 17):
        assert Environment({"TOKEN": "x" * length}).secret("TOKEN", 16) == "x" * length
    with pytest.raises(SettingError, match="TOKEN is too short: 16"):
        Environment({"TOKEN": "x" * 15}).secret("TOKEN", 16)


@pytest.mark.parametrize("written", ["0", "65536", "70000", "eighty", "-1", "²"])
def test_port_out_of_range_is_rejected(written: str) -> None:
    with pytest.raises(SettingError, match="PORT"):
        Environment({"PORT": written}).whole_number("PORT", 8000, low=1, high=65535)


@pytest.mark.parametrize(
    "host", ["localhost", "127.0.0.1", "127.8.8.8", "::1", "[::1]", "::ffff:127.0.0.1"]
)
def test_host_names_of_this_machine_are_recognised(host: str) -> None:
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
def test_host_names_that_may_be_other_machines_are_recognised(host: str) -> None:
    assert not is_loopback(host)


def test_default_database_is_a_file_in_the_data_folder(tmp_path: Path) -> None:
    assert database("", tmp_path)["NAME"] == tmp_path / "temporada.sqlite3"


def test_postgres_url_is_parsed(tmp_path: Path) -> None:
    read = database("postgres://ana:p%40ss@db.example:5433/season?sslmode=require", tmp_path)
    wanted = {"USER": "ana", "PASSWORD": "p@ss", "HOST": "db.example", "PORT": "5433"}
    assert wanted.items() <= read.items()
    assert read["NAME"] == "season"
    assert read["OPTIONS"] == {"sslmode": "require"}


def test_postgres_url_may_name_a_socket_folder(tmp_path: Path) -> None:
    read = database("postgresql://postgres:@/postgres?host=/run/a b", tmp_path)
    assert (read["HOST"], read["OPTIONS"]) == ("/run/a b", {})


@pytest.mark.parametrize("url", ["mysql://x/y", "sqlite://", "postgres://host", "season.db"])
def test_url_of_another_database_is_rejected_with_an_example(url: str, tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="DATABASE_URL must be like"):
        database(url, tmp_path)


def test_broker_url_of_a_socket_is_converted_for_celery() -> None:
    assert broker("unix:///run/valkey.sock") == "redis+socket:///run/valkey.sock"
    with pytest.raises(SettingError, match="REDIS_URL"):
        broker("amqp://guest@localhost")


def test_secret_key_is_generated_once_and_private(tmp_path: Path) -> None:
    first = secret_key("", data=tmp_path, local_only=True)
    assert first == secret_key("", data=tmp_path, local_only=True)
    assert len(first) >= 50
    assert (tmp_path / "secret-key").stat().st_mode & 0o077 == 0


def test_public_site_needs_a_configured_secret_key(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="SECRET_KEY"):
        secret_key("", data=tmp_path, local_only=False)
    assert list(tmp_path.iterdir()) == []


WEAK = {
    "x": "is too short (1 characters)",
    KEY[:49]: "is too short (49 characters)",
    "x" * 50: "repeats itself",
    "abcde" * 10: "repeats itself",
    "k" * 40 + "0123456789abcdef": "repeats itself",
    string.ascii_letters: "repeats itself",
    string.digits * 5: "repeats itself",
    "change-me-please-" * 4: "repeats itself",
    f"django-insecure-{KEY}": "is a printed example",
    "fifty-or-more-unguessable-characters-kept-out-of-the-repository": "is a printed example",
}


@pytest.mark.parametrize("key", WEAK)
def test_guessable_secret_key_is_rejected_by_name(key: str) -> None:
    with pytest.raises(SettingError) as refused:
        check_secrets(secret_key=key, database_url="", redis_url="")
    assert str(refused.value).startswith(f"SECRET_KEY {WEAK[key]}")
    assert "A new key signs everybody out and ends links in mails" in str(refused.value)
    assert f" {key} " not in str(refused.value)


@pytest.mark.slow
@pytest.mark.parametrize(
    "make",
    [
        lambda: secrets.token_urlsafe(50),
        lambda: secrets.token_hex(25),
        lambda: secrets.token_hex(2000),
        lambda: "".join(secrets.choice(string.digits) for _ in range(50)),
        lambda: "".join(secrets.choice(string.printable) for _ in range(50)),
    ],
    ids=["base64", "hexadecimal", "long", "digits", "printable"],
)
def test_random_secret_key_is_never_rejected_as_weak(make: Callable[[], str]) -> None:
    assert [key for key in (make() for _ in range(200)) if weakness(key, 50)] == []


@pytest.mark.parametrize(
    ("name", "urls"),
    [
        ("DATABASE_URL (POSTGRES_PASSWORD in .env)", {"database_url": "postgres://a:{}@h/site"}),
        (
            "DATABASE_URL (POSTGRES_PASSWORD in .env)",
            {"database_url": "postgres://h/s?password={}"},
        ),
        ("REDIS_URL", {"redis_url": "redis://:{}@valkey:6379/0"}),
        ("REDIS_URL", {"redis_url": "unix:///run/valkey.sock?password={}"}),
    ],
)
def test_guessable_password_of_a_server_is_rejected_by_name(
    name: str, urls: dict[str, str]
) -> None:
    def check(password: str) -> None:
        given = {key: url.format(password) for key, url in urls.items()}
        check_secrets(**{"secret_key": KEY, "database_url": "", "redis_url": ""} | given)

    check(KEY[:MIN_PASSWORD_LENGTH])
    for password in ("password", "postgres", "p%40ss", "ab" * 20, KEY[: MIN_PASSWORD_LENGTH - 1]):
        with pytest.raises(SettingError) as refused:
            check(password)
        assert str(refused.value).startswith(f"The password in {name} ")


def test_server_urls_without_a_password_are_accepted() -> None:
    check_secrets(
        secret_key=KEY,
        database_url="postgres://temporada@/temporada?host=/run/postgresql",
        redis_url="redis://127.0.0.1:6379/0",
    )


PRINTED = [
    path
    for path in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("deploy/**/*"))
    if path.is_file()
] + [ROOT / "compose.yaml", ROOT / "Dockerfile"]


def test_every_example_secret_in_the_documentation_is_rejected() -> None:
    text = "\n".join(path.read_text("utf-8") for path in PRINTED)
    keys = re.findall(r"SECRET_KEY[=:][ ]*([^\s`$]+)", text)
    passwords = re.findall(r"POSTGRES_PASSWORD[=:][ ]*([^\s`$]+)", text)
    passwords += re.findall(r"(?:postgres|redis)s?://\w*:([^@\s$]+)@", text)
    assert passwords
    assert [key for key in keys if not weakness(key, 50)] == []
    assert [word for word in passwords if not weakness(word, MIN_PASSWORD_LENGTH)] == []


SAY = "import config.settings as s; print(s.LOCAL_CHAIR, s.HTTPS, s.EMAIL_BACKEND)"


def load_settings(tmp_path: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", SAY],
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
        {"ALLOWED_HOSTS": "temporada.example.org", "SECRET_KEY": KEY},
        {"ALLOWED_HOSTS": "localhost,*", "SECRET_KEY": KEY},
        {"HOST": "0.0.0.0", "SECRET_KEY": KEY},
        {"PROXIES": "1", "SECRET_KEY": KEY},
        {"DEBUG": "1"},
    ],
    ids="-".join,
)
def test_local_sign_in_and_public_site_exclude_each_other(
    tmp_path: Path, others: dict[str, str]
) -> None:
    loaded = load_settings(tmp_path, **others)
    assert loaded.returncode == 0, loaded.stderr
    assert loaded.stdout.startswith("False")
    refused = load_settings(tmp_path, TEMPORADA_LOCAL="1", **others)
    assert refused.returncode != 0
    assert "TEMPORADA_LOCAL opens the director's chair" in refused.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("variables", "public"),
    [
        ({}, False),
        ({"DEBUG": "1"}, False),
        ({"SITE_URL": "http://localhost:8000"}, False),
        ({"ALLOWED_HOSTS": "temporada.example.org"}, True),
        ({"HOST": "0.0.0.0"}, True),
        ({"PROXIES": "1"}, True),
        # Such a site is behind a proxy or a tunnel that uses a host name of this machine.
        ({"SITE_URL": "https://temporada.example.org"}, True),
    ],
    ids=str,
)
def test_only_a_public_site_rejects_a_weak_secret_key(
    tmp_path: Path, variables: dict[str, str], public: bool
) -> None:
    loaded = load_settings(tmp_path, SECRET_KEY="x", **variables)
    assert (loaded.returncode != 0) is public, loaded.stderr
    assert ("SECRET_KEY is too short" in loaded.stderr) is public
    assert load_settings(tmp_path, SECRET_KEY=KEY, **variables).returncode == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("variables", "backend"),
    [
        ({}, "console"),
        ({"ALLOWED_HOSTS": "a.example.org", "SECRET_KEY": KEY}, "dummy"),
        ({"EMAIL_HOST": "mail.example.org"}, "smtp"),
    ],
    ids=str,
)
def test_mails_are_printed_on_a_terminal_only(
    tmp_path: Path, variables: dict[str, str], backend: str
) -> None:
    loaded = load_settings(tmp_path, **variables)
    assert loaded.stdout.split()[2] == f"django.core.mail.backends.{backend}.EmailBackend"


@pytest.mark.slow
def test_local_site_may_offer_local_sign_in(tmp_path: Path) -> None:
    assert load_settings(tmp_path, TEMPORADA_LOCAL="1").stdout.split()[:2] == ["True", "False"]


def test_former_name_of_a_setting_is_read_and_remembered() -> None:
    environment = Environment({"OLD": "7"})

    assert environment.whole_number("NEW", 5, low=0, high=9, former="OLD") == 7
    assert environment.former_names == {"OLD": "NEW"}


def test_present_name_of_a_setting_takes_precedence_over_the_former_name() -> None:
    environment = Environment({"OLD": "7", "NEW": "6"})

    assert environment.whole_number("NEW", 5, low=0, high=9, former="OLD") == 6
    assert environment.former_names == {}
