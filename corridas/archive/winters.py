"""The winter of a season, told from its row and read back: the year it was played from, its news.

What every man may come to is known to the office alone. The chain holds SHA-256 over these
promises; they themselves stand open beside it, or are left out, and with them goes the means of
playing the winter again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any

from corridas.archive.bundle import parted
from corridas.engine import RANGES
from corridas.models import Matador, MatadorCard, Season
from corridas.season.simulation.packed_year import told_of
from fairness import canonical

Entry = dict[str, Any]
DEBUT = ("slug", "name", "apodo", "country", "birthplace", "born", "style")


@dataclass(frozen=True)
class Told:
    """A winter as the rows have it; `promises` by slug, None where they are not known here."""

    season: Season
    year: Mapping[str, Any]
    promises: dict[str, int] | None
    sealed: str

    @classmethod
    def of(cls, season: Season) -> Told:
        """The winter after a season, which must be over."""
        year = told_of(bytes(season.winter.known))
        promises = None
        if "sealed" not in year:
            promises = {career["slug"]: career["promise"] for career in year["careers"]}
        for career in year["careers"]:
            career.pop("promise")
        if promises is not None:
            slugs = [one["slug"] for one in season.winter.news if one["kind"] == "debut"]
            rows = Matador.objects.filter(circuit=season.circuit_id, slug__in=slugs)
            promises |= dict(rows.values_list("slug", "promise"))
        sealed = year.pop("sealed", "") or digest_of(promises or {})
        return cls(season, year, promises, sealed)

    @cached_property
    def careers(self) -> dict[str, Entry]:
        """The men of the year by slug."""
        return {career["slug"]: career for career in self.year["careers"]}

    @cached_property
    def renown(self) -> dict[str, int]:
        """The places of the herds before the winter."""
        return {herd["slug"]: herd["renown"] for herd in self.year["herds"]}

    @cached_property
    def pressed(self) -> dict[str, MatadorCard]:
        """The cards that the winter printed, by slug."""
        rows = MatadorCard.objects.filter(
            matador__circuit=self.season.circuit_id, since=self.season.year + 1
        ).order_by("-printing")
        return {card.matador.slug: card for card in rows.select_related("matador")}

    def was_in_force(self, slug: str, card: MatadorCard) -> bool:
        """Whether the winter found the man with this card."""
        career, following = self.careers.get(slug), self.pressed.get(slug)
        if career is None or (following and card.printing >= following.printing):
            return False
        if card.since is not None and card.since > self.season.year:
            return False
        kept: Mapping[str, Any] = career["card"]
        ranges = {name: getattr(card, name) for name in RANGES}
        return bool(kept["rating"] == card.rating and kept["ranges"] == ranges)

    def entries(self) -> Iterator[Entry]:
        """The winter in lines; the last of them says which it was."""
        row, year = self.season.winter, self.year
        yield from parted("careers", year["careers"])
        yield from parted("debuts", self._debuts())
        yield from parted("cards", self._cards())
        yield from parted("news", (_unkeyed(one) for one in row.news))
        yield {
            "kind": "winter",
            "seed": bytes(row.seed).hex(),
            "commitment": bytes(row.commitment).hex(),
            "herds": year["herds"],
            "taken": list(year["taken"]),
            "plazas": list(year["plazas"]),
            "sealed": self.sealed,
        }

    def _debuts(self) -> Iterator[Entry]:
        slugs = [one["slug"] for one in self.season.winter.news if one["kind"] == "debut"]
        rows = Matador.objects.filter(circuit=self.season.circuit_id, slug__in=slugs)
        return iter(rows.order_by("pk").values(*DEBUT))

    def _cards(self) -> Iterator[Entry]:
        ordered = sorted(self.pressed.items(), key=lambda one: one[1].matador_id)
        return ({"slug": slug, **told_card(card)} for slug, card in ordered)


def told_card(card: MatadorCard) -> Entry:
    """A printing of a card."""
    return {
        "printing": card.printing,
        "rating": card.rating,
        "since": card.since,
        "ranges": {name: getattr(card, name) for name in RANGES},
    }


def digest_of(promises: Mapping[str, int]) -> str:
    """What binds the promises of the men: SHA-256 in hexadecimal digits."""
    return sha256(canonical(promises)).hexdigest()


def _unkeyed(one: Entry) -> Entry:
    """News without keys of this site: a sire is told by herd and number anyway."""
    return {name: value for name, value in one.items() if name != "bull"}
