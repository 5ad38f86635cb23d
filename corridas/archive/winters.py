"""The winter in a season file: the data from which it was played, and its news.

The promise of a matador (the potential rating that he may reach) is confidential. The chain of
hashes only contains the SHA-256 digest of all promises. The values are stored outside of the chain
or left out; without them the winter cannot be replayed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any

from api.types import JSONObject
from corridas.archive.bundle import parted
from corridas.models import Matador, MatadorCard, Season
from corridas.simulation.packed_year import unpack
from fairness import canonical

Entry = JSONObject
DEBUT = ("slug", "name", "apodo", "country", "birthplace", "born", "style")


@dataclass(frozen=True)
class WinterData:
    """The data of a winter from the database.

    `promises` are the potential ratings of matadors by slug, or None if this site does not know
    them.
    """

    season: Season
    year: Mapping[str, Any]
    promises: dict[str, int] | None
    sealed: str

    @classmethod
    def of(cls, season: Season) -> WinterData:
        year = unpack(bytes(season.winter.known))
        promises = None
        if "sealed" not in year:
            promises = {career["slug"]: career["promise"] for career in year["careers"]}
        for career in year["careers"]:
            career.pop("promise")
        if promises is not None:
            slugs = [news["slug"] for news in season.winter.news if news["kind"] == "debut"]
            rows = Matador.objects.filter(circuit=season.circuit_id, slug__in=slugs)
            promises |= dict(rows.values_list("slug", "promise"))
        sealed = year.pop("sealed", "") or digest_of(promises or {})
        return cls(season, year, promises, sealed)

    @cached_property
    def careers(self) -> dict[str, Entry]:
        return {career["slug"]: career for career in self.year["careers"]}

    @cached_property
    def renown(self) -> dict[str, int]:
        return {herd["slug"]: herd["renown"] for herd in self.year["herds"]}

    @cached_property
    def pressed(self) -> dict[str, MatadorCard]:
        rows = MatadorCard.objects.filter(
            matador__circuit=self.season.circuit_id, since=self.season.year + 1
        ).order_by("-printing")
        return {card.matador.slug: card for card in rows.select_related("matador")}

    def was_in_force(self, slug: str, card: MatadorCard) -> bool:
        career, following = self.careers.get(slug), self.pressed.get(slug)
        if career is None or (following and card.printing >= following.printing):
            return False
        if card.since is not None and card.since > self.season.year:
            return False
        face = career["card"]
        return bool(face["rating"] == card.rating and face["ranges"] == card.ranges())

    def entries(self) -> Iterator[Entry]:
        row, year = self.season.winter, self.year
        yield from parted("careers", year["careers"])
        slugs = [news["slug"] for news in row.news if news["kind"] == "debut"]
        debuts = Matador.objects.filter(circuit=self.season.circuit_id, slug__in=slugs)
        yield from parted("debuts", debuts.order_by("pk").values(*DEBUT))
        cards = sorted(self.pressed.items(), key=lambda printing: printing[1].matador_id)
        yield from parted("cards", ({"slug": slug, **card.to_json()} for slug, card in cards))
        # The primary key of a spared bull only has a meaning on this site. Its herd and number
        # identify it.
        news = ({name: item[name] for name in item if name != "bull"} for item in row.news)
        yield from parted("news", news)
        yield {
            "kind": "winter",
            "seed": bytes(row.seed).hex(),
            "commitment": bytes(row.commitment).hex(),
            "herds": year["herds"],
            "taken": list(year["taken"]),
            "plazas": list(year["plazas"]),
            **{name: year[name] for name in ("version", "calendar") if name in year},
            **({"new_cards_at": row.new_cards_at.isoformat()} if row.new_cards_at else {}),
            "sealed": self.sealed,
        }


def digest_of(promises: Mapping[str, int]) -> str:
    """Return the SHA-256 digest of the promises (potential ratings) of all matadors, in hex."""
    return sha256(canonical(promises)).hexdigest()
