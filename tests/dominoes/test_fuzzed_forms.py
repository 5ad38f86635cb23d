"""Thousands of scoresheets in all forms are judged by the referee and compared with the oracle.

The referee must accept every hand that was played and reject everything that the oracle proves
impossible. `tests/volume.py` sets how many scoresheets are tried.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from functools import partial

from dominoes.tabletop.sheets import read_match, referee
from fairness import Chance, Seed
from tests.dominoes.oracle import forms
from tests.dominoes.oracle.bounds import pips_are_impossible
from tests.dominoes.oracle.forms import (
    LARGEST_TRIED_OUT,
    Sheet,
    hand_sheet,
    why_impossible,
)
from tests.dominoes.oracle.hand import Hand, possible_leaders
from tests.dominoes.oracle.mutations import MUTATIONS, nothing
from tests.dominoes.oracle.paper import copied, deal_at_random, play_at_random, some_deal
from tests.dominoes.oracle.rule_sets import ALL_CHOICES, some_options
from tests.dominoes.oracle.score import Match, add_hand, match_winner, new_match, score_hand
from tests.dominoes.oracle.tiles import Options, options, sides
from tests.dominoes.oracle.translation import engine_rules
from tests.dominoes.oracle.witnesses import is_possible
from tests.volume import Tally, volumes

SETS = [2, 2, 2, 3, 3, 3, 4, 4, 5, 6, 6, 6, 6, 9, 12]
MATCH_FORMS = ["tiles", "pips", "moves tiles"]
# Number of players that a printed scoresheet has room for.
MOST_SEATS = 6
HELD_ALONE = ["tiles", "pips"]
MOVES = ["moves", "moves tiles", "moves pips", "moves deal", "moves tiles deal"]
# Number of random mistakes made in the scoresheet of each played hand.
SLIPS_EACH = 6
MOST_HANDS = 5
# Share of the scoresheets with only pips (usual sets, usual numbers of players) that the referee
# may leave undecided.
UNDECIDED = 0.01
# The same share for the oracle. It is larger because the oracle must find a whole hand, whereas the
# referee only looks for tiles.
NO_OPINION = 0.1

HANDS = {"tiles": (0.3, 0.08), "pips": (0.8, 0.2), "moves": (0.4, 0.1)}
# Shares of the usual number of scoresheets, in a full run and in a nightly run. Whole hands are
# judged faster than moves.
EVENINGS = {"evening": (0.15, 0.05), "score": (0.5, 0.1)}

# Some scoresheets are impossible for reasons that only a search through every hand of a small set
# finds. The referee need not find these reasons.
BEYOND = {"D-6 no hand leaves these tiles", "D-10 no hand leaves these pips"}

Record = Callable[[str, object], None]


# Rule sets with the smallest set. All possible hands are tried under each.
SMALL = [
    some_options(choices, LARGEST_TRIED_OUT, Seed(bytes(32)).chance(f"small/{number}"))
    for number, choices in enumerate(Seed(bytes(32)).chance("small").shuffled(ALL_CHOICES)[:24])
]


def some_rules(chance: Chance) -> Options:
    """Return random rules with a target that one hand does not reach."""
    highest = chance.pick(SETS)
    if highest <= LARGEST_TRIED_OUT:
        return {**chance.pick(SMALL), "target": 10_000}
    return {**some_options(chance.pick(ALL_CHOICES), highest, chance), "target": 10_000}


def played(chance: Chance, rules: Options | None = None) -> tuple[Hand, Hand, list[str]]:
    """Return a random hand as it was dealt, the same hand at its end, and its moves."""
    while len((dealt := some_deal(rules or some_rules(chance), chance)).hands) > MOST_SEATS:
        pass
    log = play_at_random(over := copied(dealt), chance)
    return dealt, over, log


def is_accepted(rules: Options, players: int, sheet: Sheet) -> bool:
    """Return whether the referee accepts the scoresheet of a finished match."""
    sheet = {"stopped": True, **sheet}
    judged = referee.judge(rules=engine_rules(rules).options(), seats=players, sheet=sheet)
    return judged.over and not judged.objections


def sheet_and_options(rules: Options, sheet: Sheet) -> dict[str, object]:
    """Return the scoresheet and all options that differ from the defaults, for error messages."""
    usual = options()
    return {"rules": {k: v for k, v in rules.items() if v != usual.get(k)}, "sheet": sheet}


def hand_forms(form: str) -> list[str]:
    """Return the ways in which a hand of this form is written down."""
    return MOVES if form == "moves" else [form]


@volumes(HANDS)
def test_referee_accepts_scoresheets_of_played_hands(
    form: str, part: int, wanted: int, record_property: Record
) -> None:
    chance = Seed(bytes(32)).chance(f"legal/{form}/{part}")
    tally = Tally(f"dominoes, {form}, legal", record_property, wanted)
    while tally.more:
        dealt, over, log = played(chance)
        for written in hand_forms(form):
            sheet = {"hands": [hand_sheet(dealt, over, log, written)]}
            right = is_accepted(dealt.rules, dealt.players, sheet)
            # Moves alone do not say which tiles were left, so the referee may ask for these.
            if written in ("moves", "moves deal"):
                continue
            tally.add(written, partial(sheet_and_options, dealt.rules, sheet), right=right)
            assert why_impossible(dealt.rules, dealt.players, sheet) is None, sheet
    tally.check(at_least=wanted)


def slipped(form: str, dealt: Hand, over: Hand, log: list[str], chance: Chance) -> Sheet:
    """Return the scoresheet of a hand with a random mistake in it."""
    written = chance.pick(hand_forms(form))
    hand = hand_sheet(dealt, over, log, written)
    if form == "tiles" or ("tiles" in written and chance.below(3) == 0):
        forms.slip_of_tiles(hand, dealt.rules, chance)
    elif form == "pips" or ("pips" in written and chance.below(2)):
        forms.slip_of_pips(hand, dealt.rules, chance)
    else:
        mutation = chance.pick([one for one in MUTATIONS if one is not nothing])
        hand["moves"] = mutation(hand["moves"], chance)
    return {"hands": [hand]}


@volumes(HANDS)
def test_referee_rejects_scoresheets_of_impossible_hands(
    form: str, part: int, wanted: int, record_property: Record
) -> None:
    chance = Seed(bytes(32)).chance(f"impossible/{form}/{part}")
    tally = Tally(f"dominoes, {form}, impossible", record_property, wanted)
    while tally.more:
        dealt, over, log = played(chance)
        for _ in range(SLIPS_EACH):
            sheet = slipped(form, dealt, over, log, chance)
            if "moves" in sheet["hands"][0] and not sheet["hands"][0]["moves"]:
                continue
            reason = why_impossible(dealt.rules, dealt.players, sheet)
            if reason is not None:
                right = not is_accepted(dealt.rules, dealt.players, sheet)
                tally.add(reason, partial(sheet_and_options, dealt.rules, sheet), right=right)
    tally.check(at_least=wanted, beyond=BEYOND)


class PlayedMatch:
    """A match played to its end or stopped early, and its scoresheet."""

    def __init__(self, chance: Chance, most_hands: int, ways: Sequence[str] = MATCH_FORMS) -> None:
        self.ways = ways
        first, *_ = played(chance)
        target = chance.pick([1, 10, 30, 100, 200])
        self.rules: Options = {**first.rules, "target": target}
        self.players = first.players
        self.match: Match = new_match(self.rules, self.players)
        self.hands: list[Sheet] = []
        while len(self.hands) < most_hands and match_winner(self.match) is None:
            self.add(chance)

    def add(self, chance: Chance) -> None:
        """Play another hand, led by a player whom the rules allow."""
        dealt = deal_at_random(self.rules, self.players, chance)
        dealt.turn = chance.pick(
            possible_leaders(self.rules, dealt.hands, self.match.last_winners, self.match.last_out)
        )
        log = play_at_random(over := copied(dealt), chance)
        self.hands.append(hand_sheet(dealt, over, log, chance.pick(self.ways)))
        add_hand(self.match, score_hand(over), over.out)

    @property
    def totals(self) -> list[int]:
        """The points of each seat."""
        table = sides(self.rules, self.players)
        points = {s: self.match.totals[at] for at, side in enumerate(table) for s in side}
        return [points[seat] for seat in range(self.players)]

    def sheet(self, form: str, chance: Chance) -> Sheet:
        """Return the scoresheet: hands with or without totals, or totals alone."""
        if form == "score":
            return {"totals": self.totals}
        totals = {"totals": self.totals} if chance.below(2) else {}
        return {"hands": deepcopy(self.hands), **totals}


def slip_of_evening(evening: PlayedMatch, sheet: Sheet, chance: Chance) -> None:
    """Make a mistake: wrong totals, a repeated hand, a wrong leader or an error within a hand."""
    kind = chance.below(5)
    if "hands" not in sheet or (kind == 0 and "totals" in sheet):
        sheet["totals"] = forms.slip_of_totals(sheet["totals"], evening.rules, chance)
        return
    hand = chance.pick(sheet["hands"])
    if kind <= 1:
        sheet["hands"].insert(chance.below(len(sheet["hands"]) + 1), deepcopy(hand))
    elif kind == 2:
        hand["leader"] = chance.below(evening.players)
    elif "moves" in hand:
        hand["moves"] = chance.pick(MUTATIONS)(hand["moves"], chance) or hand["moves"]
    elif "pips" in hand["held"][0]:
        forms.slip_of_pips(hand, evening.rules, chance)
    else:
        forms.slip_of_tiles(hand, evening.rules, chance)


@volumes(EVENINGS)
def test_referee_accepts_scoresheets_of_played_matches(
    form: str, part: int, wanted: int, record_property: Record
) -> None:
    chance = Seed(bytes(32)).chance(f"legal/{form}/{part}")
    tally = Tally(f"dominoes, {form}, legal", record_property, wanted)
    while tally.more:
        evening = PlayedMatch(chance, 1 + chance.below(MOST_HANDS))
        sheet = evening.sheet(form, chance)
        right = is_accepted(evening.rules, evening.players, sheet)
        tally.add(form, partial(sheet_and_options, evening.rules, sheet), right=right)
        assert why_impossible(evening.rules, evening.players, sheet) is None, sheet
    tally.check(at_least=wanted)


@volumes(EVENINGS)
def test_referee_rejects_scoresheets_of_impossible_matches(
    form: str, part: int, wanted: int, record_property: Record
) -> None:
    chance = Seed(bytes(32)).chance(f"impossible/{form}/{part}")
    tally = Tally(f"dominoes, {form}, impossible", record_property, wanted)
    while tally.more:
        evening = PlayedMatch(chance, 1 + chance.below(MOST_HANDS))
        for _ in range(SLIPS_EACH):
            sheet = evening.sheet(form, chance)
            slip_of_evening(evening, sheet, chance)
            reason = why_impossible(evening.rules, evening.players, sheet)
            if reason is not None:
                right = not is_accepted(evening.rules, evening.players, sheet)
                tally.add(reason, partial(sheet_and_options, evening.rules, sheet), right=right)
    tally.check(at_least=wanted, beyond=BEYOND)


def with_parts_left_out(sheet: Sheet, chance: Chance) -> Sheet:
    """Leave out parts of the scoresheet: leaders, how hands ended, and tiles that were left."""
    for hand in sheet["hands"]:
        if chance.below(4):
            hand["leader"] = None
        if chance.below(4) == 0:
            hand["out"], hand["blocked"] = None, False
        kind = chance.below(6)
        for seat in range(len(hand.get("held", ()))):
            if kind == 0 or (kind == 1 and chance.below(2)):
                hand["held"][seat] = None
    return sheet


@volumes({"parts left out": (0.5, 0.1)})
def test_referee_does_not_reject_matches_with_missing_details(
    form: str, part: int, wanted: int, record_property: Record
) -> None:
    """It may ask for missing details.

    If it accepts the match, the totals must be those that were played.
    """
    chance = Seed(bytes(32)).chance(f"legal/{form}/{part}")
    tally = Tally(f"dominoes, {form}, legal", record_property, wanted)
    while tally.more:
        evening = PlayedMatch(chance, 1 + chance.below(MOST_HANDS), [*HELD_ALONE, *MOVES])
        sheet = with_parts_left_out(evening.sheet("evening", chance), chance)
        rules = engine_rules(evening.rules)
        read = read_match(rules, evening.players, {**sheet, "stopped": True})
        wrong = [fault for fault in read.objections if not fault.missing]
        said = "asked" if read.objections else "accepted"
        right = not wrong and (said == "asked" or list(read.points) == evening.totals)
        tally.add(said, partial(sheet_and_options, evening.rules, sheet), right=right)
    tally.check(at_least=wanted)
    assert tally.judged["accepted"] >= tally.total / 4, tally.judged


USUAL = [
    (highest, players, boneyard)
    for highest in (6, 9, 12)
    for players in (2, 3, 4)
    for boneyard in ("draw", "pass")
]


def miscount(hand: Sheet, chance: Chance) -> None:
    """Change a number of pips slightly, so that it may still be possible, or add far too many."""
    held = hand["held"]
    seat = chance.pick([seat for seat in range(len(held)) if seat != hand["out"]])
    if chance.below(4):
        held[seat] = {"pips": max(0, held[seat]["pips"] + chance.below(7) - 3)}
    else:
        held[seat] = {"pips": 1200 + chance.below(100)}


def opinion(rules: Options, held: list[int], out: int | None, true: Hand, chance: Chance) -> str:
    """Return whether the oracle thinks these pips `impossible`, `possible` or `undecided`."""
    if pips_are_impossible(rules, held, out):
        return "impossible"
    return "possible" if is_possible(rules, held, out, [true], chance) else "undecided"


@volumes({"pips": (0.015, 0.003)})
def test_referee_agrees_with_every_decision_of_the_oracle_on_pips(
    form: str, part: int, wanted: int, record_property: Record
) -> None:
    """Every sheet of pips that the oracle decides is decided alike by the referee."""
    chance = Seed(bytes(32)).chance(f"undecided/{part}")
    tally = Tally(f"dominoes, {form} at usual tables", record_property, wanted)
    while tally.more:
        highest, players, boneyard = chance.pick(USUAL)
        rules = options(highest=highest, boneyard=boneyard, target=10_000)
        play_at_random(over := deal_at_random(rules, players, chance), chance)
        hand = hand_sheet(over, over, [], "pips")
        del hand["leader"]
        miscount(hand, chance)
        figures = [what["pips"] for what in hand["held"]]
        said = opinion(rules, figures, hand["out"], over, chance)
        right = said == "undecided" or is_accepted(rules, len(figures), {"hands": [hand]}) == (
            said == "possible"
        )
        tally.add(said, partial(sheet_and_options, rules, {"hands": [hand]}), right=right)
    tally.check(at_least=wanted)
    assert tally.judged["undecided"] <= max(3, NO_OPINION * tally.total), tally.judged


@volumes({"pips": (0.25, 0.05)})
def test_referee_leaves_hardly_any_pips_of_usual_tables_undecided(
    form: str, part: int, wanted: int, record_property: Record
) -> None:
    """The referee can nearly always say whether the remaining pips are possible (Ruling D-10).

    The pips are those of played hands, half of them with a random mistake.
    """
    chance = Seed(bytes(32)).chance(f"open/{part}")
    tally = Tally(f"dominoes, {form}, evidence at usual tables", record_property, wanted)
    while tally.more:
        highest, players, boneyard = chance.pick(USUAL)
        rules = options(highest=highest, boneyard=boneyard, target=10_000)
        play_at_random(over := deal_at_random(rules, players, chance), chance)
        hand = hand_sheet(over, over, [], form)
        if chance.below(2):
            forms.slip_of_pips(hand, rules, chance)
        sheet = {"hands": [hand], "stopped": True}
        judged = referee.judge(rules=engine_rules(rules).options(), seats=players, sheet=sheet)
        said = "refused" if judged.objections else judged.evidence
        tally.add(said, partial(sheet_and_options, rules, sheet), right=True)
    tally.check(at_least=wanted)
    assert tally.judged["open"] <= UNDECIDED * tally.total, tally.judged
