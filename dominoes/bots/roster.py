"""All bots by name, weakest first."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from dominoes.bots.bot import Bot
from dominoes.bots.keeper import Keeper
from dominoes.bots.maestro import Maestro
from dominoes.bots.novices import Greedy, Random

BOTS: Final[Mapping[str, Bot]] = MappingProxyType(
    {"random": Random(), "greedy": Greedy(), "keeper": Keeper(), "maestro": Maestro()}
)
