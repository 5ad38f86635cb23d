"""A possible score sheet of one lidia, which the tests of this package change into an
impossible one.
"""

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
# Numbers of lidias in a corrida; the tests change the sheet of the last lidia.
TURNS = [1, 1, 1, 2, 3]
# Number of different lidias that the tests change.
LIDIAS = 500
Entries = list[list[list[int]]]


class Lidia:
    """The last of a few lidias of a corrida, with its deck, rules and score sheet.

    `beside` has the figures that follow from the other figures. The unchanged sheet is judged with
    them. A changed sheet is judged without them, because they would contradict it and hide the
    actual error.
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
        """Return a copy of the lidia whose sheet can be changed, with its own random numbers."""
        other = copy(self)
        other.chance = chance
        for form in ("sheet", "score", "cards"):
            setattr(other, form, deepcopy(getattr(self, form)))
        return other

    def accepts(self, lidia: Sheet, *more: Sheet) -> bool:
        """Return whether the referee (the check of submitted results) accepts this sheet of the
        last lidia.
        """
        lidias = [*self.earlier, lidia, *more]
        sheet = {**heading(self.afternoon), "lidias": lidias}
        reading = judge(rules_of(self.afternoon), engine_deck(self.pack), sheet)
        judged = reading.lidias[self.turn : len(lidias)]
        return len(judged) == 1 + len(more) and all(one.stands for one in judged)

    def shown(self, lidia: Sheet) -> dict[str, Any]:
        """Return the sheet with its deck and rules, for the message of a failed test."""
        deck = "shipped" if self.pack is PACK else "other"
        ranges = {name: self.finisher[name] for name in ("aviso", "indulto")}
        return {
            "turn": self.turn + 1, "rules": self.rules, "plaza": self.afternoon.rating,
            "deck": deck, "ranges": ranges, "lidia": lidia,
        }  # fmt: skip

    def can_be_written_as(self, form: str) -> bool:
        """Return whether the lidia can be tested in a form (`sheet`, `score` or `cards`).

        It must have come to its end. Cards alone are enough only if the deck was complete at the
        start.
        """
        return self.ended and (form != "cards" or self.fresh)

    def whole(self, form: str) -> Any:
        """Return the unchanged lidia in a form (`sheet`, `score` or `cards`), with the figures
        that follow.
        """
        found = getattr(self, form)
        return {**found, **self.beside} if form == "sheet" else found

    @property
    def ended(self) -> bool:
        """Return whether the lidia ended with the kill or with a spared bull."""
        return self.true["ending"] in ("killed", "spared")

    @property
    def finisher(self) -> dict[str, Any]:
        """Return the card of the matador who finished the lidia."""
        at = self.sheet["finished"]
        card: MatadorText = self.afternoon.order[at if isinstance(at, int) else 0]
        return dict(card)

    @property
    def able(self) -> list[int]:
        """Return the matadors who are not injured, first the one who began this lidia."""
        out = {man for lidia in self.all[:-1] for man in lidia["injured"]}
        began = self.true["starter"]
        return [began, *(man for man in range(3) if man not in out and man != began)]

    @property
    def fresh(self) -> bool:
        """Return whether the deck was complete at the start of this lidia (Ruling I-3)."""
        return self.rules["shuffle"] == "each_bull" or self.turn == 0

    def passes(self, tercio: int) -> int:
        """Return how often the same card can be drawn in the first or third tercio: once or twice.

        Each of these tercios takes 30 cards at most. The deck may be reshuffled in the third
        tercio, because the second tercio can have any length.
        """
        return 1 if tercio == 1 and self.fresh else 2

    @property
    def entries(self) -> Entries:
        """Return the points written for each tercio, those of the matador and those of the bull."""
        found: Entries = self.sheet["tercios"]
        return found

    def many(self, tercio: int) -> int:
        """Return how many points entries a tercio has."""
        return sum(map(len, self.entries[tercio - 1]))

    def limits(self, tercio: int) -> dict[tuple[str, str], int]:
        """Return how many cards of a tercio can score for each side and sign before a reshuffle."""
        return {
            (side, sign): scoring(self.pack, self.rules, tercio, side, sign)
            for side in SIDES
            for sign in SIGNS
        }

    def room(self, tercio: int, many: int, passes: int) -> list[tuple[str, str]] | None:
        """Choose sides and signs for `many` entries that the deck can give, or return None."""
        free = [one for one, most in self.limits(tercio).items() for _ in range(most * passes)]
        return self.chance.shuffled(free)[:many] if len(free) >= many else None

    def write(self, tercio: int, which: list[tuple[str, str]], digits: list[int]) -> None:
        """Replace the entries of a tercio with entries of these sides, signs and digits."""
        pair: list[list[int]] = [[], []]
        for (side, sign), digit in zip(which, digits, strict=True):
            pair[SIDES.index(side)].append(digit if sign == "+" else -digit)
        self.sheet["tercios"][tercio - 1] = pair

    def digits(self, many: int) -> list[int]:
        """Return `many` digits from 1 to 9, each of them three times at most."""
        return (self.chance.shuffled(list(range(1, 10))) * 3)[:many]

    def most_cards(self) -> int:
        """Return the highest number of cards that the lidia can have drawn if the deck was not
        reshuffled.
        """
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
        """Return whether the lidia was too short for a reshuffle, judging by the marks on its
        sheet.
        """
        return self.fresh and self.most_cards() <= DECK_SIZE

    def hurt(self, many: int) -> None:
        """Write on the sheet that `many` matadors were injured and who took over.

        If no matador is left, the lidia was broken off.
        """
        able, sheet = self.able, self.sheet
        sheet["injured"] = able[:many]
        sheet["finished"] = able[many] if many < len(able) else None
        if sheet["finished"] is None:
            sheet.update(kill=None, number=None, indulto=None, avisos=0)

    def settle(self) -> bool:
        """Adapt the check for indulto and the kill to the changed sheet, and return whether that
        worked.

        It fails if every number spares the bull, or if most numbers bring a warning.
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
    """Return the score sheet of a lidia with each entry and with the number of marks."""
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
    """Return only the result of a lidia: points, ending, warnings and the sum of the kill
    modifiers.
    """
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
    """Return lidia number `number`, from the cache if a test has already used it."""
    return Lidia(number)


def refuse(
    kind: Callable[[Lidia], bool],
    wanted: int,
    form: str = "sheet",
    finish: Callable[[Lidia], bool] = lambda lidia: True,
) -> None:
    """Create `wanted` impossible sheets of a kind and check that the referee rejects each of them.

    The unchanged sheets must be accepted. Otherwise a rejection would prove nothing.
    """
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
