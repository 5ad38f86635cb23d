"""One true lidia of a corrida, as a table would write it down, ready for one change."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy, deepcopy
from functools import lru_cache
from typing import Any

from corridas.tabletop.sheets import judge
from fairness import Chance, Seed
from tests.corridas.oracle.afternoons import Afternoon, beside, fought, heading, some_afternoon
from tests.corridas.oracle.counting import SIDES, SIGNS, most_cards_of_tercio, scoring
from tests.corridas.oracle.paper import DECK_SIZE, MatadorText, numbers_in
from tests.corridas.oracle.sheet import Sheet
from tests.corridas.oracle.test_shipped_cards import shipped_deck, shipped_matadors
from tests.corridas.oracle.translation import engine_deck
from tests.corridas.test_fuzzed_forms import rules_of
from tests.impossible import Count

PACK, CARDS = shipped_deck(), shipped_matadors()
TURNS = [1, 1, 1, 2, 3]
"""Of how many lidias the last is looked at."""
LIDIAS = 500
"""Lidias that are fought, and changed again and again."""
Entries = list[list[list[int]]]


class Lidia:
    """The last of a few lidias: what it was fought with, and its sheet, which a kind changes.

    `beside` has what follows from the other figures. The true sheet is accepted with it, and a
    changed one comes without, so that nothing contradicts it but what was counted.
    """

    def __init__(self, number: int) -> None:
        self.chance = chance = Seed(bytes(32)).chance(f"impossible/{number}")
        self.afternoon: Afternoon = some_afternoon(chance, PACK, CARDS)
        self.pack, self.rules = self.afternoon.pack, self.afternoon.rules
        self.all = fought(self.afternoon, chance.pick(TURNS), chance)
        self.true = self.all[-1]
        self.turn = len(self.all) - 1
        self.earlier = [{"sheet": as_scoresheet(lidia)} for lidia in self.all[:-1]]
        self.sheet = as_scoresheet(self.true)
        self.score = result(self.true)
        self.cards = list(self.true["cards"])
        self.beside = beside(self.true)

    def copied(self, chance: Chance) -> Lidia:
        """The same lidia, to be changed by chance."""
        other = copy(self)
        other.chance = chance
        for form in ("sheet", "score", "cards"):
            setattr(other, form, deepcopy(getattr(self, form)))
        return other

    def accepts(self, lidia: Sheet, *more: Sheet) -> bool:
        """Whether the referee accepts the last lidia, written in this way."""
        lidias = [*self.earlier, lidia, *more]
        sheet = {**heading(self.afternoon), "lidias": lidias}
        reading = judge(rules_of(self.afternoon), engine_deck(self.pack), sheet)
        judged = reading.lidias[self.turn : len(lidias)]
        return len(judged) == 1 + len(more) and all(one.stands for one in judged)

    def shown(self, lidia: Sheet) -> dict[str, Any]:
        """The lidia, and what it was fought with."""
        deck = "shipped" if self.pack is PACK else "other"
        ranges = {name: self.finisher[name] for name in ("aviso", "indulto")}
        return {
            "turn": self.turn + 1, "rules": self.rules, "plaza": self.afternoon.rating,
            "deck": deck, "ranges": ranges, "lidia": lidia,
        }  # fmt: skip

    def can_be_written_as(self, form: str) -> bool:
        """Whether it came to its end; cards alone are enough where a full deck was there."""
        return self.ended and (form != "cards" or self.fresh)

    def whole(self, form: str) -> Any:
        """The true lidia in a form, with what follows from it."""
        found = getattr(self, form)
        return {**found, **self.beside} if form == "sheet" else found

    @property
    def ended(self) -> bool:
        """Whether it came to its kill, or the bull was spared."""
        return self.true["ending"] in ("killed", "spared")

    @property
    def finisher(self) -> dict[str, Any]:
        """The card of who finished."""
        at = self.sheet["finished"]
        card: MatadorText = self.afternoon.order[at if isinstance(at, int) else 0]
        return dict(card)

    @property
    def able(self) -> list[int]:
        """Who can be sent out to this bull, in the order in which they would be."""
        out = {man for lidia in self.all[:-1] for man in lidia["injured"]}
        began = self.true["starter"]
        return [began, *(man for man in range(3) if man not in out and man != began)]

    @property
    def fresh(self) -> bool:
        """Whether a full deck was there as the bull came out (Ruling I-3)."""
        return self.rules["shuffle"] == "each_bull" or self.turn == 0

    def passes(self, tercio: int) -> int:
        """How often a card can come in the first or the third tercio, which take 30 cards at most.

        A shuffle may fall into the third, for the second is as long as it is.
        """
        return 1 if tercio == 1 and self.fresh else 2

    @property
    def entries(self) -> Entries:
        """Of each tercio, the entries of matador and bull."""
        found: Entries = self.sheet["tercios"]
        return found

    def many(self, tercio: int) -> int:
        """How many entries a tercio has."""
        return sum(map(len, self.entries[tercio - 1]))

    def limits(self, tercio: int) -> dict[tuple[str, str], int]:
        """How many marks can give an entry of a side and sign, in one pass."""
        return {
            (side, sign): scoring(self.pack, self.rules, tercio, side, sign)
            for side in SIDES
            for sign in SIGNS
        }

    def room(self, tercio: int, many: int, passes: int) -> list[tuple[str, str]] | None:
        """So many sides and signs of entries that the marks can give, in any order."""
        free = [one for one, most in self.limits(tercio).items() for _ in range(most * passes)]
        return self.chance.shuffled(free)[:many] if len(free) >= many else None

    def write(self, tercio: int, which: list[tuple[str, str]], digits: list[int]) -> None:
        """Put these entries into a tercio, and nothing else."""
        pair: list[list[int]] = [[], []]
        for (side, sign), digit in zip(which, digits, strict=True):
            pair[SIDES.index(side)].append(digit if sign == "+" else -digit)
        self.sheet["tercios"][tercio - 1] = pair

    def digits(self, many: int) -> list[int]:
        """Digits other than 0 of different cards, none of them often."""
        return (self.chance.shuffled(list(range(1, 10))) * 3)[:many]

    def most_cards(self) -> int:
        """The most cards that the lidia can have drawn, by its marks; if no shuffle fell in it."""
        many = sum(
            most_cards_of_tercio(
                self.pack, self.rules, tercio, marks, (len(pair[0]), len(pair[1]))
            )
            for tercio, marks, pair in zip(
                (1, 2, 3), self.sheet["marks"], self.entries, strict=True
            )
        )  # fmt: skip
        return many + 2 + 10 + 2

    def unshuffled(self) -> bool:
        """Whether no shuffle can have fallen into the lidia, by the marks that it shows."""
        return self.fresh and self.most_cards() <= DECK_SIZE

    def hurt(self, many: int) -> None:
        """Write down that so many were injured, who took over, and that it broke off if nobody."""
        able, sheet = self.able, self.sheet
        sheet["injured"] = able[:many]
        sheet["finished"] = able[many] if many < len(able) else None
        if sheet["finished"] is None:
            sheet.update(kill=None, number=None, indulto=None, avisos=0)

    def settle(self) -> bool:
        """Make the rest of the sheet fit the change: the check for indulto, and the kill.

        Not possible where every number spares the bull, or warns.
        """
        if self.sheet["finished"] is None:
            return True
        spares = numbers_in(self.finisher["indulto"])
        checked = sum(sum(pair[1]) for pair in self.entries) > 0
        free = [number for number in range(1, 101) if number not in spares]
        if self.true["ending"] == "spared" or (checked and not free):
            return False
        if not checked:
            self.sheet["indulto"] = None
        elif self.sheet["indulto"] not in free:
            self.sheet["indulto"] = self.chance.pick(free)
        if self.sheet["injured"] != self.true["injured"]:
            self.sheet["avisos"] = 0
            return len(numbers_in(self.finisher["aviso"])) < 50
        return True


def as_scoresheet(lidia: Sheet) -> Sheet:
    """The scoresheet, entry by entry, with its marks."""
    broken = lidia["ending"] == "broken_off"
    sides = zip(lidia["matador_entries"], lidia["bull_entries"], strict=True)
    return {
        "tercios": [[list(matador), list(bull)] for matador, bull in sides],
        "marks": list(lidia["marks"]),
        "kill": None if broken else list(lidia["strokes"]),
        "avisos": lidia["avisos"],
        "indulto": lidia["indulto"],
        "number": lidia["drawn"],
        "began": lidia["starter"],
        "injured": list(lidia["injured"]),
        "finished": lidia["finisher"],
    }


def result(lidia: Sheet) -> Sheet:
    """The result alone, with points and, if there was a kill, the sum of its modifiers."""
    killed = lidia["ending"] in ("killed", "three_avisos")
    return {
        "ending": lidia["ending"],
        "modified": lidia["number"],
        "avisos": lidia["avisos"],
        "totals": [lidia["matador_points"], lidia["bull_points"]],
        "began": lidia["starter"],
        "injured": list(lidia["injured"]),
        "finished": lidia["finisher"],
        **({"kill": lidia["kill_points"]} if killed else {}),
    }


@lru_cache(maxsize=LIDIAS)
def fought_as(number: int) -> Lidia:
    """Lidias are fought once for all kinds."""
    return Lidia(number)


def refuse(
    kind: Callable[[Lidia], bool],
    wanted: int,
    form: str = "sheet",
    finish: Callable[[Lidia], bool] = lambda lidia: True,
) -> None:
    """Make the sheets that are wanted, see their true ones accepted and none of them."""
    chance = Seed(bytes(32)).chance(f"impossible/{kind.__name__}")
    count = Count(wanted)
    while count.more:
        true = fought_as(count.tried % LIDIAS)
        changed = true.copied(chance)
        if true.can_be_written_as(form) and kind(changed) and finish(changed):
            assert true.accepts({form: true.whole(form)}), true.shown({form: true.whole(form)})
            sheet = {form: getattr(changed, form)}
            count.add(true.accepts(sheet), changed.shown(sheet))
    count.check()
