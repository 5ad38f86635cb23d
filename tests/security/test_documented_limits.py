"""The limits in SECURITY.md are those of the code."""

from __future__ import annotations

import re
from typing import Final

import pytest

from accounts.models import User
from api.keys.operations import KEY_PREFIX, make_token
from api.parsing import MAX_DEPTH
from config import settings
from core.isolation import sandbox
from tests.site import ROOT
from tools.scripts import hostile_files

PAGE: Final = (ROOT / "SECURITY.md").read_text("utf-8")
KIB: Final = 1024
MIB: Final = 1024 * 1024
PERIODS: Final = {"m": 60, "300s": 300, "d": 86_400}
MINUTE, FIVE_MINUTES, DAY = PERIODS.values()


def rates(name: str) -> list[tuple[int, int]]:
    """Return the attempts and seconds of each rate limit in allauth's setting."""
    limits = [limit.split("/") for limit in settings.ACCOUNT_RATE_LIMITS[name].split(",")]
    return [(int(attempts), PERIODS[period]) for attempts, period, _key in limits]


@pytest.mark.parametrize(
    ("sentence", "figures"),
    [
        (
            r"(\d+) a minute from one address; (\d+) in five minutes at one account",
            [most for most, seconds in rates("login_failed") if seconds in {MINUTE, FIVE_MINUTES}],
        ),
        (
            r"(\d+) a day at one account from all addresses",
            [most for most, seconds in rates("login_failed_day") if seconds == DAY],
        ),
        (
            r"(\d+) acts a minute by one .*?, (\d+) through .*?, (\d+) readings, (\d+) files",
            [
                settings.WRITES_A_MINUTE,
                settings.API_WRITES_A_MINUTE,
                settings.API_READS_A_MINUTE,
                settings.FILES_A_MINUTE,
            ],
        ),
        (
            r"\| (\d+), (\d+) and (\d+) \| `tools/bench/rates.py`",
            [settings.API_READS_A_MINUTE, settings.API_WRITES_A_MINUTE, settings.FILES_A_MINUTE],
        ),
        (
            r"at most (\d+) KiB \((\d+) MiB with a file\), (\d+) deep",
            [settings.API_BODY_BYTES // KIB, settings.API_FILE_BYTES // MIB, MAX_DEPTH],
        ),
        (r"forms at most (\d+) MiB", [settings.BODY_BYTES // MIB]),
        (
            r"(\d+) s of CPU, (\d+) s by the clock, (\d+) MiB, no secrets, no files; (\d+) at once",
            [
                sandbox.CPU_SECONDS,
                sandbox.TIMEOUT,
                sandbox.MEMORY_BYTES // MIB,
                sandbox.MAX_CONCURRENT,
            ],
        ),
        (
            r"each within (\d+) s of CPU and (\d+) MB",
            [sandbox.CPU_SECONDS, hostile_files.MEMORY_MB],
        ),
    ],
    ids=lambda value: value[:24] if isinstance(value, str) else "",
)
def test_documented_limits_are_those_of_the_code(sentence: str, figures: list[float]) -> None:
    written = re.search(sentence, PAGE)
    assert written
    assert [int(figure) for figure in written.groups()] == figures


@pytest.mark.django_db
def test_documented_number_of_bits_of_an_api_key_is_correct() -> None:
    user = User.objects.create_user("anna")
    _token, text = make_token(user=user, name="one", scope="read", at=user.date_joined)
    bits = re.search(r"keys of programs \| (\d+) bits", PAGE)
    assert bits
    # A base64 character has six bits, but the last one may have fewer.
    assert len(text.removeprefix(KEY_PREFIX)) == -(-int(bits[1]) // 6)
