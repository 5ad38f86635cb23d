"""A second implementation of the referee, which judges submitted corridas (Ruling I-18).

It decides which lidias of a submitted sheet are possible and what their results are. It gives no
reasons. Cards are read as in `walk`. Figures are tried out: every split of the marks, and every way
in which kill cards can have warned. Data that no form can send is rejected by `Absurd`.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any

from tests.corridas.oracle.paper import (
    CardText,
    Contradiction,
    MatadorText,
    column,
    modifier,
    numbers_in,
    says_clavar,
    sign,
    two_cards,
)
from tests.corridas.oracle.sheet import verdict, work_out_lidia
from tests.corridas.oracle.walk import Case

Found = dict[str, Any]
HANDED = ("began", "injured", "finished")
# Number of whole decks that hold the 4,096 cards of the longest lidia accepted.
DECKS = 59


class Absurd(Exception):
    """A figure of the sheet is impossible in its place."""


def need(condition: object) -> None:
    """Raise `Absurd` unless the condition holds."""
    if not condition:
        raise Absurd


def whole(value: Any, low: int, high: int) -> int:
    """Return the value if it is an integer from `low` to `high`; otherwise raise `Absurd`."""
    need(isinstance(value, int) and not isinstance(value, bool) and low <= value <= high)
    return int(value)


def item(values: Any, place: int) -> Any:
    """Return the item at a position of a list, or None if there is none."""
    return values[place] if isinstance(values, list) and place < len(values) else None


def agrees(said: Any, due: Any) -> bool:
    """Return whether a written figure equals the expected one, or is missing."""
    if isinstance(due, list):
        right = isinstance(said, list) and len(said) == len(due)
        return said is None or (right and all(map(agrees, said, due)) and None not in said)
    return said is None or (type(said) is type(due) and bool(said == due))


def empty(value: Any) -> bool:
    """Return whether a value is missing or an empty list."""
    return value is None or (isinstance(value, list) and not value)


class PaperTable:
    """A corrida at a real table: the deck, the rules, the three matador cards, the plaza's
    rating.
    """

    def __init__(
        self,
        pack: list[CardText],
        rules: dict[str, str],
        order: list[MatadorText],
        rating: int,
    ) -> None:
        self.pack, self.rules, self.order, self.rating = pack, rules, order, rating
        self.out: list[int] = []
        self.drawn: list[list[int] | None] = []

    def read(self, lidias: Any) -> list[Found | None]:
        """Return the result of each lidia; None from the first impossible lidia on."""
        found: list[Found | None] = []
        for turn in range(6):
            able = [man for man in range(3) if man not in self.out]
            if not able:
                break
            try:
                lidia = self.lidia(turn, able, lidias[turn] if turn < len(lidias) else {})
            except (Absurd, Contradiction):
                found.append(None)
                break
            self.out += lidia["injured"]
            found.append(lidia)
        if None not in found and (any(lidias[len(found) :]) or len(lidias) > 6):
            found.append(None)
        return found

    def lidia(self, turn: int, able: list[int], raw: Any) -> Found:
        """Return the result of one lidia from its cards, its sheet or its score.

        Raise `Absurd` if impossible.
        """
        need(isinstance(raw, Mapping))
        starter = turn % 3 if turn % 3 in able else able[0]
        if raw.get("cards") is not None:
            return self.by_cards(turn, able, starter, raw)
        self.drawn.append(None)
        if raw.get("sheet") is not None:
            return self.by_figures(able, starter, raw["sheet"])
        need(raw.get("score") is not None)
        return self.by_score(able, starter, raw["score"])

    # by cards

    def by_cards(self, turn: int, able: list[int], starter: int, raw: Any) -> Found:
        cards = raw["cards"]
        need(isinstance(cards, list))
        for card in cards:
            whole(card, 0, 69)
        before: list[int] = []
        if self.rules["shuffle"] == "when_exhausted":
            need(None not in self.drawn)
            before = [card for one in self.drawn for card in one or []]
        case = Case(turn, self.rules, self.pack, self.order, able, starter, before)
        worked = work_out_lidia(case, list(cards), self.rating)
        self.drawn.append(list(cards))
        if raw.get("sheet") is not None:
            self.hold_beside(worked, raw["sheet"])
        return self.result(worked)

    def result(self, worked: Mapping[str, Any]) -> Found:
        """Return the figures that are stored in the record of a lidia."""
        names = ("ending", "starter", "finisher", "injured", "matador_points", "bull_points")
        more = ("kill_points", "avisos", "score", "number", "trophy", "vuelta", "crowd")
        return {name: worked.get(name) for name in (*names, *more)}

    def hold_beside(self, worked: Mapping[str, Any], raw: Any) -> None:
        """Raise `Absurd` if a figure of the sheet differs from the figure computed from the
        cards.
        """
        if not isinstance(raw, Mapping):
            return
        for said, due in (("began", "starter"), ("finished", "finisher"), ("injured", "injured")):
            need(agrees(raw.get(said), worked[due]))
        for said, due in (("kill", "strokes"), ("avisos", "avisos")):
            need(agrees(raw.get(said), worked[due]))
        need(agrees(raw.get("avisos_points"), -9 * min(worked["avisos"], 2)))
        for said, due in (("indulto", "indulto"), ("number", "drawn")):
            hundred = worked[due] == 100 and type(raw.get(said)) is int and raw[said] == 0
            need(hundred or agrees(raw.get(said), worked[due]))
        for tercio in range(3):
            need(agrees(item(raw.get("marks"), tercio), worked["marks"][tercio]))
            pair = item(raw.get("tercios"), tercio)
            need(self.entered(item(pair, 0), worked["matador_entries"][tercio]))
            need(self.entered(item(pair, 1), worked["bull_entries"][tercio]))
        self.beside(raw, self.result(worked), worked["final"])

    def entered(self, said: Any, entries: list[int]) -> bool:
        """Return whether one side of a tercio on the sheet agrees with the entries found in the
        cards.
        """
        if isinstance(said, Mapping):
            summed = agrees(said.get("sum"), sum(entries))
            return summed and self.entered(said.get("entries"), entries)
        return agrees(said, entries if isinstance(said, list) else sum(entries))

    # by figures

    def by_figures(self, able: list[int], starter: int, raw: Any) -> Found:
        need(isinstance(raw, Mapping))
        injured, finisher = self.people(able, starter, raw)
        broken = finisher is None
        matador, bull = self.totals(raw, broken)
        if broken:
            need(all(empty(raw.get(name)) for name in ("kill", "indulto", "number")))
            need(empty(raw.get("avisos")) or whole(raw["avisos"], 0, 0) == 0)
            found = self.made(starter, None, injured, matador, bull)
            found["ending"] = "broken_off"
            self.beside(raw, found, None)
            return found
        spared = self.spared(bull, finisher, raw)
        kill, avisos = (0, 0) if spared else self.kill(finisher, raw)
        if spared:
            need(empty(raw.get("kill")))
            need(empty(raw.get("avisos")) or whole(raw["avisos"], 0, 0) == 0)
        found = self.made(starter, finisher, injured, matador, bull)
        found |= {"kill_points": kill, "avisos": avisos, "ending": "spared" if spared else "killed"}
        if avisos == 3:
            need(empty(raw.get("number")))
            found |= {"ending": "three_avisos", "trophy": 0, "vuelta": False, "crowd": 1}
            self.beside(raw, found, None)
            return found
        drawn = whole(raw.get("number"), 0, 100) or 100
        return self.settled(raw, found, drawn)

    def people(
        self, able: list[int], starter: int, raw: Mapping[str, Any]
    ) -> tuple[list[int], int | None]:
        """Return the injured matadors in order, and the matador who finished (Ruling I-16)."""
        need(raw.get("began") is None or whole(raw["began"], 0, 2) == starter)
        hurt = raw.get("injured")
        need(hurt is None or isinstance(hurt, list))
        sand = [starter, *(man for man in able if man != starter)]
        for man in hurt or []:
            need(sand and whole(man, 0, 2) == sand.pop(0) and self.gores())
        left = [man for man in able if man not in (hurt or [])]
        finisher = starter if starter in left else (left[0] if left else None)
        if raw.get("finished") is not None:
            need(whole(raw["finished"], 0, 2) == finisher)
        return list(hurt or []), finisher

    def gores(self) -> bool:
        """Return whether any card of this deck can injure a matador (Rulings I-6, I-7)."""
        calls = [
            card for card in self.pack if "BULL" in (card["first"], card["second"], card["third"])
        ]
        if self.rules["bull_reading"] == "same_card":
            return any(card["bull"] == "HERIDA" for card in calls)
        return bool(calls) and any(card["bull"] == "HERIDA" for card in self.pack)

    def totals(self, raw: Mapping[str, Any], broken: bool) -> tuple[int, int]:
        """Return both totals, after checking that each tercio is possible."""
        marks = raw.get("marks")
        second = None
        if marks is not None and not broken:
            need(isinstance(marks, list))
            need(
                all(len(marks) <= t or marks[t] is None or whole(marks[t], 10, 10) for t in (0, 2))
            )
            second = whole(marks[1] if len(marks) > 1 else None, 2, 9999)
        total = [0, 0]
        written: Any = raw.get("tercios")
        need(isinstance(written, list) and len(written) >= 3)
        for tercio in (1, 2, 3):
            pair = written[tercio - 1]
            need(isinstance(pair, list) and len(pair) >= 2)
            sides = [self.side(one) for one in pair[:2]]
            self.possible(tercio, sides, second)
            total = [have + side[0] for have, side in zip(total, sides, strict=True)]
        return total[0], total[1]

    def side(self, value: Any) -> tuple[int, list[int] | None]:
        """Return the sum of one side of a tercio, and its entries if they are on the sheet."""
        need(value is not None)
        if isinstance(value, int) and not isinstance(value, bool):
            return whole(value, -9999, 9999), None
        noted: Any = value.get("entries") if isinstance(value, Mapping) else value
        need(isinstance(noted, list))
        entries = [whole(one, -9, 9) for one in noted[:2000]]
        said = value.get("sum") if isinstance(value, Mapping) else None
        need(said is None or whole(said, -(10**6), 10**6) == sum(entries))
        return sum(entries), entries

    def possible(self, tercio: int, sides: list[Any], second: int | None) -> None:
        """Raise `Absurd` unless the marks of one tercio can give these points (Rulings I-4 to
        I-8).
        """
        copies = 1 if tercio == 1 and self.rules["shuffle"] == "each_bull" else 2
        copies = DECKS if tercio == 2 else copies  # only a second CLAVAR ends it
        marks = 10 if tercio != 2 else (70 * copies if second is None else second)
        digits = sorted([card["number"] for card in self.pack] * copies)[::-1]
        most = [self.matador_marks(tercio, copies), self.bull_marks(tercio, copies)]
        both = [one for side in sides for one in side[1] or []]
        need(all([abs(b) for b in both].count(digit) <= 7 * copies for digit in range(10)))
        need(len(both) <= marks)
        for (_total, entries), limit in zip(sides, most, strict=True):
            if entries is not None:
                ups, downs = [e for e in entries if e > 0], [e for e in entries if e < 0]
                need(len(ups) <= limit["+"] and len(downs) <= limit["-"])
                need(len(entries) <= limit["+"] + limit["-"])
        totals = [side[0] for side in sides]
        limits = [
            limit["+" if total > 0 else "-"] if total else 0
            for total, limit in zip(totals, most, strict=True)
        ]
        fewest = [
            self.fewest(abs(total), limit, digits)
            for total, limit in zip(totals, limits, strict=True)
        ]
        need(sum(fewest) <= marks)
        need(sum(map(abs, totals)) <= sum(digits[: min(sum(limits), marks)]))

    @staticmethod
    def fewest(total: int, limit: int, digits: list[int]) -> int:
        """Return the smallest number of scoring cards, of the highest digits, that reach a
        total.
        """
        sums = [0, *itertools.accumulate(digits[:limit])]
        need(total <= sums[-1])
        return next(cards for cards, reached in enumerate(sums) if reached >= total)

    def matador_marks(self, tercio: int, copies: int) -> dict[str, int]:
        """Return how many cards of a tercio can score for the matador, by sign."""
        found = {"+": 0, "-": 0}
        pairs = {"+": 0, "-": 0}
        for card in self.pack:
            reading = column(card, tercio)
            if sign(reading):
                (pairs if says_clavar(reading) else found)[sign(reading)] += copies
        return {one: found[one] + min(2, pairs[one]) for one in found}

    def bull_marks(self, tercio: int, copies: int) -> dict[str, int]:
        """Return how many cards of a tercio can score for the bull, by sign."""
        calls = [card for card in self.pack if column(card, tercio) == "BULL"]
        if self.rules["bull_reading"] == "same_card":
            return {s: copies * sum(sign(c["bull"]) == s for c in calls) for s in "+-"}
        return {
            s: copies * min(len(calls), sum(sign(c["bull"]) == s for c in self.pack)) for s in "+-"
        }

    def spared(self, bull: int, finisher: int | None, raw: Mapping[str, Any]) -> bool:
        """Return whether the bull was spared (Ruling I-9)."""
        if bull <= 0:
            need(raw.get("indulto") is None)
            return False
        drawn = whole(raw.get("indulto"), 0, 100) or 100
        return drawn in numbers_in(self.order[finisher or 0]["indulto"])

    def kill(self, finisher: int | None, raw: Mapping[str, Any]) -> tuple[int, int]:
        """Return the sum of the kill modifiers and the number of warnings (I-10).

        Raise `Absurd` if impossible.
        """
        avisos = whole(raw.get("avisos"), 0, 3)
        written = raw.get("kill")
        need(
            isinstance(written, list)
            and (len(written) == 5 or (avisos == 3 and 3 <= len(written) <= 5))
        )
        figures = [whole(one, -999, 0) for one in written or []]
        printed = [modifier(card["kill"]) for card in self.pack]
        for figure in figures:
            need(printed.count(figure) * 2 >= figures.count(figure) > 0 < printed.count(figure))
        warned_at = numbers_in(self.order[finisher or 0]["aviso"])
        ways = [self.answers(figure, warned_at) for figure in figures]
        fits = [
            way for way in itertools.product(*ways)
            if sum(way) == avisos and (avisos < 3 or way[-1])
        ]  # fmt: skip
        need(fits)
        points = raw.get("avisos_points")
        need(points is None or whole(points, -99, 99) == -9 * min(avisos, 2))
        return sum(figures), avisos

    def answers(self, figure: int, warned_at: list[int]) -> set[bool]:
        """Return whether a kill card with this modifier can warn, can stay without a warning,
        or both.
        """
        return {
            two_cards(card["number"], units) in warned_at
            for card in self.pack if modifier(card["kill"]) == figure
            for units in range(10)
        }  # fmt: skip

    def made(
        self, starter: int, finisher: int | None, injured: list[int], matador: int, bull: int
    ) -> Found:
        """Return the figures of a lidia that are known before its verdict."""
        return {
            "ending": "", "starter": starter, "finisher": finisher, "injured": injured,
            "matador_points": matador, "bull_points": bull, "kill_points": 0, "avisos": 0,
            "score": None, "number": None, "trophy": None, "vuelta": None, "crowd": None,
        }  # fmt: skip

    def settled(self, raw: Mapping[str, Any], found: Found, drawn: int) -> Found:
        """Add the score, the number and the verdict to the figures of a lidia (Rulings I-11 to
        I-13).
        """
        bull = {"separate": 0, "against": -1, "for": 1}[self.rules["bull_points"]]
        final = found["matador_points"] + found["kill_points"] - 9 * found["avisos"]
        final += bull * found["bull_points"]
        score = int(final / self.rating)
        number = min(100, max(1, drawn + score))
        found |= {
            "score": score,
            "number": number,
            **verdict(self.order[found["finisher"]], number),
        }
        self.beside(raw, found, final)
        return found

    def beside(self, raw: Mapping[str, Any], found: Found, final: int | None) -> None:
        """Raise `Absurd` unless the further figures on the sheet follow from the others."""
        due: Found = {
            "totals": [found["matador_points"], found["bull_points"]],
            "final": final, "score": found["score"], "modified": found["number"],
            "trophy": found["trophy"], "vuelta": found["vuelta"], "crowd": found["crowd"],
            "ending": found["ending"],
        }  # fmt: skip
        for name, value in due.items():
            need(agrees(raw.get(name), value))

    # by score

    def by_score(self, able: list[int], starter: int, raw: Any) -> Found:
        """Return the result of a lidia of which only the result was written down (Ruling I-18)."""
        need(isinstance(raw, Mapping))
        injured, finisher = self.people(able, starter, raw)
        ending, avisos = raw.get("ending"), raw.get("avisos")
        need(ending in ("killed", "spared", "three_avisos", "broken_off"))
        need((ending == "broken_off") == (finisher is None))
        need(ending != "spared" or numbers_in(self.order[finisher or 0]["indulto"]))
        due = {"three_avisos": 3, "spared": 0, "broken_off": 0}.get(str(ending))
        if due is None:
            whole(avisos, 0, 2)
        else:
            need(avisos is None or whole(avisos, 0, 3) == due)
        totals = raw.get("totals")
        pair = totals if isinstance(totals, list) else []
        points = [
            whole(pair[i], -99_999, 99_999) if len(pair) > i and pair[i] is not None else 0
            for i in (0, 1)
        ]
        kill = 0 if raw.get("kill") is None else whole(raw["kill"], -999, 0)
        found = self.made(starter, finisher, injured, *points)
        found |= {"kill_points": kill, "avisos": avisos or due or 0, "ending": ending}
        if ending == "three_avisos":
            found |= {"trophy": 0, "vuelta": False, "crowd": 1}
        if ending in ("killed", "spared"):
            found["number"] = whole(raw.get("modified"), 1, 100)
            found |= verdict(self.order[finisher or 0], found["number"])
        else:
            need(raw.get("modified") is None)
        told = {name: raw.get(name) for name in ("trophy", "vuelta", "crowd")}
        self.beside(told, found, None)
        return found
