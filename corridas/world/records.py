"""The record book: kinds of records as data, and pure functions that decide who holds them.

A record is the highest count of its kind. A tie does not change the holder: the earlier season
keeps the record, and within a season the earlier corrida. If two matadors reach the same total in
one season, the one who joined the circuit first holds it. The order in which corridas are posted
does not matter, so a rebuilt record book is always the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from corridas.world.deeds import (
    CIRCUIT,
    FERIA,
    HERD,
    MATADOR,
    PLAZA,
    PlayedCorrida,
    Where,
    count,
    credited,
    shares,
)

# What a record counts: one bull; one matador in a corrida; a whole corrida; one matador in a
# season; all matadors in a season; one matador's career.
LIDIA, SHARE, CORRIDA, SEASON, YEAR, CAREER = (
    "lidia",
    "share",
    "corrida",
    "season",
    "year",
    "career",
)

EVERYWHERE: Final = (CIRCUIT, PLAZA, FERIA, HERD, MATADOR)
PLACED: Final = (CIRCUIT, PLAZA, FERIA, HERD)
OWN: Final = (CIRCUIT, MATADOR)
# Minimum number of corridas in a season for the record of ears per corrida.
RATE_LEAST: Final = 10
# Ears per corrida are stored in hundredths.
HUNDRED: Final = 100


class Kind(NamedTuple):
    """One kind of record.

    `number` represents the key in the database and must never be reused. `over` is the period, `of`
    the counter, `scopes` the kinds of record books that contain it, and `least` the smallest count
    that is a record. A `closing` kind is only evaluated when the season is over, because its value
    can also fall.
    """

    number: int
    key: str
    over: str
    of: str
    scopes: tuple[str, ...]
    least: int = 1
    closing: bool = False


KINDS: Final = (
    Kind(1, "lidia_score", LIDIA, "score", EVERYWHERE),
    Kind(2, "lidia_bull", LIDIA, "bull_points", PLACED),
    Kind(3, "share_ears", SHARE, "ears", EVERYWHERE),
    Kind(4, "share_tails", SHARE, "tails", EVERYWHERE),
    Kind(5, "share_indultos", SHARE, "indultos", EVERYWHERE),
    Kind(6, "share_bulls", SHARE, "bulls", EVERYWHERE, least=3),
    Kind(7, "share_avisos", SHARE, "avisos", EVERYWHERE, least=2),
    Kind(8, "corrida_ears", CORRIDA, "ears", PLACED),
    Kind(9, "corrida_tails", CORRIDA, "tails", PLACED),
    Kind(10, "corrida_indultos", CORRIDA, "indultos", PLACED),
    Kind(11, "corrida_vueltas", CORRIDA, "vueltas", PLACED, least=2),
    Kind(12, "corrida_avisos", CORRIDA, "avisos", PLACED, least=2),
    Kind(13, "season_corridas", SEASON, "corridas", EVERYWHERE, least=2),
    Kind(14, "season_ears", SEASON, "ears", EVERYWHERE),
    Kind(15, "season_tails", SEASON, "tails", EVERYWHERE),
    Kind(16, "season_indultos", SEASON, "indultos", EVERYWHERE),
    Kind(17, "season_rate", SEASON, "rate", OWN, closing=True),
    Kind(18, "year_ears", YEAR, "ears", PLACED),
    Kind(19, "year_tails", YEAR, "tails", PLACED),
    Kind(20, "year_indultos", YEAR, "indultos", PLACED),
    Kind(21, "career_corridas", CAREER, "corridas", PLACED, least=2),
    Kind(22, "career_ears", CAREER, "ears", PLACED),
    Kind(23, "career_tails", CAREER, "tails", PLACED),
    Kind(24, "career_indultos", CAREER, "indultos", PLACED),
    Kind(25, "career_seasons", CAREER, "seasons", (CIRCUIT,), least=2),
    Kind(26, "career_leads", CAREER, "leads", (CIRCUIT,), closing=True),
)
BY_KEY: Final = {kind.key: kind for kind in KINDS}
KEYS: Final = {kind.number: kind.key for kind in KINDS}
# Sections of a record book, and the periods of the records in each.
GROUPS: Final = {
    "corrida": (LIDIA, SHARE, CORRIDA),
    "season": (SEASON, YEAR),
    "career": (CAREER,),
}

# Identifies a record in a circuit: scope, slug of the place, and kind.
Line = tuple[str, str, str]


class Claim(NamedTuple):
    """A value that may be a record, with keys of its corrida and holder (None if there is none).

    `date` is text in ISO format, such as `2027-03-01`.
    """

    value: int
    date: str | None = None
    corrida: int | None = None
    turn: int | None = None
    matador: int | None = None
    herd: int | None = None
    bull: int | None = None

    @property
    def order(self) -> tuple[str, int, int, int]:
        """Sort key for equal values in one season. The lowest one holds the record."""
        return (self.date or "", self.corrida or 0, self.turn or 0, self.matador or 0)


class Holding(NamedTuple):
    """A current record: the claim that set it and its season.

    `before` is the value at the beginning of that season, None if there was no record yet.
    """

    claim: Claim
    season: int
    before: int | None = None


def holding_after(held: Holding | None, claim: Claim, season: int) -> Holding:
    """Return the holder of a record after a new claim.

    `season` must be the latest season with a claim to this record.
    """
    if held is None:
        return Holding(claim, season)
    if held.season == season:
        return held._replace(claim=better_claim(held.claim, claim))
    return Holding(claim, season, held.claim.value) if claim.value > held.claim.value else held


def better_claim(claim: Claim, other: Claim) -> Claim:
    """Return the higher of two claims of one season, or the earlier one if they are equal."""
    if claim.value != other.value:
        return claim if claim.value > other.value else other
    return claim if claim.order <= other.order else other


class BestClaims:
    """The best claim to each record, collected corrida by corrida."""

    def __init__(self) -> None:
        self.claims: dict[Line, Claim] = {}

    def offer(self, line: Line, claim: Claim) -> None:
        held = self.claims.get(line)
        self.claims[line] = claim if held is None else better_claim(held, claim)

    def enter(self, corrida: PlayedCorrida, slugs: Mapping[int, str]) -> None:
        """Add the values of a corrida that may be records. `slugs` are matadors' slugs by key."""
        best: dict[str, Claim] = {}
        for kind, claim in personal_claims(corrida):
            held = best.get(kind.key)
            best[kind.key] = claim if held is None else better_claim(held, claim)
            if MATADOR in kind.scopes and claim.matador is not None:
                self.offer((MATADOR, slugs[claim.matador], kind.key), claim)
        best.update(joint_claims(corrida))
        for scope, of in corrida.places:
            for key, claim in best.items():
                self.offer((scope, of, key), claim)


_LIDIA: Final = tuple(kind for kind in KINDS if kind.over == LIDIA)
_SHARE: Final = tuple(kind for kind in KINDS if kind.over == SHARE)
_CORRIDA: Final = tuple(kind for kind in KINDS if kind.over == CORRIDA)


def personal_claims(corrida: PlayedCorrida) -> Iterator[tuple[Kind, Claim]]:
    day, key, herd, lidias = corrida.day, corrida.pk, corrida.herd_key, credited(corrida)
    for kind in _LIDIA:
        for lidia in lidias:
            value = lidia.score if kind.of == "score" else lidia.bull_points
            if value is not None and value >= kind.least:
                who, bull = lidia.finisher_id, lidia.bull_id
                yield kind, Claim(value, day, key, lidia.turn, who, herd, bull)
    for matador, share in shares(corrida).items():
        for kind in _SHARE:
            if share[kind.of] >= kind.least:
                yield kind, Claim(share[kind.of], day, key, None, matador, herd)


def joint_claims(corrida: PlayedCorrida) -> dict[str, Claim]:
    """Return the claims for a whole corrida: the counts of its matadors added up."""
    whole = count(credited(corrida))
    return {
        kind.key: Claim(whole[kind.of], corrida.day, corrida.pk, herd=corrida.herd_key)
        for kind in _CORRIDA
        if whole[kind.of] >= kind.least
    }


def kinds_of_place(where: Where) -> list[Kind]:
    """Return the kinds of records in the book of a place, without those of a finished season."""
    return [kind for kind in KINDS if where[0] in kind.scopes and not kind.closing]


def rate(ears: int, corridas: int) -> int | None:
    """Return ears per corrida in hundredths, rounded down; None for fewer than `RATE_LEAST`
    corridas.
    """
    return HUNDRED * ears // corridas if corridas >= RATE_LEAST else None
