"""The preview of a feria (festival) before it begins: matadors, rivalries, records in reach."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final, NamedTuple

from corridas.escalafon.queries import records
from corridas.escalafon.queries.chances import expected_ears, usual_cartel
from corridas.models import Corrida, Feria, Matador, Puesto
from corridas.season.cartel_queries import Meetings, meetings, recent_corridas

RIVALRIES: Final = 5
MOST_NAMED: Final = 4


class FeriaCorrida(NamedTuple):
    """A corrida of a feria: its matadors in the order of appearance, and what to expect of them.

    `ears` are the ears expected from the six bulls, None if the chances of a card are not
    calculated. `rating` is the mean rating of the matadors.
    """

    corrida: Corrida
    matadors: list[Matador]
    ears: float | None
    rating: float


class Rivalry(NamedTuple):
    """Two matadors who meet in a feria, and their results against each other in two seasons."""

    left: Matador
    right: Matador
    met: Meetings
    corrida: Corrida


@dataclass(frozen=True, kw_only=True)
class FeriaPreview:
    """The preview of a feria.

    `announced` and `open` count corridas with and without matadors. `most` are the matadors with
    several corridas, and the number of each. `best` is the cartel with the most expected ears, or
    with the highest mean rating if the expected ears of any cartel are unknown; None if there are
    fewer than two carteles. `usual` are the ears expected from a usual cartel in plazas of this
    category (`usual_cartel`), None if they are unknown. The carteles of the feria itself are among
    those that it is the mean of.
    """

    announced: int
    open: int
    best: FeriaCorrida | None
    usual: float | None
    most: list[tuple[Matador, int]]
    rivalries: list[Rivalry]
    at_stake: list[tuple[Corrida, records.Sentence]]


def preview(
    feria: Feria, corridas: Sequence[Corrida], *, results: bool = True
) -> FeriaPreview | None:
    """Return the preview of a feria.

    Returns None if the feria has begun, or if no matadors have been announced. Without `results`,
    nothing that depends on past results is included. Eight queries at most.
    """
    if any(corrida.state != Corrida.State.ANNOUNCED for corrida in corridas):
        return None
    category = feria.plaza.category
    puestos = Puesto.objects.filter(cartel__in=[corrida.pk for corrida in corridas]).annotate(
        usual=usual_cartel(feria.season, category)
    )
    trios: dict[int, list[Puesto]] = defaultdict(list)
    usual: float | None = None
    for puesto in puestos.select_related("matador", "card").order_by("cartel", "order"):
        trios[puesto.cartel_id].append(puesto)
        usual = puesto.usual
    bills = [
        _bill(corrida, trios[corrida.pk], category) for corrida in corridas if corrida.pk in trios
    ]
    if not bills:
        return None
    appear = Counter(man for bill in bills for man in bill.matadors)
    several = [(man, number) for man, number in appear.most_common() if number > 1]
    return FeriaPreview(
        announced=len(bills),
        open=len(corridas) - len(bills),
        best=_best(bills) if len(bills) > 1 else None,
        usual=usual,
        most=several[:MOST_NAMED],
        rivalries=_rivalries(feria, bills) if results else [],
        at_stake=_at_stake(corridas) if results else [],
    )


def _bill(corrida: Corrida, puestos: Sequence[Puesto], category: int) -> FeriaCorrida:
    return FeriaCorrida(
        corrida,
        [puesto.matador for puesto in puestos],
        expected_ears([puesto.card.chances(category) for puesto in puestos]),
        sum(puesto.card.rating for puesto in puestos) / len(puestos),
    )


def _best(bills: Sequence[FeriaCorrida]) -> FeriaCorrida:
    """Return the cartel with the most expected ears.

    If the expected ears of any cartel are unknown, this is the one with the highest mean rating,
    without expected ears.
    """
    ears = [bill.ears for bill in bills if bill.ears is not None]
    if len(ears) == len(bills):
        return bills[ears.index(max(ears))]
    return max(bills, key=lambda bill: bill.rating)._replace(ears=None)


def _rivalries(feria: Feria, bills: Sequence[FeriaCorrida]) -> list[Rivalry]:
    pairs = {}
    for bill in reversed(bills):
        for left, right in combinations(bill.matadors, 2):
            pairs[left.pk, right.pk] = (left, right, bill.corrida)
    among = {key for pair in pairs for key in pair}
    met = meetings(recent_corridas(feria.season), among, pairs)
    known = [
        Rivalry(left, right, met[pair], corrida)
        for pair, (left, right, corrida) in pairs.items()
        if pair in met and met[pair].won + met[pair].lost
    ]
    # Rivals who both won many meetings come first.
    known.sort(key=lambda row: (-min(row.met.won, row.met.lost), -row.met.total, row.corrida.date))
    seen: Counter[int] = Counter()
    chosen = []
    for row in known:
        pair = (row.left.pk, row.right.pk)
        if not any(seen[key] > 1 for key in pair):
            seen.update(pair)
            chosen.append(row)
    return chosen[:RIVALRIES]


def _at_stake(corridas: Sequence[Corrida]) -> list[tuple[Corrida, records.Sentence]]:
    """Return records that may be broken in the feria, at most one for each matador."""
    sentences = records.sentences_before(corridas, 2)
    lines: dict[str, tuple[Corrida, records.Sentence]] = {}
    for corrida in corridas:
        for line in sentences.get(corrida.pk, []):
            if line.record:
                lines.setdefault(line.slug, (corrida, line))
    return list(lines.values())[:RIVALRIES]
