"""Thousands of lidias in every form of a scoresheet, checked by the referee and by the oracle.

The oracle is an independent implementation of the rules. The referee must accept every lidia that
was really fought and reject every lidia that the oracle proves impossible. `tests/volume.py` sets
how many are tested.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from functools import lru_cache, partial
from typing import Any, cast

from corridas.engine import Deck, Rules
from corridas.tabletop.sheets import judge
from fairness import Chance, Seed
from tests.corridas.oracle.afternoons import (
    Afternoon,
    as_score,
    as_sheet,
    fought,
    heading,
    some_afternoon,
)
from tests.corridas.oracle.paper import RULE_VALUES, CardText, numbers_in
from tests.corridas.oracle.proofs import why_impossible
from tests.corridas.oracle.sheet import Sheet
from tests.corridas.oracle.slips import slip
from tests.corridas.oracle.test_shipped_cards import shipped_deck, shipped_matadors
from tests.corridas.oracle.translation import engine_deck
from tests.volume import Tally, volumes

# Per form: fractions of the usual number of sheets, in a full run and in a nightly run. A corrida
# that is broken off has up to six lidias, so fewer are tested.
FOUGHT = {"sheet": (0.4, 0.09), "score": (0.6, 0.16), "broken off": (0.4, 0.08)}
WRONG = {"sheet": (0.5, 0.14), "score": (1, 0.3), "broken off": (0.4, 0.12)}
# Possible numbers of lidias in a corrida. Only the last lidia is checked.
TURNS = [1, 1, 1, 2, 3]
AFTERNOONS_EACH = 4
SLIPS_EACH = 5
Record = Callable[[str, object], None]
Lidia = dict[str, Any]

PACK, CARDS = shipped_deck(), shipped_matadors()


class Corrida:
    """Some lidias that were fought, and what a table wrote down about them."""

    def __init__(self, form: str, chance: Chance) -> None:
        self.form = form
        while True:
            self.afternoon = some_afternoon(chance, PACK, CARDS)
            if form == "broken off":
                self.afternoon = self.afternoon._replace(pack=goring(self.afternoon.pack, chance))
            self.deck = engine_deck(self.afternoon.pack)
            self.head = heading(self.afternoon)
            turns = 6 if form == "broken off" else chance.pick(TURNS)
            self.fought = fought(self.afternoon, turns, chance)
            broken = self.fought[-1]["ending"] == "broken_off"
            if broken or form != "broken off":
                break

    def lidias(self, chance: Chance) -> list[Lidia]:
        """Return the fought lidias as written in the form."""
        return [lidia_in_form(self.form, lidia, chance) for lidia in self.fought]

    def stands(self, lidias: list[Lidia]) -> bool:
        """Return whether the referee accepts the last lidia."""
        sheet = {**self.head, "lidias": lidias}
        reading = judge(rules_of(self.afternoon), self.deck, sheet)
        return len(reading.lidias) >= len(lidias) and reading.lidias[len(lidias) - 1].stands

    def shown(self, lidias: list[Lidia]) -> dict[str, object]:
        """Return the last lidia and its setting, without the options that have their default
        value.
        """
        usual = {name: values[0] for name, values in RULE_VALUES.items()}
        rules = {k: v for k, v in self.afternoon.rules.items() if v != usual[k]}
        deck = "shipped" if self.afternoon.pack == PACK else "other"
        finisher = (lidias[-1].get("score") or lidias[-1].get("sheet") or {}).get("finished")
        own = self.afternoon.order[finisher if isinstance(finisher, int) else 0]
        ranges = {name: own[name] for name in ("aviso", "indulto")}
        return {
            "turn": len(lidias), "rules": rules, "plaza": self.afternoon.rating, "deck": deck,
            "ranges": ranges, "lidia": lidias[-1],
        }  # fmt: skip


def goring(pack: list[CardText], chance: Chance) -> list[CardText]:
    """Return a deck that injures a matador at many cards of one tercio."""
    column = chance.pick(["first", "second", "third"])
    hurts = {"bull": "HERIDA", column: "BULL"}
    return [
        cast(CardText, {**card, **hurts})
        if not card["second"].startswith("CLAVAR") and chance.below(4)
        else card
        for card in pack
    ]


@lru_cache(maxsize=64)
def rules_with(options: tuple[tuple[str, str], ...]) -> Rules:
    """Return the engine's rules with these options."""
    return Rules.from_options(dict(options))


def rules_of(afternoon: Afternoon) -> Rules:
    """Return the engine's rules of this corrida."""
    return rules_with(tuple(sorted(afternoon.rules.items())))


def lidia_in_form(form: str, lidia: Sheet, chance: Chance) -> Lidia:
    """Return a lidia in the given form. A lidia of a "broken off" corrida has either form."""
    if form == "score" or (form == "broken off" and chance.below(2)):
        return {"score": as_score(lidia, chance)}
    return {"sheet": as_sheet(lidia, chance)}


@volumes(FOUGHT)
def test_the_referee_accepts_every_lidia_that_was_fought(
    form: str, part: int, wanted: int, record_property: Record
) -> None:
    chance = Seed(bytes(32)).chance(f"legal/{form}/{part}")
    tally = Tally(f"indulto, {form}, legal", record_property, wanted)
    while tally.more:
        corrida = Corrida(form, chance)
        for _ in range(AFTERNOONS_EACH):
            lidias = corrida.lidias(chance)
            reason = why_impossible(corrida.afternoon, lidias)
            assert reason is None, (reason, corrida.shown(lidias), corrida.fought[-1])
            right = corrida.stands(lidias)
            tally.add(form, partial(corrida.shown, lidias), right=right)
    tally.check(at_least=wanted)


def slip_of_score(score: Sheet, corrida: Corrida, chance: Chance) -> None:
    """Change one figure of a score at random: the number, the avisos, the ending, the points."""
    kind = chance.below(9)
    if kind <= 1:
        number = score["modified"] or 50
        other = [number + chance.below(21) - 10, 1 + chance.below(100), 100, 1, 0, 101]
        score["modified"] = chance.pick(other)
    elif kind == 2:
        score["avisos"] = chance.below(4)
    elif kind == 3:
        score["kill"] = chance.pick([-chance.below(120), (score.get("kill") or 0) - 1, 1, -7])
    elif kind == 4:
        totals = list(score.get("totals", [0, 0]))
        totals[chance.below(2)] += chance.pick([-200, -90, -30, -9, -1, 1, 9, 30, 90, 200])
        score["totals"] = totals
    elif kind == 5:
        score["ending"] = chance.pick(["killed", "spared", "three_avisos", "broken_off"])
    elif kind == 6:
        score["injured"] = chance.pick([[], [0], [1], [0, 1], [0, 1, 2], [2]])
        score["finished"] = chance.pick([None, 0, 1, 2])
    elif kind == 7:
        score["totals"] = [-point for point in score.get("totals", [0, 12])]
    else:
        slipped = slip(score, chance, often=1)
        score.clear()
        score.update(slipped)


def slip_of_sheet(sheet: Sheet, corrida: Corrida, chance: Chance) -> None:
    """Change one figure of a sheet at random: a modifier, the avisos, the indulto, a tercio."""
    kind = chance.below(6)
    if kind == 0 and sheet["kill"]:
        sheet["kill"][chance.below(len(sheet["kill"]))] -= chance.below(13)
    elif kind == 1:
        sheet["avisos"] = chance.below(4)
    elif kind == 2:
        spares = numbers_in(corrida.afternoon.order[sheet["finished"] or 0]["indulto"])
        sheet["indulto"] = chance.pick([None, 1 + chance.below(100), *spares[:1]])
    elif kind == 3:
        pair = chance.pick(sheet["tercios"])
        pair[chance.below(2)] = chance.pick([[9] * chance.below(12), chance.below(99) - 49, [-3]])
    else:
        slipped = slip(sheet, chance, often=1)
        sheet.clear()
        sheet.update(slipped)


@volumes(WRONG)
def test_the_referee_rejects_every_lidia_that_is_impossible(
    form: str, part: int, wanted: int, record_property: Record
) -> None:
    chance = Seed(bytes(32)).chance(f"impossible/{form}/{part}")
    tally = Tally(f"indulto, {form}, impossible", record_property, wanted)
    while tally.more:
        corrida = Corrida(form, chance)
        for _ in range(AFTERNOONS_EACH * SLIPS_EACH):
            lidias = deepcopy(corrida.lidias(chance))
            name, figures = next(iter(lidias[-1].items()))
            {"score": slip_of_score, "sheet": slip_of_sheet}[name](figures, corrida, chance)
            if figures.get("finished") == []:
                continue  # no page sends a form in which nobody finished
            reason = why_impossible(corrida.afternoon, lidias)
            if reason is not None:
                right = not corrida.stands(lidias)
                tally.add(reason, partial(corrida.shown, lidias), right=right)
    tally.check(at_least=wanted)


def test_the_generated_decks_are_legal() -> None:
    """Check Ruling I-1 on decks that were changed to injure many matadors."""
    chance = Seed(bytes(32)).chance("decks")
    for _ in range(20):
        corrida = Corrida("broken off", chance)
        assert isinstance(corrida.deck, Deck)
