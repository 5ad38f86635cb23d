"""All bots by name, weakest first."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from eltoro.bots.bot import Bot
from eltoro.bots.lookout import Lookout
from eltoro.bots.novices import Greedy, Random

BOTS: Final[Mapping[str, Bot]] = MappingProxyType(
    {"random": Random(), "greedy": Greedy(), "lookout": Lookout()}
)
