#!/usr/bin/env python3
"""Check the seed and random numbers of records with Python 3.9 or later alone.

Usage: `check_acta.py FILE...`.
"""

import csv
import json
import sys
from hashlib import sha256, shake_256
from pathlib import Path
from typing import Any


def seal(value: object, seed: bytes = b"") -> str:
    """Return the SHA-256 of a seed and canonical JSON: sorted, no spaces, UTF-8 (Ruling F-2)."""
    options: Any = {"sort_keys": True, "separators": (",", ":"), "allow_nan": False}
    return sha256(seed + json.dumps(value, ensure_ascii=False, **options).encode()).hexdigest()


def chance(seed: bytes, label: str) -> Any:
    """Return a function for numbers below n (at most 256) from SHAKE-256(seed, 0x00, label).

    See Ruling F-1.
    """
    stream = iter(shake_256(seed + b"\0" + label.encode()).digest(1 << 16))
    # Bytes that would favour some numbers are skipped.
    return lambda n: next(byte % n for byte in stream if byte < 256 - 256 % n)


def shuffled(items: list[Any], below: Any) -> list[Any]:
    """Shuffle by Fisher-Yates, from the last place down."""
    for top in range(len(items) - 1, 0, -1):
        other = below(top + 1)
        items[top], items[other] = items[other], items[top]
    return items


def corrida(acta: Any, seed: bytes) -> dict[str, object]:
    """Derive the draw of bulls, and the cards drawn in each lidia from its shuffled deck."""
    lidias, sorteo, drawn = [], shuffled([*range(6)], chance(seed, "sorteo")), 0
    alone, single = acta["rules"]["shuffle"] == "each_bull", acta["kind"] == "lidia"
    for turn, says in enumerate(acta["lidias"], acta["of"]["turn"] if single else 1):
        before = 0 if alone else says["drawn_before"] if single else drawn
        drawn, label = before + len(says["draws"]), f"lidia/{turn}" if alone else "deck"
        cards, below, bull = list[int](), chance(seed, label), sorteo[turn - 1]
        while len(cards) < drawn <= 7000:
            cards += shuffled([*range(70)], below)
        shuffles = [draw - before for draw in range(before, drawn) if draw % 70 == 0]
        name = acta["stake"]["bulls"][bull]
        entry = {"turn": turn, "bull": bull, "name": name, "label": label, "drawn_before": before}
        lidias.append({**says, **entry, "shuffled_at": shuffles, "draws": cards[before:drawn]})
    stake = {**acta["stake"], "deck": sha256("\n".join(acta["deck"]).encode()).hexdigest()}
    return {"game": "indulto", "stake": stake, "sorteo": sorteo, "lidias": lidias}


def hand(acta: Any, seed: bytes) -> dict[str, object]:
    """Derive the deal: the hand of each seat, then the boneyard, then the player who leads."""
    rules, leads, label = acta["rules"], acta["stake"]["leaders"], f"hand/{acta['of']['round']}"
    highs, below = range(min(rules["highest"], 18) + 1), chance(seed, label)
    tiles = shuffled([(high, low) for high in highs for low in range(high + 1)], below)
    size, dealt = rules["hand_size"], rules["hand_size"] * len(acta["seats"])
    hands = [sorted(tiles[first : first + size]) for first in range(0, dealt, size)]
    doubles = [max([-1, *(high for high, low in held if high == low)]) for held in hands]
    if rules["lead"] == "highest_double" and max(doubles) >= 0:
        leads = [doubles.index(max(doubles))]
    piles = [[f"{high}|{low}" for high, low in held] for held in [*hands, tiles[dealt:]]]
    deal = {"hands": piles[:-1], "boneyard": piles[-1], "leader": leads[below(len(leads))]}
    stake = {**acta["stake"], "hand": acta["of"]["round"]}
    return {"game": "dominoes", "stake": stake, "label": label, "deal": deal}


def every(card: str, acta: Any) -> list[str]:
    """Return each single card from an El Toro list that gives the number of each card."""
    rows = csv.DictReader(acta["texts"][f"{card}s"].splitlines())
    return [row[card] for row in rows for _ in range(min(int(row["count"]), 99))]


def game(acta: Any, seed: bytes) -> dict[str, object]:
    """Derive every shuffle of the cards, the destinations of each day, and all dice in order."""
    shuffles, days, of = [], [], {**acta["of"], "round": 1}
    for at, says in enumerate(acta["shuffles"]):
        label, before = f"deck/{at}", says["before"] if at else every("card", acta)
        after = shuffled([*before], chance(seed, label))
        shuffles.append({**says, "label": label, "before": before, "after": after})
    for at, says in enumerate(acta["days"], 1):
        below = chance(seed, f"day/{at}")
        paid = [below(6) + 1 for _ in says["paid"]]
        laid = shuffled(every("destination", acta), below)[:-6:-1]
        dice = [below(6) + 1 for _ in says["dice"]]
        entry = {"label": f"day/{at}", "paid": paid, "destinations": laid, "dice": dice}
        days.append({**says, **entry})
    stake = {**acta["stake"], "digest": seal({**acta["texts"], "days": acta["rules"]["days"]})}
    return {"game": "eltoro", "of": of, "stake": stake, "shuffles": shuffles, "days": days}


def leaves(part: Any, path: str = "") -> dict[str, str]:
    """Return every value of a document by its path, written so that true and 1 differ."""
    if not part or not isinstance(part, (dict, list)):
        return {path: ascii(part)}
    named = part.items() if isinstance(part, dict) else enumerate(part)
    branches = (leaves(branch, f"{path}/{name}" if path else str(name)) for name, branch in named)
    return {way: leaf for ones in branches for way, leaf in ones.items()}


def check(acta: Any) -> list[str]:
    """Return a line for each difference. Raises any error for a document that is no record."""
    derived = {**acta, "format": "temporada/acta", "version": 1}
    derived["digest"] = seal({name: part for name, part in acta.items() if name != "digest"})
    rounds = acta["rounds"] if acta["kind"] == "match" else []
    if acta["kind"] not in ("match", "sheet"):  # which have no seed of their own
        kinds = {"lidia": corrida, "corrida": corrida, "hand": hand, "game": game}
        derived |= kinds[acta["kind"]](acta, seed := bytes.fromhex(acta["seed"]))
        derived["commitment"] = seal(acta["stake"], seed)
        derived["stake"]["rules"] = acta["rules"]
    elif rounds:
        derived["rounds"] = [{**part, "rules": acta["rules"]} for part in rounds]
    old, new = leaves(acta), leaves(derived)
    pairs = {way: (old.get(way, "-"), new.get(way, "-")) for way in {**old, **new}}
    lines = [f"{way}: says {a[:200]}, is {b[:200]}" for way, (a, b) in pairs.items() if a != b]
    return lines + [f"rounds/{at}/{line}" for at, part in enumerate(rounds) for line in check(part)]


def once(pairs: list[tuple[str, Any]]) -> dict[str, object]:
    """Return a JSON object, or raise an error if a name occurs twice."""
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a name occurs twice in an object")
    return dict(pairs)


def main(names: list[str]) -> int:
    """Print a line for each difference in these files. Return 1 if there is one."""
    problems = 0
    for name in names:
        try:
            with Path(name).open("rb") as file:
                text = file.read(2_000_001).decode("utf-8-sig")
            lines = check(json.loads(text, object_pairs_hook=once))
        except Exception as error:  # a file from an unknown source may contain anything
            lines = [f"cannot be checked: {type(error).__name__}: {ascii(str(error))[:300]}"]
        problems += len(lines)
        print(
            *(f"{name}: {line}" for line in lines or ["digest and random numbers are correct"]),
            sep="\n",
        )
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
