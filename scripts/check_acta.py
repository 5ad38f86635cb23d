#!/usr/bin/env python3
"""Check the record (acta) of a lidia, a corrida, a hand or a game without the site it comes from.

    python3 check_acta.py FILE...        0: all of it stands; 1: what differs, a line each

Any Python from 3.9 on, nothing to install. Held against the seed: commitment and digest, sorteo and
cards of a lidia, the deal of a hand, shuffles, destinations and dice of a game. Results follow from
the rules, which this script does not know: `docs/records.md` says which leaves are left to them.
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterable, Iterator
from hashlib import sha256, shake_256
from pathlib import Path
from typing import Any


def canonical(value: Any) -> bytes:
    """JSON, keys sorted, no spaces, UTF-8: what a commitment is made over (Ruling F-2)."""
    options: Any = {"sort_keys": True, "separators": (",", ":"), "allow_nan": False}
    return json.dumps(value, ensure_ascii=False, **options).encode()


class Chance:
    """The bytes of SHAKE-256(seed, 0x00, label), each read once (Ruling F-1)."""

    def __init__(self, seed: bytes, label: str) -> None:
        self.bytes = iter(shake_256(seed + b"\0" + label.encode()).digest(1 << 16))

    def below(self, n: int) -> int:
        """A whole number below n, from 1 to 256: bytes that would favour some are cast away."""
        byte = next(self.bytes)
        return byte % n if byte < 256 - 256 % n else self.below(n)

    def shuffled(self, given: Iterable[Any]) -> list[Any]:
        """Fisher-Yates from the last place down."""
        items = list(given)
        for top in range(len(items) - 1, 0, -1):
            other = self.below(top + 1)
            items[top], items[other] = items[other], items[top]
        return items


def corrida(acta: Any, seed: bytes) -> Iterator[tuple[str, Any, Any]]:
    """The lot and the cards: as many as the record says were drawn, off decks shuffled anew."""
    deck = "\n".join(acta["deck"]).encode()
    yield "stake/deck", acta["stake"]["deck"], sha256(deck).hexdigest()
    sorteo, before = Chance(seed, "sorteo").shuffled(range(6)), 0
    yield "sorteo", acta["sorteo"], sorteo
    alone = acta["rules"]["shuffle"] == "each_bull"
    for at, lidia in enumerate(acta["lidias"]):
        turn, count = lidia["turn"], len(lidia["draws"])
        if alone or acta["kind"] == "lidia":
            before = 0 if alone else lidia["drawn_before"]
        label = f"lidia/{turn}" if alone else "deck"
        chance, cards = Chance(seed, label), list[int]()
        while len(cards) < before + count <= 7000:
            cards += chance.shuffled(range(70))
        found = {
            "turn": acta["of"]["turn"] if acta["kind"] == "lidia" else at + 1,
            "bull": sorteo[turn - 1],
            "name": acta["stake"]["bulls"][sorteo[turn - 1]],
            "label": label,
            "drawn_before": before,
            "shuffled_at": [draw for draw in range(count) if (before + draw) % 70 == 0],
            "draws": cards[before : before + count],
        }
        for name, value in found.items():
            yield f"lidias/{at}/{name}", lidia[name], value
        before += count


def hand(acta: Any, seed: bytes) -> Iterator[tuple[str, Any, Any]]:
    """The deal: whole hands seat by seat, the rest to the boneyard, then who leads."""
    rules, deal, seats = acta["rules"], acta["deal"], len(acta["seats"])
    size, label, leaders = (
        rules["hand_size"],
        f"hand/{acta['of']['round']}",
        acta["stake"]["leaders"],
    )
    highs = range(min(rules["highest"], 18) + 1)
    chance = Chance(seed, label)
    order = chance.shuffled((high, low) for high in highs for low in range(high + 1))
    hands = [sorted(order[at * size : (at + 1) * size]) for at in range(seats)]
    doubles = [max([-1, *(high for high, low in held if high == low)]) for held in hands]
    if rules["lead"] == "highest_double" and max(doubles) >= 0:
        leaders = [doubles.index(max(doubles))]
    first = leaders[chance.below(len(leaders))] if len(leaders) > 1 else leaders[0]
    yield "stake/hand", acta["stake"]["hand"], acta["of"]["round"]
    yield "label", acta["label"], label
    written = [[f"{high}|{low}" for high, low in held] for held in [*hands, order[seats * size :]]]
    yield "deal/hands", deal["hands"], written[:-1]
    yield "deal/boneyard", deal["boneyard"], written[-1]
    yield "deal/leader", deal["leader"], first


def game(acta: Any, seed: bytes) -> Iterator[tuple[str, Any, Any]]:
    """Every shuffle of the cards, the destinations of each day, and its dice in order."""
    texts = acta["texts"]
    played = sha256(canonical({**texts, "days": acta["rules"]["days"]})).hexdigest()
    yield "stake/digest", acta["stake"]["digest"], played
    yield "of/round", acta["of"]["round"], 1
    for at, told in enumerate(acta["shuffles"]):
        label, path = f"deck/{at}", f"shuffles/{at}"
        before = told["before"] if at else copies(texts["cards"], "card")
        yield f"{path}/label", told["label"], label
        yield f"{path}/before", told["before"], before
        yield f"{path}/after", told["after"], Chance(seed, label).shuffled(before)
    for at, day in enumerate(acta["days"]):
        label, path = f"day/{at + 1}", f"days/{at}"
        chance = Chance(seed, label)
        yield f"{path}/label", day["label"], label
        yield f"{path}/paid", day["paid"], [chance.below(6) + 1 for _ in day["paid"]]
        cards = chance.shuffled(copies(texts["destinations"], "destination"))
        yield f"{path}/destinations", day["destinations"], cards[:-6:-1]
        yield f"{path}/dice", day["dice"], [chance.below(6) + 1 for _ in day["dice"]]


def copies(text: str, key: str) -> list[str]:
    """Every single card of a list that says how many there are of each."""
    rows = csv.DictReader(text.splitlines())
    return [row[key] for row in rows for _ in range(min(int(row["count"]), 99))]


def differences(path: str, says: Any, found: Any) -> list[str]:
    """A line for each leaf that differs; lists of the same length are gone through."""
    if isinstance(says, list) and isinstance(found, list) and len(says) == len(found):
        ones = [differences(f"{path}/{at}", says[at], found[at]) for at in range(len(says))]
        return [line for lines in ones for line in lines]
    if canonical(says) == canonical(found):  # which tells true from 1
        return []
    return [f"{path}: says {ascii(says)[:200]}, is {ascii(found)[:200]}"]


def check(acta: Any) -> list[str]:
    """A line for each thing that differs. Raises whatever a record that is none makes it raise."""
    if (acta["format"], acta["version"]) != ("temporada/acta", 1):
        raise ValueError("only temporada/acta, version 1, is known here")
    rest = {name: part for name, part in acta.items() if name != "digest"}
    lines = differences("digest", acta["digest"], sha256(canonical(rest)).hexdigest())
    if acta["kind"] not in ("match", "sheet"):  # which have no seed of their own
        seed, stake = bytes.fromhex(acta["seed"]), acta["stake"]
        bound = sha256(seed + canonical(stake)).hexdigest()
        lines += differences("commitment", acta["commitment"], bound)
        lines += differences("stake/rules", stake["rules"], acta["rules"])
        for claim in KINDS[acta["game"], acta["kind"]](acta, seed):
            lines += differences(*claim)
    for at, part in enumerate(acta["rounds"] if acta["kind"] == "match" else []):
        lines += differences(f"rounds/{at}/rules", part["rules"], acta["rules"])
        lines += [f"rounds/{at}/{line}" for line in check(part)]
    return lines


KINDS = {
    ("indulto", "lidia"): corrida,
    ("indulto", "corrida"): corrida,
    ("dominoes", "hand"): hand,
    ("eltoro", "game"): game,
}


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON in which no name stands twice."""
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a name stands twice in one place")
    return dict(pairs)


def main(names: list[str]) -> int:
    """Check files; 1 where anything differs."""
    told = 0
    for name in names:
        try:
            with Path(name).open("rb") as file:
                text = file.read(2_000_001).decode("utf-8-sig")
            lines = check(json.loads(text, object_pairs_hook=once))
        except Exception as error:  # whatever stands in a file from anywhere
            lines = [f"cannot be checked: {type(error).__name__}: {ascii(str(error))[:300]}"]
        told += len(lines)
        for line in lines or ["seal and chance stand"]:
            print(f"{name}: {line}")
    return 1 if told else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
