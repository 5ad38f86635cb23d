"""Calculates the examples of `docs/records.md`.

`python -m tests.actas.worked` writes them. A test compares the document with the results of this
module, so that no figure in it is wrong.
"""

import os
import re
from hashlib import sha256, shake_256
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
BOOK = ROOT / "docs" / "records.md"
EXAMPLES = ROOT / "docs" / "records"
# Number of steps of a shuffle that the document shows.
SHOWN = 4


def block(name: str, *lines: str) -> str:
    """Return lines between the marks that enclose a calculated part of the document."""
    return "\n".join((f"<!-- worked: {name} -->", *lines, f"<!-- /{name} -->"))


def stream(label: str, seed: str, count: int) -> bytes:
    """Return the first bytes of the random stream with this label."""
    return shake_256(bytes.fromhex(seed) + b"\0" + label.encode()).digest(count)


def row(*cells: Any) -> str:
    """Return a row of a Markdown table."""
    return f"| {' | '.join(str(cell).replace('|', chr(92) + '|') for cell in cells)} |"


def table(*heads: str) -> list[str]:
    """Return the two heading lines of a Markdown table."""
    return [row(*heads), row(*("---" for _ in heads))]


def shuffle_steps(label: str, seed: str, items: list[Any], steps: int) -> list[str]:
    """Return the first steps of a shuffle, byte by byte, as a table."""
    data, at, lines, items = (
        stream(label, seed, 600),
        0,
        table("place", "byte", "other place", "value there now"),
        list(items),
    )
    for top in range(len(items) - 1, len(items) - 1 - steps, -1):
        cast: list[str] = []
        while data[at] >= 256 - 256 % (top + 1):
            cast.append(str(data[at]))
            at += 1
        other = data[at] % (top + 1)
        items[top], items[other] = items[other], items[top]
        told = f"{data[at]} mod {top + 1}" + (f" (cast away: {', '.join(cast)})" if cast else "")
        lines.append(row(top, told, other, items[top]))
        at += 1
    return lines


def sealed(document: Any) -> list[str]:
    """Return the calculation of the commitment (a digest of seed and stake)."""
    from fairness import canonical

    stake = canonical(document["stake"])
    return [
        f"- `stake` in canonical form: {len(stake)} bytes, SHA-256 `{sha256(stake).hexdigest()}`",
        f"- seed `{document['seed']}`",
        f"- SHA-256 of the 32 bytes of the seed and those {len(stake)}: `{document['commitment']}`",
    ]


def lidia(document: Any) -> list[str]:
    """Return every card of a lidia with the running totals."""
    deck, told = document["deck"], document["lidias"][0]
    lines = table("draw", "card", "number", "read", "matador", "bull")
    points = {"score": 0, "bull scores": 0}
    for at, (card, read) in enumerate(zip(told["draws"], told["reads"], strict=True)):
        if scored := re.fullmatch(r"(score|bull scores) ([+-]\d)", read):
            points[scored[1]] += int(scored[2])
        number = deck[card].split(" | ")[0]
        lines.append(row(at, card, number, read, points["score"], points["bull scores"]))
    return lines


def result(document: Any) -> list[str]:
    """Return the calculation of a lidia's result."""
    told = document["lidias"][0]
    got, reads = told["result"], told["reads"]
    rating = document["stake"]["plaza"]["rating"]
    off = -9 * min(got["avisos"], 2)
    final = got["matador_points"] + got["kill_points"] + off
    tens, units = (read.split()[-1] for read in reads[-2:])
    drawn = int(tens + units) or 100
    card = document["stake"]["cartel"][got["finisher"]]
    ranges, read = card["ranges"], got["crowd"] or got["trophy"]
    points = f"{got['matador_points']} {got['kill_points']:+} {off:+} = {final}"
    number = f"{drawn} {got['score']:+} = {drawn + got['score']}"
    brought = f"trophy `{got['trophy']}`, crowd `{got['crowd']}` ({ranges.get(read)})"
    vuelta = f"VUELTA {ranges['vuelta']}: `{str(got['vuelta']).lower()}`"
    return [
        f"- final score: {points}; divided by {rating}, towards zero: {got['score']}",
        f"- final number: {number}; within 1 to 100: {got['number']}",
        f"- on the card of {card['name']}: {brought}; {vuelta}",
    ]


def hand(document: Any) -> list[str]:
    """Return the deal, the moves and the result of a hand."""
    deal, ended = document["deal"], document["result"]
    lines = [f"- seat {seat}: {' '.join(held)}" for seat, held in enumerate(deal["hands"])]
    lines += [
        f"- boneyard, first drawn first: {' '.join(deal['boneyard'])}",
        f"- leader: {deal['leader']}",
        "",
    ]
    lines += table("move", "seat", "plays")
    lines += [row(at, one["seat"], one["move"]) for at, one in enumerate(document["moves"])]
    lines += ["", *table("seat", "holds", "pips", "points")]
    for seat, held in enumerate(ended["held"]):
        lines.append(
            row(seat, " ".join(held) or "nothing", ended["pips"][seat], ended["points"][seat])
        )
    return lines


def dice(document: Any) -> list[str]:
    """Return every die of the first day in order, with the purpose of each roll."""
    from eltoro.acta import RecordedGame
    from eltoro.engine import Event, Move, Rules
    from fairness import Seed

    groups: list[list[Any]] = []

    class Grouped(RecordedGame):
        """A game that stores for each roll the first event after it, which is its purpose."""

        __slots__ = ()

        def throw(self, count: int) -> bytes:
            had = len(groups)
            faces = super().throw(count)
            del groups[had:]
            groups.append([faces, ""])
            return faces

        def report_event(self, event: Event) -> None:
            super().report_event(event)
            for group in groups:
                group[1] = group[1] or type(event).__name__

    rules = Rules(days=document["rules"]["days"], **document["texts"])
    game = Grouped.new(
        rules, len(document["seats"]), Seed(bytes.fromhex(document["seed"])), lambda *_: None
    )
    assert isinstance(game, Grouped)
    game.play_moves([Move.read(one["move"]) for one in document["moves"]])
    lines, at = table("dice", "faces", "for"), 0
    for faces, told in groups:
        end = at + len(faces) - 1
        lines.append(row(f"{at}-{end}" if end > at else at, " ".join(map(str, faces)), FOR[told]))
        at = end + 1
    return lines


def course(document: Any) -> list[str]:
    """Return the events of a game as sentences, with the notation of each card."""
    from eltoro.engine import CardPlayed, DestinationsLaid, Event, Game, GameState, Move, Rules
    from eltoro.stage import sentences
    from fairness import Seed

    rules = Rules(days=document["rules"]["days"], **document["texts"])
    people = [seat["name"] for seat in document["seats"]]
    lines: list[str] = []

    def hear(event: Event, game: GameState) -> None:
        told = sentences.event_sentence(
            event, sentences.EventNames(people, rules, game.destinations)
        )
        if isinstance(event, CardPlayed):
            told += f" (`{event.move}`)"
        if told and not isinstance(event, DestinationsLaid):
            lines.append(f"- {told}")

    game = Game.new(rules, len(people), Seed(bytes.fromhex(document["seed"])), hear)
    for one in document["moves"]:
        game.play(Move.read(one["move"]), witness=hear)
    return lines


FOR = {
    "BullRolled": "bulls",
    "RunnersRolled": "runners, seat after seat in turn order",
    "DieRolled": "a card that rolls",
    "Matched": "the charge: who shows a bull's face",
    "BullAdded": "a bull that a card adds",
}


def begins(label: str, seed: str) -> str:
    """Return a line with the first bytes of a random stream."""
    return f"The stream of `{label}` begins `{stream(label, seed, 12).hex(' ')}`."


def blocks() -> dict[str, str]:
    """Return every calculated part of the document by name."""
    one, two, three = examples()
    parts = {**_of_lidia(one), **_of_hand(two), **_of_game(three)}
    return {name: block(name, *lines) for name, lines in parts.items()}


def _of_lidia(one: Any) -> dict[str, list[str]]:
    told, seed = one["lidias"][0], one["seed"]
    lot = f"So the sorteo is `{one['sorteo']}`: turn {told['turn']} has bull {told['bull']}, "
    cards = " ".join(map(str, told["draws"][:10]))
    return {
        "lidia seal": sealed(one),
        "sorteo": [
            begins("sorteo", seed),
            "",
            *shuffle_steps("sorteo", seed, list(range(6)), 5),
            "",
            lot + told["name"] + ".",
        ],
        "cards": [
            begins(told["label"], seed),
            "",
            *shuffle_steps(told["label"], seed, list(range(70)), SHOWN),
            "",
            f"And so on down to place 1. From its first place on the deck then reads {cards} …",
        ],
        "lidia": lidia(one),
        "lidia result": result(one),
    }


def _of_hand(two: Any) -> dict[str, list[str]]:
    tiles = [f"{high}|{low}" for high in range(7) for low in range(high + 1)]
    steps = shuffle_steps(two["label"], two["seed"], tiles, SHOWN)
    return {
        "hand seal": sealed(two),
        "tiles": [begins(two["label"], two["seed"]), "", *steps],
        "hand": hand(two),
    }


def _of_game(three: Any) -> dict[str, list[str]]:
    seed, day = three["seed"], three["days"][0]
    kinds = [line.split(",") for line in three["texts"]["destinations"].splitlines()[1:]]
    cards = [kind[0] for kind in kinds for _ in range(int(kind[1]))]
    deck = three["shuffles"][0]
    return {
        "game seal": sealed(three),
        "deck": [
            begins("deck/0", seed),
            "",
            *shuffle_steps("deck/0", seed, deck["before"], SHOWN),
            "",
            f"From the last place on, so as they are dealt: {', '.join(deck['after'][:-11:-1])} …",
        ],
        "destinations": [
            begins("day/1", seed),
            "",
            *shuffle_steps("day/1", seed, cards, 5),
            "",
            f"Laid out, the last place first: {', '.join(day['destinations'])}.",
        ],
        "dice": dice(three),
        "course": course(three),
        "points": [f"- seat {seat}: {points}" for seat, points in enumerate(three["points"])],
    }


def examples() -> tuple[Any, Any, Any]:
    """Return a lidia, a hand and a game, as they are stored in `docs/records/`."""
    from tests.actas import documents

    return documents.lidia(3), documents.hand(), documents.town(seats=2, days=1)


NAMES = ("lidia.json", "hand.json", "game.json")


def with_blocks(text: str) -> str:
    """Return the document with every calculated part replaced by the code's result."""
    for name, told in blocks().items():
        pattern = rf"<!-- worked: {name} -->.*?<!-- /{name} -->"
        place = re.search(pattern, text, re.DOTALL)
        assert place is not None, f"{BOOK.name} has no place for “{name}”"
        text = text[: place.start()] + told + text[place.end() :]
    return text


def rewrite() -> None:
    """Write the example files and the document again."""
    import actas

    EXAMPLES.mkdir(exist_ok=True)
    for name, document in zip(NAMES, examples(), strict=True):
        (EXAMPLES / name).write_bytes(actas.to_bytes(document))
    BOOK.write_text(with_blocks(BOOK.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    import django

    django.setup()
    rewrite()
