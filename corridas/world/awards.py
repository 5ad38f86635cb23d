"""Awards of a feria (a festival of corridas) and of a season, calculated by published formulas.

A formula is a list of terms, and each term is a count multiplied by a weight. The result is the sum
of the terms; for herds it is divided by the number of bulls. Ties are broken by a published order
of further counts. There is no jury and no randomness.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Hashable, Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Any, Final, NamedTuple, TypeVar

from corridas.engine import counts_of
from corridas.world.deeds import PlayedCorrida, PlayedLidia, count, credited, sums

TRIUMPH, LIDIA, BULL, HERD, REVELATION = "triumph", "lidia", "bull", "herd", "revelation"


class Term(NamedTuple):
    """A count used by a formula, and the points for each unit of that count."""

    of: str
    weight: int


class Formula(NamedTuple):
    """The formula of an award: its terms and its tie-breakers.

    The first tie-breaker that differs decides. The higher count wins, or the lower one if the name
    of the tie-breaker begins with a minus sign.
    """

    key: str
    terms: tuple[Term, ...]
    ties: tuple[str, ...]


_MATADOR: Final = (
    Term("ears", 3),
    Term("tails", 3),
    Term("indultos", 4),
    Term("vueltas", 1),
    Term("avisos", -1),
    Term("three_avisos", -3),
)
FORMULAS: Final = (
    Formula(TRIUMPH, _MATADOR, ("ears", "tails", "indultos", "-corridas", "-avisos", "-seniority")),
    Formula(
        LIDIA,
        (Term("score", 1), Term("ears", 10), Term("tails", 10), Term("indultos", 15)),
        ("number", "score", "-day", "-corrida", "-turn"),
    ),
    Formula(
        BULL,
        (Term("bull_points", 1), Term("indultos", 15), Term("ears", 3), Term("vueltas", 2)),
        ("bull_points", "score", "-day", "-corrida", "-turn"),
    ),
    Formula(
        HERD,
        (Term("bull_points", 1), Term("indultos", 15), Term("ears", 3), Term("three_avisos", -5)),
        ("indultos", "ears", "bulls", "-seniority"),
    ),
    Formula(
        REVELATION, _MATADOR, ("ears", "tails", "indultos", "-corridas", "-avisos", "-seniority")
    ),
)
BY_KEY: Final = {formula.key: formula for formula in FORMULAS}

# A herd's result is a mean per bull and is stored in hundredths.
HUNDRED: Final = 100
# Minimum number of bulls with which a herd can win a season's award. For a feria one bull is
# enough.
SEASON_BULLS: Final = 12
# A matador counts as a newcomer in the year of his alternativa and in the year after it.
NEW_FOR: Final = 2
# Version of the award rules for new awards. Recalculating an old award uses the version stored with
# it. Version 1 (release 0.1) differs in one point: if a season has no newcomers, the matadors with
# the latest alternativas compete for the revelation award.
VERSION: Final = 2
# Maximum number of such candidates in version 1.
LATEST: Final = 5


class Prize(NamedTuple):
    """An award with its winner, the formula's result and the counts behind that result.

    Winners are primary keys. If neither `matador` nor `herd` is set, nobody won the award. `counts`
    contains `bulls` if the result is a mean per bull.
    """

    key: str
    score: int = 0
    counts: Mapping[str, int] = {}
    matador: int | None = None
    herd: int | None = None
    bull: int | None = None
    corrida: int | None = None
    turn: int | None = None

    def detail(self) -> dict[str, Any]:
        terms = [[term.of, self.counts.get(term.of, 0), term.weight] for term in self.formula.terms]
        bulls = {"bulls": self.counts["bulls"]} if self.key == HERD and self.counts else {}
        return {"terms": terms if self.counts else [], **bulls}

    @property
    def formula(self) -> Formula:
        return BY_KEY[self.key]


def points(formula: Formula, counts: Mapping[str, int]) -> int:
    """Return the result of a formula for these counts.

    A herd's result is the mean per bull in hundredths, rounded down.
    """
    return _scores(formula, [counts])[0]


def _scores(formula: Formula, running: Sequence[Mapping[str, int]]) -> list[int]:
    """Return the result of a formula for each set of counts.

    It loops over terms first because that is faster: a season has about 12,000 results to
    calculate.
    """
    scores = [0] * len(running)
    for of, weight in formula.terms:
        scores = [
            score + weight * counts.get(of, 0)
            for score, counts in zip(scores, running, strict=True)
        ]
    if formula.key == HERD:
        return [
            HUNDRED * score // counts["bulls"]
            for score, counts in zip(scores, running, strict=True)
        ]
    return scores


def new(
    year: int,
    alternativas: Mapping[int, dt.date | None],
    appeared: Iterable[int],
    *,
    version: int = VERSION,
) -> set[int]:
    """Return the newcomers who compete for the revelation award of a year.

    Newcomers took their alternativa in that year or the year before, and must be among the matadors
    who `appeared`. Later events do not change the set.
    """
    known = [
        (day, matador) for matador in appeared if (day := alternativas.get(matador)) is not None
    ]
    fresh = {matador for day, matador in known if 0 <= year - day.year < NEW_FOR}
    if version == 1 and not fresh:
        return {matador for _day, matador in sorted(known, reverse=True)[:LATEST]}
    return fresh


def prizes(
    corridas: Sequence[PlayedCorrida], newcomers: Iterable[int], *, least_bulls: int = 1
) -> list[Prize]:
    """Return all awards of a feria or a season in the order of `FORMULAS`.

    Awards without a winner are included.
    """
    fresh = set(newcomers)
    men = {key: {**own, "seniority": key} for key, own in sums(corridas).items()}
    bulls = [(corrida, lidia) for corrida in corridas for lidia in credited(corrida)]
    herds = {
        herd: {**own, "seniority": herd}
        for herd, own in _of_herds(corridas).items()
        if own["bulls"] >= least_bulls
    }
    new_men = {key: own for key, own in men.items() if key in fresh}
    return [
        _to_matador(TRIUMPH, men),
        _to_bull(LIDIA, bulls),
        _to_bull(BULL, bulls),
        _to_herd(herds),
        _to_matador(REVELATION, new_men),
    ]


Who = TypeVar("Who", bound=Hashable)
Counts = Mapping[str, int]


def _first(key: str, running: Mapping[Who, Counts]) -> tuple[Who, int, Counts] | None:
    """Return the winner of a formula, his result and his counts.

    None if no candidate has a positive result.
    """
    formula = BY_KEY[key]
    scores = _scores(formula, list(running.values()))
    most = max(scores, default=0)
    if most <= 0:
        return None
    level = [who for who, score in zip(running, scores, strict=True) if score == most]
    winner = max(level, key=lambda who: [_signed(running[who], tie) for tie in formula.ties])
    return winner, most, running[winner]


def _signed(counts: Counts, tie: str) -> int:
    return -counts.get(tie[1:], 0) if tie.startswith("-") else counts.get(tie, 0)


def _to_matador(key: str, men: Mapping[int, Counts]) -> Prize:
    winner = _first(key, men)
    if winner is None:
        return Prize(key)
    matador, score, counts = winner
    return Prize(key, score, counts, matador=matador)


def _to_herd(herds: Mapping[int, Counts]) -> Prize:
    winner = _first(HERD, herds)
    if winner is None:
        return Prize(HERD)
    herd, score, counts = winner
    return Prize(HERD, score, counts, herd=herd)


def _to_bull(key: str, bulls: Sequence[tuple[PlayedCorrida, PlayedLidia]]) -> Prize:
    scores = _scores_of_bulls(BY_KEY[key], [lidia for _corrida, lidia in bulls])
    most = max(scores, default=0)
    level = [bull for bull, score in zip(bulls, scores, strict=True) if score == most]
    winner = _first(key, {bull: _of_bull(*bull) for bull in level})
    if winner is None:
        return Prize(key)
    (corrida, lidia), score, counts = winner
    return Prize(
        *(key, score, counts, lidia.finisher_id, corrida.herd_key),
        *(lidia.bull_id, corrida.pk, lidia.turn),
    )


# Terms whose value is a score. All other terms are small counts that have few combinations, so
# their points can be cached.
_NUMBERS: Final = ("score", "bull_points")


def _scores_of_bulls(formula: Formula, lidias: Sequence[PlayedLidia]) -> list[int]:
    """Return the result of a formula for each bull.

    The points for the small counts are calculated once per combination of counts.
    """
    counted = [term for term in formula.terms if term.of not in _NUMBERS]
    (number,) = [term for term in formula.terms if term.of in _NUMBERS]
    own, points_by_counts = attrgetter(number.of), dict[int, int]()
    scores = []
    for lidia in lidias:
        counts = counts_of(lidia)  # equal counts are the same object
        points = points_by_counts.get(id(counts))
        if points is None:
            points = sum(term.weight * counts[term.of] for term in counted)
            points_by_counts[id(counts)] = points
        scores.append(number.weight * (own(lidia) or 0) + points)
    return scores


def _of_bull(corrida: PlayedCorrida, lidia: PlayedLidia) -> Counts:
    counts = counts_of(lidia)
    return {
        "ears": counts["ears"],
        "tails": counts["tails"],
        "indultos": counts["indultos"],
        "vueltas": counts["vueltas"],
        "bull_points": lidia.bull_points,
        "score": lidia.score or 0,
        "number": lidia.number or 0,
        "turn": lidia.turn,
        "day": corrida.date.toordinal(),
        "corrida": corrida.pk,
    }


def _of_herds(corridas: Iterable[PlayedCorrida]) -> dict[int, dict[str, int]]:
    lidias_by_herd: dict[int, list[PlayedLidia]] = {}
    for corrida in corridas:
        lidias_by_herd.setdefault(corrida.herd_key, []).extend(corrida.lidias)
    return {
        herd: {**count(lidias), "bull_points": sum([lidia.bull_points for lidia in lidias])}
        for herd, lidias in lidias_by_herd.items()
        if lidias
    }
