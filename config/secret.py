"""The site's secret key: given, or made once and kept in the data folder."""

import os
import secrets
from pathlib import Path

from config.environment import SettingError, unwritable

KEY_FILE = "secret-key"


def secret_key(given: str, *, data: Path, for_us_alone: bool) -> str:
    """The key that signs sessions: the given one, else the one kept in the data folder.

    A site that others can reach must be given its key: one that appears by itself would
    differ between machines and vanish with the folder. Raises SettingError.
    """
    if given:
        return given
    if not for_us_alone:
        raise SettingError(
            "SECRET_KEY must be set when the site is for others "
            "(50 or more unguessable characters, kept out of the repository)."
        )
    return _kept_key(data)


def _kept_key(data: Path) -> str:
    path = data / KEY_FILE
    try:
        data.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            _make(path)
        return path.read_text("ascii").strip()
    except OSError as error:
        raise unwritable(data, error) from error


def _make(path: Path) -> None:
    try:
        # Created by exactly one of several starting processes, readable by its owner only.
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(secrets.token_urlsafe(50))
