"""The match forms of all games, with fields for tests."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any, Final

from django.utils import timezone

from corridas.engine import BULLS
from corridas.engine import Rules as CorridaRules
from corridas.tabletop.operations import begin_table_corrida
from dominoes.engine import Rules as DominoRules
from fairness import Chance
from leagues.models import League, Match, Player
from tests.eltoro.tabletop.sheets.paper import town
from tests.factories import small_circuit
from tests.leagues.pages.matches.form import Form, Press

# A number too long for any database column.
LONG: Final = "9" * 30

# Dominoes


def fields(**sent: Any) -> dict[str, Any]:
    """Return form fields of a hand; `held_1="5|3 2|1"` selects tiles, `pips_1` enters pips."""
    found: dict[str, Any] = {}
    for name, value in sent.items():
        key = name.replace("_", "-")
        if key.startswith("held-"):
            found[key] = value.split()
            found.setdefault(f"pips-{key[5:]}", "")
        else:
            found[key] = value
    return found


HELD: Final = {"held_1": "5|3 2|1 6|0", "held_2": "6|2 5|5", "held_3": "4|0 1|1"}
HAND: Final = fields(out="0", **HELD)
PIPS: Final = fields(out="1", pips_0="6", pips_2="3", pips_3="5")
TRUSTED: Final = {"out": "0", "pips_1": "4", "pips_2": "3", "pips_3": "5"}
TILES: Final = (["5|3", "2|1", "6|0"], ["6|2", "5|5"], ["4|0", "1|1"])
SLIPS: Final[tuple[tuple[dict[str, str], str], ...]] = (
    ({"pips_1": "-4"}, "a hand can’t have fewer than 0 tiles or pips"),
    ({"pips_1": "900"}, "t have 900 pips"),
    ({"pips_1": "lots"}, "is not a valid number of pips"),
    (
        {"pips_1": "1", "pips_2": "1", "pips_3": "1"},
        "not possible together with a single set of tiles",
    ),
    ({"held_1": "7|7"}, "this set has no tile “7-7”"),
    ({"held_1": "5|3 3|5"}, "5-3 appears twice"),
    ({"out": "9"}, "This table does not have the chosen seat"),
    ({"pips_2": ""}, "Which tiles did iker have left?"),
)


def _any_hand(chance: Chance) -> dict[str, Any]:
    """Return random fields of a hand, many of them invalid."""
    rests = ["", "left", "moves", "score", "stopped", "6|3", "6-6", ">4|4", "<1|1", "draw", "pass"]
    rests += ["5|3:1", "x:9", "-1", "0", LONG, "\x00", "“"]
    values = ["", "0", "1", "2", "7", "-3", "blocked", "x", LONG, "6|3", "0|0", "\x00", "1e9", "²"]
    names = ["out", "leader", "who", "held-0", "held-1", "pips-0", "pips-1", "total-0", "total-1"]
    deeds = ["read", "assign_tile", "input_mode", "tile", "move", "back", "stuck", "send"]
    deeds += ["finish", "score"]
    deeds += ["undo", "edit", "clear", "rewrite", "leave", "jump"]
    sent: dict[str, Any] = {}
    for _ in range(chance.below(8)):
        name = chance.pick([*names, "stopped", "version"])
        many = [chance.pick([*rests, *values]) for _ in range(chance.below(3))]
        sent[name] = many if name.startswith("held") else chance.pick(values)
    return sent | {"do": f"{chance.pick(deeds)}:{chance.pick(rests)}".removesuffix(":")}


DOMINOES: Final = Form(
    game="dominoes",
    names=("north", "ana", "iker", "south"),
    rules=DominoRules(target=40).options(),
    paper="dominoes_match_sheet",
    heading="Enter the result of a hand",
    whole=(Press("send", HAND),),
    sheet=lambda _match: {
        "hands": [
            {
                "leader": None,
                "out": 0,
                "blocked": False,
                "held": [None, *({"tiles": tiles} for tiles in TILES)],
            }
        ]
    },
    points=[41, 0, 0, 0],
    places=[1, 2, 2, 2],
    evidence="sheet",
    begun=(Press("send", PIPS, ("The hand has been saved.",)),),
    parts=lambda draft: len(draft["hands"]),
    more=Press("send", PIPS),
    live=Press("read", HAND, ("Submit the hand and win the match",)),
    kept='name="held-1" value="5|3" checked',
    refused=tuple((Press("send", fields(**TRUSTED | slip), (says,)),) for slip, says in SLIPS),
    correction=(
        Press("rewrite"),
        Press("edit:0", says=("Save hand",)),
        Press("send", fields(out="0", **HELD | {"held_3": "4|0 2|2"})),
        Press("finish"),
    ),
    submit_labels=("Submit correction", "Preview changes"),
    corrected=[43, 0, 0, 0],
    any_press=_any_hand,
    any_fault=lambda path: path == "hands",
)

# El Toro: Running with the Bulls


def grid(*days: str) -> dict[str, Any]:
    """Return fields of points by day: `grid("14 9", "8 17", "- 3")`; a dash is an empty field."""
    return {
        f"points-{day}-{seat}": "" if text == "-" else text
        for day, row in enumerate(days)
        for seat, text in enumerate(row.split())
    }


def day(gained: str = "0 0", dice: str = "", **arrived: str) -> dict[str, Any]:
    """Return fields of a day by destination and seat.

    `day(bank="1 0", restaurant_1="0 2")` has a card of each destination with the runners who
    arrived there.
    """
    laid: list[str] = []
    sent: dict[str, Any] = {"laid": laid}
    for name, counts in arrived.items():
        key, _underscore, number = name.partition("_")
        card = f"{key.replace('china', 'china-shop')}.{number or 0}"
        laid.append(card)
        sent |= {f"n-{card}-{seat}": text for seat, text in enumerate(counts.split())}
    sent |= {f"gained-{seat}": text for seat, text in enumerate(gained.split())}
    rolled = [one.split(":") for one in dice.split()]
    return sent | {f"die-{seat}-0": face for seat, face in rolled}


ARRIVALS: Final = Press("input_mode:arrivals")
FIRST: Final = day(restaurant="2 0", nightclub="2 0", casino="0 3", bank="0 1", pier="0 0")
SECOND: Final = day(
    "0 2", "1:4", restaurant="1 4", restaurant_1="0 0", bank="1 0", casino="0 0", pier="1 1"
)
REST: Final = {"nightclub": "1 0", "casino": "0 0", "bank": "0 0", "pier": "0 0"}
GRIDS: Final = (
    (
        grid("67 0", "0 0", "0 0"),
        "Day 1, ana: a player can score at most 66 points in a day, but you entered 67 points.",
    ),
    (
        grid("0 0", "0 82", "0 0"),
        "Day 2, blas: a player can score at most 81 points in a day, but you entered 82 points.",
    ),
    (
        grid("-1 0", "0 0", "0 0"),
        (
            "Day 1, ana: a player’s score for a day must be at least 0 points, but you "
            "entered −1 point."
        ),
    ),
    (
        grid("0 0", "-2 0", "0 0"),
        (
            "Day 2, ana: a player’s score for a day must be at least −1 point, but you "
            "entered −2 points."
        ),
    ),
    (grid("0 0", "lots 0", "0 0"), "Day 2, ana: “lots” is not a whole number."),
    (grid("0 0", "1.5 0", "0 0"), "Day 2, ana: “1.5” is not a whole number."),
    (grid("0 0", "- 0", "0 0"), "One field is still empty."),
    (grid("- -", "- -", "- -"), ("Enter the points that each player had at the end of each day.")),
)
DAYS: Final = (
    (
        day(restaurant="8 0", **{**REST, "nightclub": "2 0"}),
        "Day 1: ana had 9 runners, so the number that reached a destination can’t be 10.",
    ),
    (day(**REST), "Day 1: five destinations must be laid out, not 4. Which ones were they?"),
    (
        day(restaurant="-1 0", **REST),
        "Day 1, ana: the number can’t be below 0, so it can’t be -1.",
    ),
    (day(restaurant="x 0", **REST), "“x” is not a whole number."),
    (
        day("99 0", restaurant="0 0", **REST),
        "Day 1, ana: cards can earn at most 12 points in a day, not 99 points.",
    ),
)


def _any_evening(chance: Chance) -> dict[str, Any]:
    """Return random fields of points or of a day, many of them invalid."""
    deeds = ["read", "way", "send", "send", "points", "finish", "edit", "clear", "rewrite", "leave"]
    rests = ["", "points", "arrivals", "arrivals", "0", "1", "-1", LONG, "\x00", "“"]
    values = ["", "0", "1", "2", "7", "-3", "−1", "x", LONG, "\x00", "1e9", "²", "4.5"]
    cards = ["restaurant.0", "restaurant.1", "nightclub.0", "casino.0", "bank.0", "pier.0", "zoo.0"]
    cards += ["restaurant", "bank.7", ".", ""]
    sent: dict[str, Any] = {}
    if chance.below(2):
        sent |= {f"points-{n // 2}-{n % 2}": chance.pick(values) for n in range(chance.below(9))}
    if chance.below(4):
        sent["laid"] = [chance.pick(cards) for _ in range(chance.below(8))]
        sent |= {f"gained-{seat}": chance.pick(["0", "1", *values]) for seat in (0, 1)}
        sent |= {f"n-{chance.pick(cards)}-{chance.below(3)}": chance.pick(values) for _ in range(4)}
        sent |= {f"die-{seat}-0": chance.pick(values) for seat in (0, 1) if chance.below(2)}
    return sent | {"do": f"{chance.pick([*deeds, '?'])}:{chance.pick(rests)}".removesuffix(":")}


ELTORO: Final = Form(
    game="eltoro",
    names=("ana", "blas"),
    rules=town().options(),
    paper="eltoro_match_sheet",
    heading="Enter the result of an evening",
    whole=(
        Press(
            "points", grid("14 9", "8 17", "12 8"), ("ana wins, having scored 12 on the last day.",)
        ),
    ),
    sheet=lambda _match: {"kind": "points", "days": [[14, 9], [8, 17], [12, 8]]},
    points=[34, 34],
    places=[1, 2],
    evidence="score",
    begun=(ARRIVALS, Press("send", FIRST, ("The day has been saved.",))),
    parts=lambda draft: len(draft["days"]),
    more=Press("send", SECOND),
    live=Press("read", grid("14 9", "8 17", "12 8"), ("ana wins",)),
    kept='name="points-1-1" value="17"',
    refused=(
        *((Press("points", sent, (says,)),) for sent, says in GRIDS),
        *((ARRIVALS, Press("send", sent, (says,))) for sent, says in DAYS),
        (ARRIVALS, Press("edit:7", says=("The scoresheet does not contain this day",))),
    ),
    correction=(
        Press("rewrite", says=('name="points-0-0" value="14"',)),
        Press("points", grid("14 9", "8 17", "12 19")),
    ),
    submit_labels=("Submit correction", "Preview changes"),
    corrected=[34, 45],
    any_press=_any_evening,
    any_fault=lambda path: "die" in path or "dice" in path,
)

# Indulto


def score(bull: int, modified: object, **more: str) -> dict[str, Any]:
    """Return fields of a lidia of which only the result is known."""
    plain = {"way": "score", "form": "score", "ending": "killed", "avisos": "0"}
    return plain | {"bull": str(bull), "modified": str(modified), **more}


def figures(bull: int, **changed: str) -> dict[str, Any]:
    """Return form fields of a lidia in which only the number 50 is filled in."""
    zeros = [*(f"p-{tercio}-{side}" for tercio in range(3) for side in (0, 1))]
    zeros += [f"k-{stroke}" for stroke in range(5)]
    plain = {"way": "sheet", "form": "sheet", "bull": str(bull), "avisos": "0", "number": "50"}
    return dict.fromkeys(zeros, "0") | plain | {n.replace("_", "-"): v for n, v in changed.items()}


def _begin_corrida(league: League, players: Sequence[Player]) -> Match:
    """Create a match that is a corrida with a cartel and without lidias."""
    world = small_circuit()
    return begin_table_corrida(
        players=players,
        by=players[0],
        plaza=world.plazas[1],
        date=dt.date(2027, 5, 1),
        matadors=[matador.cards.get() for matador in world.matadors[:3]],
        bulls=[{"name": f"Toro {number}", "number": number} for number in range(BULLS)],
        at=timezone.now(),
        league=league,
        leads=[place % len(players) for place in range(3)],
    )


def _corrida(match: Match) -> Any:
    """Return the scoresheet of a corrida in which each lidia earns an ear."""
    lidias = [
        {
            "score": {
                "began": turn % 3,
                "injured": [],
                "ending": "killed",
                "modified": 51 + turn,
                "avisos": 0,
            }
        }
        for turn in range(BULLS)
    ]
    frame: Any = match.draft
    return {**frame, "lidias": lidias}


def _any_lidia(chance: Chance) -> dict[str, Any]:
    """Return random fields of a lidia, many of them invalid."""
    deeds = ["read", "card", "card", "typed", "back", "put", "put", "wipe", "way", "bull", "send"]
    deeds += ["rewrite", "leave", "jump"]
    rests = ["", "0", "7", "69", "70", "-1", "cards", "sheet", "score", "6", LONG, "\x00", "“"]
    values = ["", "0", "1", "2", "50", "-3", "−1", "+2 B1", "x", LONG, "\x00", "1e9", "²", "killed"]
    names = [*figures(1), *score(1, 50), "card", "hurt-0", "hurt-2", "finished", "marks", "indulto"]
    sent = chance.pick([{}, figures(1), score(1 + chance.below(2), 50), score(6, 90)])
    sent = {**sent, **{chance.pick(names): chance.pick(values) for _ in range(chance.below(3))}}
    return sent | {"do": f"{chance.pick(deeds)}:{chance.pick(rests)}".removesuffix(":")}


MODIFIER: Final = "No card in this deck has this kill modifier."
INDULTO: Final = Form(
    game="indulto",
    names=("Ana", "Berta"),
    rules=CorridaRules().options(),
    paper="tienta_sheet",
    heading="Three matadors",
    whole=(
        Press("put", score(1, 51), ("The lidia with bull 1 has been saved.",)),
        *(Press("put", score(bull, 50 + bull)) for bull in range(2, BULLS + 1)),
        Press("send"),
    ),
    sheet=_corrida,
    points=[4, 2],
    places=[1, 2],
    evidence="score",
    begun=(Press("put", score(1, 60), ("is-stands",)),),
    parts=lambda draft: len([lidia for lidia in draft["lidias"] if lidia]),
    more=Press("put", score(2, 60)),
    live=Press("read", figures(1, number=""), ("Enter the number that was drawn.",)),
    kept='name="k-0" value="0"',
    refused=(
        (Press("put", figures(1, k_1="-99"), (MODIFIER, "Ruling I-1", 'value="-99"')),),
        (Press("put", score(1, 50, ending=""), ("Choose how the lidia ended.",)),),
        (Press("card:70", {"bull": "1", "way": "cards"}, ("is not a card",)),),
        (Press("back", {"bull": "1", "way": "cards"}, ("There is no card to undo.",)),),
        (
            Press(
                "send",
                says=(
                    (
                        "Some lidias are still incomplete or contain errors. Check them before "
                        "you submit the corrida."
                    ),
                ),
            ),
        ),
    ),
    correction=(
        Press(
            "rewrite",
            says=(
                (
                    "You are correcting a result that has already been entered. Before anything "
                    "changes, you will see a preview."
                ),
            ),
        ),
        Press("put", score(BULLS, 90)),
        Press("send"),
    ),
    submit_labels=("Submit corrida", "Submit corrida"),
    corrected=[5, 2],
    any_press=_any_lidia,
    any_fault=lambda path: path.startswith("lidias"),
    open=_begin_corrida,
)

FORMS: Final = (DOMINOES, ELTORO, INDULTO)
