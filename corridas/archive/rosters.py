"""Men, cards, plazas and herds of a season, as it found them and as its winter left them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any

from django.utils.translation import gettext as _

from corridas.archive.told import Row, Told
from corridas.engine import RANGES
from corridas.models import Bull, Circuit, Deck, Ganaderia, Matador, MatadorCard, Plaza

_FACTS = ("name", "apodo", "country", "birthplace", "born", "style")
_MORE = ("died", "deathplace", "alternativa", "alternativa_place", "fictional")
_PLAZA = ("name", "city", "country", "continent", "category", "seats")
_HERD = ("name", "country", "continent", "encaste")
_BULL = ("year", "number", "name", "coat", "weight")


class Misfit(ValueError):  # noqa: N818  said to people
    """Something of the season is there already, and another."""


class Rosters:
    """The rows of a circuit by what the file calls them: what is there stays, the rest is written.

    `plazas`, `herds`, `men`: keys by slug; `cards` by slug and printing; `sires` by herd, year and
    number; `decks` by digest.
    """

    def __init__(self, circuit: Circuit, told: Told) -> None:
        self._circuit, self._told = circuit, told
        self.plazas = self._keys(Plaza)
        self.herds = self._keys(Ganaderia)
        self.men = self._keys(Matador)
        self.cards: dict[tuple[str, int], int] = {}
        self.sires: dict[tuple[str, int, int], int] = {}
        self.decks: dict[str, int] = {}

    def _keys(self, model: Any) -> dict[str, int]:
        return dict(model.objects.filter(circuit=self._circuit).values_list("slug", "pk"))

    def write(self) -> None:
        """All that the season needs; raises `Misfit` where a card says something else here."""
        told = self._told
        for digest, lines in told.deck_lines.items():
            self.decks[digest] = self.deck(lines).pk
        self._add(Plaza, self.plazas, told.plazas, _PLAZA)
        self._add(Ganaderia, self.herds, told.herds, _HERD)
        for slug, row in told.herds.items():
            if row["renown"] is not None:
                Ganaderia.objects.filter(pk=self.herds[slug]).update(renown=row["renown"])
        self._write_sires()
        self._add(Matador, self.men, told.men, (*_FACTS, *_MORE))
        self._write_godfathers()
        printed = [(slug, card) for slug, row in told.men.items() for card in row["cards"]]
        self._print(printed)

    @staticmethod
    def deck(lines: Iterable[str]) -> Deck:
        """The deck of these cards."""
        cards = "\n".join(lines)
        digest = sha256(cards.encode()).hexdigest()
        found, _made = Deck.objects.get_or_create(
            digest=digest, defaults={"name": "Temporada", "cards": cards}
        )
        return found

    def _add(
        self, model: Any, keys: dict[str, int], rows: Mapping[str, Row], names: tuple[str, ...]
    ) -> None:
        """Write those that are not there yet, in the order of the file."""
        new = [slug for slug in rows if slug not in keys]
        made = model.objects.bulk_create(
            model(circuit=self._circuit, slug=slug, **{name: rows[slug][name] for name in names})
            for slug in new
        )
        keys.update(zip(new, (row.pk for row in made), strict=True))

    def _write_sires(self) -> None:
        rows = Bull.objects.filter(ganaderia__circuit=self._circuit, state=Bull.State.SEMENTAL)
        told = rows.values_list("ganaderia__slug", "year", "number", "pk")
        self.sires = {(herd, year, number): pk for herd, year, number, pk in told}
        new = [
            row
            for row in self._told.sires
            if (row["herd"], row["year"], row["number"]) not in self.sires
        ]
        made = Bull.objects.bulk_create(
            Bull(
                ganaderia_id=self.herds[row["herd"]],
                state=Bull.State.SEMENTAL,
                **{name: row[name] for name in _BULL},
            )
            for row in new
        )
        for row, bull in zip(new, made, strict=True):
            self.sires[row["herd"], row["year"], row["number"]] = bull.pk

    def _write_godfathers(self) -> None:
        for slug, row in self._told.men.items():
            if row["padrino"] or row["testigo"]:
                Matador.objects.filter(pk=self.men[slug]).update(
                    padrino=self.men.get(row["padrino"]), testigo=self.men.get(row["testigo"])
                )

    def _print(self, printed: Iterable[tuple[str, Row]]) -> None:
        """Write cards that are not there yet; one that is there must say the same."""
        here = {
            (card.matador_id, card.printing): card
            for card in MatadorCard.objects.filter(matador__circuit=self._circuit)
        }
        new = []
        for slug, row in printed:
            known = here.get((self.men[slug], row["printing"]))
            if known is None:
                new.append((slug, row))
            else:
                self.cards[slug, row["printing"]] = _same(known, slug, row).pk
        made = MatadorCard.objects.bulk_create(self._card(self.men[slug], row) for slug, row in new)
        for (slug, row), card in zip(new, made, strict=True):
            self.cards[slug, row["printing"]] = card.pk

    def _card(self, matador: int, row: Row) -> MatadorCard:
        own = {name: row[name] for name in ("printing", "rating", "since")}
        return MatadorCard(matador_id=matador, **own, **row["ranges"])

    def winter(self) -> None:
        """Everybody as the winter left him; who came out in it, and what it printed."""
        told, year = self._told, self._told.year
        self._add(Matador, self.men, self._come_out(), (*_FACTS, "fictional", "state"))
        self._print(told.pressed.items())
        for slug, fields in _after(told, year, self.men).items():
            Matador.objects.filter(pk=self.men[slug]).update(**fields)
        for one in told.news:
            if one["kind"] == "herd":
                Ganaderia.objects.filter(pk=self.herds[one["slug"]]).update(renown=one["after"])
        cities = {slug: row["city"] for slug, row in told.plazas.items()}
        for one in told.news:
            if one["kind"] == "alternativa":
                Matador.objects.filter(pk=self.men[one["slug"]]).update(
                    alternativa=one["date"],
                    alternativa_place=cities.get(one["plaza"], ""),
                    padrino=self.men[one["padrino"]["slug"]],
                    testigo=self.men[one["testigo"]["slug"]],
                )

    def _come_out(self) -> dict[str, Row]:
        beside = {"fictional": True, "state": Matador.State.NOVILLERO}
        return {slug: {**row, **beside} for slug, row in self._told.debuts.items()}


def _same(card: MatadorCard, slug: str, row: Row) -> MatadorCard:
    """A card that is here already; `Misfit` where the file's says something else."""
    ranges = {name: getattr(card, name) for name in RANGES}
    if card.rating != row["rating"] or ranges != row["ranges"]:
        words = {"printing": row["printing"], "slug": slug}
        raise Misfit(_("Card %(printing)s of %(slug)s differs from the one on this site.") % words)
    return card


def _after(told: Told, year: int, men: Mapping[str, int]) -> dict[str, Row]:
    """What a winter made of each man, by slug: the columns of his row."""
    of: dict[str, dict[str, Row]] = {}
    for one in told.news:
        of.setdefault(one["kind"], {})[one.get("slug", "")] = one
    promises = told.promises or {}
    found = {
        slug: {
            **_career(row, year, {kind: slug in of.get(kind, {}) for kind in _MOVES}),
            "promise": promises.get(slug),
        }
        for slug, row in told.careers.items()
    }
    for slug in told.men.keys() - found.keys():
        found[slug] = {"state": Matador.State.RETIRED}
    for slug in told.debuts:
        age = of["debut"][slug]["age"] if slug in of.get("debut", {}) else 0
        found[slug] = {"counted_from": year - age, "promise": promises.get(slug)}
    return found


_MOVES = ("retired", "returned", "alternativa")


def _career(row: Row, year: int, moved: Mapping[str, bool]) -> Row:
    """A career after the winter: who stopped, came back, became a matador."""
    begins = moved["returned"] or moved["alternativa"]
    state = "retired" if moved["retired"] else "active" if begins else row["state"]
    retired_in = None
    if state == "retired":
        retired_in = year if moved["retired"] else year - row["retired_for"]
    return {
        "state": state,
        "retired_in": retired_in,
        "counted_from": year - row["age"],
        "seasons": 0 if moved["alternativa"] else row["seasons"],
        "form": row["form"],
    }
