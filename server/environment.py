"""Read settings from environment variables. Errors name the variable.

An unset variable gives the default.
"""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from ipaddress import ip_network
from itertools import pairwise
from pathlib import Path
from typing import Final
from urllib.parse import parse_qsl, unquote, urlsplit

from django.core.checks.security.base import (
    SECRET_KEY_INSECURE_PREFIX,
    SECRET_KEY_MIN_LENGTH,
    SECRET_KEY_MIN_UNIQUE_CHARACTERS,
)
from django.core.exceptions import ImproperlyConfigured

from accounts.loopback import is_loopback
from server.data_folder import FILE_MODE, PrivateConnection, open_data_folder

BASE_DIR = Path(__file__).resolve().parent.parent
LOOPBACK_HOSTS = ("localhost", "127.0.0.1", "[::1]")
DEFAULT_PORT = 8000
TRUE_WORDS = frozenset({"1", "true", "yes", "on"})
FALSE_WORDS = frozenset({"", "0", "false", "no", "off"})


class SettingError(ImproperlyConfigured):
    """An environment variable is invalid. The message names it and the valid values."""


def unwritable_data_error(data: Path, error: OSError) -> SettingError:
    return SettingError(
        f"The data folder {data} cannot be used ({error.strerror}): let this user write there, or "
        "choose another folder with DATA=."
    )


def missing_data_error(data: Path) -> SettingError:
    return SettingError(
        f"There is no data folder {data}. For a site that is installed, run this with the "
        "environment of the site: temporada-manage does (docs/deployment.md). For a site in "
        "another folder, name it with DATA=. For a new site, run manage.py prepare first."
    )


def create_data_folder(data: Path) -> None:
    """Create the data folder of a new site, or remove other users' access to an existing one.

    Raises SettingError.
    """
    try:
        open_data_folder(data)
    except OSError as error:
        raise unwritable_data_error(data, error) from error


class Environment:
    """Typed access to environment variables.

    Every method takes the name of the variable and a default. It raises SettingError with the name
    if the value is invalid.
    """

    def __init__(self, variables: Mapping[str, str]) -> None:
        self._variables = variables
        # Environment variables that are set under their former name: former name to present name.
        self.former_names: dict[str, str] = {}

    def text(self, name: str, default: str = "") -> str:
        """Return the value without surrounding blanks. Unset or blank gives the default."""
        return self._variables.get(name, "").strip() or default

    def flag(self, name: str, default: bool = False) -> bool:
        word = self._variables.get(name, "1" if default else "0").strip().lower()
        if word in TRUE_WORDS | FALSE_WORDS:
            return word in TRUE_WORDS
        raise SettingError(f"{name} is {word!r}: write 1 for yes or 0 for no.")

    def whole_number(
        self, name: str, default: int, low: int, high: int, *, former: str = ""
    ) -> int:
        """Return a whole number from `low` to `high`, both included.

        `former` is an earlier name of the variable. It is read if the variable itself is not set.
        """
        if former and not self.text(name) and self.text(former):
            self.former_names[former] = name
            name = former
        written = self.text(name, str(default))
        if written.isascii() and written.isdigit() and low <= int(written) <= high:
            return int(written)
        raise SettingError(f"{name} is {written!r}: it must be a whole number, {low} to {high}.")

    def one_of(self, name: str, words: Sequence[str]) -> str:
        written = self.text(name, words[0])
        if written in words:
            return written
        raise SettingError(f"{name} is {written!r}: it must be {' or '.join(words)}.")

    def secret(self, name: str, least: int) -> str:
        written = self.text(name)
        if not written or len(written) >= least:
            return written
        raise SettingError(f"{name} is too short: {least} unguessable characters or more.")

    def words(self, name: str, default: Sequence[str] = ()) -> list[str]:
        written = [word.strip() for word in self._variables.get(name, "").split(",")]
        return [word for word in written if word] or list(default)


@dataclass(frozen=True, kw_only=True)
class EarlySettings:
    """Settings that `manage.py up` needs before it starts the broker.

    Django's settings cannot be read earlier, because they need the address of the broker.
    """

    data_dir: Path
    debug: bool
    host: str
    port: int
    proxies: int
    allowed_hosts: list[str]
    fork: bool

    @classmethod
    def from_environment(cls, environment: Environment) -> EarlySettings:
        return cls(
            data_dir=BASE_DIR / environment.text("DATA", "var"),  # an absolute path stays unchanged
            debug=environment.flag("DEBUG"),
            host=environment.text("HOST", "127.0.0.1"),
            port=environment.whole_number("PORT", DEFAULT_PORT, low=1, high=65535),
            proxies=environment.whole_number("PROXIES", 0, low=0, high=9),
            allowed_hosts=environment.words("ALLOWED_HOSTS", LOOPBACK_HOSTS),
            # Only fork on Linux. System libraries of other platforms do not survive a fork.
            fork=environment.flag("FORK", default=sys.platform == "linux"),
        )

    @property
    def local_chair_refused(self) -> list[str]:
        """Reasons why one-click sign-in as director is not allowed.

        The list is empty if only this machine has access.
        """
        reasons = []
        if self.debug:
            reasons.append("DEBUG is on")
        strangers = [name for name in self.allowed_hosts if not is_loopback(name)]
        if strangers:
            reasons.append(f"ALLOWED_HOSTS names {', '.join(strangers)}")
        if not is_loopback(self.host):
            reasons.append(f"HOST is {self.host}")
        if self.proxies:
            reasons.append("PROXIES says that others come through a proxy")
        return reasons


def networks(words: Sequence[str], name: str) -> list[str]:
    for word in words:
        try:
            ip_network(word)
        except ValueError as error:
            raise SettingError(f"{name}: {word!r} is no network: {error}.") from error
    return list(words)


def ports(words: Sequence[str], name: str) -> list[int]:
    for word in words:
        if not (word.isascii() and word.isdigit() and 0 < int(word[:6]) < 65536):
            raise SettingError(f"{name}: {word!r} is no port.")
    return [int(word) for word in words]


def site_url(written: str, *, hosts: Sequence[str], port: int | None, https: bool) -> str:
    """Return the site's URL without a trailing slash, from SITE_URL or the host names.

    If SITE_URL is empty, the URL consists of the first complete name in `hosts` and `port`, which
    is given if the site is served without a proxy.
    """
    if written:
        parts = urlsplit(written)
        if parts.scheme not in {"http", "https"} or not parts.netloc or parts.query:
            raise SettingError("SITE_URL must be like https://temporada.example.org.")
        return written.rstrip("/")
    host = next((name for name in hosts if not name.startswith((".", "*"))), "localhost")
    return f"http{'s' if https else ''}://{host}{f':{port}' if port else ''}"


def database(url: str, data: Path) -> dict[str, object]:
    """Return Django's database settings from DATABASE_URL.

    If the URL is empty, the database is a SQLite file in the data folder. Otherwise it is
    `sqlite:///path` (three slashes for a path relative to the working directory, four for an
    absolute path) or `postgres://user:password@host:port/name?option=value`.
    """
    if not url:
        return sqlite(data / "temporada.sqlite3")
    parts = urlsplit(url)
    if parts.scheme == "sqlite" and len(parts.path) > 1:
        return sqlite(Path(unquote(parts.path[1:])))
    if parts.scheme in {"postgres", "postgresql"} and len(parts.path) > 1:
        return postgres(url)
    raise SettingError(
        "DATABASE_URL must be like sqlite:///folder/file.sqlite3 or "
        "postgres://user:password@host:5432/name."
    )


def sqlite(path: Path) -> dict[str, object]:
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": path,
        "CONN_MAX_AGE": None,  # opening the file takes longer than most pages
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "factory": PrivateConnection,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
        },
    }


def postgres(url: str) -> dict[str, object]:
    parts = urlsplit(url)
    try:
        port = parts.port
    except ValueError as error:
        raise SettingError(f"DATABASE_URL: {error}.") from error
    options = dict(parse_qsl(parts.query))
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path[1:]),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": options.pop("host", parts.hostname or ""),  # `?host=` may be a folder with a socket
        "PORT": str(port or ""),
        "CONN_MAX_AGE": 60,
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": options,
    }


def broker(redis_url: str) -> str:
    scheme = urlsplit(redis_url).scheme
    if scheme not in {"redis", "rediss", "unix"}:
        raise SettingError("REDIS_URL must begin with redis://, rediss:// or unix://.")
    return redis_url.replace("unix://", "redis+socket://", 1)


KEY_FILE = "secret-key"


# Example secrets from the documentation that are long enough to be used by mistake.
PRINTED_SECRETS: Final = frozenset(
    {"fifty-or-more-unguessable-characters-kept-out-of-the-repository"}
)
MIN_PASSWORD_LENGTH: Final = 16
# Minimum variety of a secret (see `weakness`). Of 220,000 random values, none had a variety below
# 0.56.
MIN_VARIETY: Final = 0.4
# Number of characters of a secret from which its variety is calculated. In longer secrets, the same
# steps between characters recur by chance.
VARIETY_LENGTH: Final = 100
RECIPE: Final = 'Make one with: python3 -c "import secrets; print(secrets.{})".'


def secret_key(given: str, *, data: Path, local_only: bool) -> str:
    """Return the given SECRET_KEY, or else the key stored in the data folder.

    A public site must be given its key. A generated key would differ between machines and be lost
    with the folder. The folder must exist. Otherwise a command that is run without the site's
    environment would create another data folder. Raises SettingError.
    """
    if given:
        return given
    if not local_only:
        raise SettingError(
            "SECRET_KEY must be set when the site is for others "
            "(50 or more unguessable characters, kept out of the repository)."
        )
    return _stored_key(data)


def weakness(secret: str, least: int) -> str:
    """Return why others could guess a secret, or an empty string.

    These are the rules of Django's check security.W009 and two more: printed examples are rejected,
    and so are values that repeat themselves or count up, because they have few different steps
    between characters.
    """
    if secret in PRINTED_SECRETS or secret.startswith(SECRET_KEY_INSECURE_PREFIX):
        return "is a printed example, known to everybody"
    if len(secret) < least:
        return f"is too short ({len(secret)} characters)"
    steps = [ord(after) - ord(before) for before, after in pairwise(secret)]
    variety = len(set(pairwise(steps))) / min(len(secret), VARIETY_LENGTH)
    if len(set(secret)) < SECRET_KEY_MIN_UNIQUE_CHARACTERS or variety < MIN_VARIETY:
        return "repeats itself"
    return ""


def check_secrets(*, secret_key: str, database_url: str, redis_url: str) -> None:
    """Check the secrets of a public site. Raises SettingError with the variable's name."""
    if weak := weakness(secret_key, SECRET_KEY_MIN_LENGTH):
        raise SettingError(
            f"SECRET_KEY {weak}: a site that others reach needs {SECRET_KEY_MIN_LENGTH} or more "
            f"unguessable characters. {RECIPE.format('token_urlsafe(50)')} A new key signs "
            "everybody out and ends links in mails and the secret addresses of calendars and feeds."
        )
    for name, url in (
        ("DATABASE_URL (POSTGRES_PASSWORD in .env)", database_url),
        ("REDIS_URL", redis_url),
    ):
        password = _password(url)
        if password and (weak := weakness(password, MIN_PASSWORD_LENGTH)):
            raise SettingError(
                f"The password in {name} {weak}: a site that others reach needs "
                f"{MIN_PASSWORD_LENGTH} or more unguessable letters and digits. "
                f"{RECIPE.format('token_hex(24)')} The server must be given the new one as well; "
                "docs/deployment.md says how."
            )


def _password(url: str) -> str:
    parts = urlsplit(url)
    return unquote(parts.password or "") or dict(parse_qsl(parts.query)).get("password", "")


def _stored_key(data: Path) -> str:
    path = data / KEY_FILE
    try:
        if not path.exists():
            _create_key(path)
        return path.read_text("ascii").strip()
    except FileNotFoundError as error:
        raise missing_data_error(data) from error
    except OSError as error:
        raise unwritable_data_error(data, error) from error


def _create_key(path: Path) -> None:
    try:
        # O_EXCL: if several processes start at once, only one of them creates the file.
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE_MODE)
    except FileExistsError:
        return
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(secrets.token_urlsafe(50))
