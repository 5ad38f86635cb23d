"""Queries for the stored chances of cards: of one card, of a usual cartel, and of a season."""

from __future__ import annotations

from typing import Final, NamedTuple

from django.db.models import (
    Case,
    Count,
    F,
    FloatField,
    Func,
    Q,
    Subquery,
    Sum,
    Value,
    When,
)

from corridas.engine import BULLS, MATADORS
from corridas.models import Lidia, Puesto, Season
from corridas.world.chances import CATEGORIES, Chances

# Number of bulls that each matador of a corrida faces.
BULLS_EACH: Final = BULLS // MATADORS


def chance_columns(category: int) -> tuple[str, str, str, str]:
    """Return the columns of a card with its chances in a category, in the order of `Chances`."""
    return f"ear_{category}", f"two_ears_{category}", f"lap_{category}", f"ears_{category}"


def stored_chances(
    ear: float | None, two_ears: float | None, lap: float | None, ears: float | None
) -> Chances | None:
    """Return the chances from the values of the columns, or None if one is not calculated yet."""
    if ear is None or two_ears is None or lap is None or ears is None:
        return None
    return Chances(ear=ear, two_ears=two_ears, lap=lap, ears=ears)


def expected_ears(cards: list[Chances | None]) -> float | None:
    """Return the ears expected from matadors with two bulls each, or None if a card has no
    chances.
    """
    known = [chances.ears for chances in cards if chances]
    return BULLS_EACH * sum(known) if known and len(known) == len(cards) else None


def usual_cartel(season: Season, category: int) -> Subquery:
    """Return an expression for the ears that a usual cartel lets one expect in such plazas.

    It is the mean of all announced carteles in plazas of the category, in this season and the one
    before it, each matador with the card of that day. Cards without chances are left out. The value
    is None if no such card exists. The database calculates it once for a query, not per row.
    """
    booked = Puesto.objects.filter(
        cartel__corrida__season__circuit=season.circuit_id,
        cartel__corrida__season__year__in=(season.year - 1, season.year),
        cartel__corrida__plaza__category=category,
    ).order_by()
    # The mean is not an aggregate of Django's, which would group the rows.
    mean = Func(F(f"card__ears_{category}"), function="AVG", output_field=FloatField())
    return Subquery(booked.values(usual=mean * Value(float(BULLS))))


class Expectation(NamedTuple):
    """The ears that the cards of a matador and his plazas let one expect from his bulls of a
    season, and the standard deviation.
    """

    ears: float
    deviation: float


def expectations(season: Season, matadors: list[int]) -> dict[int, Expectation]:
    """Return what the posted corridas of a season let one expect of these matadors. One query.

    The bulls are those that a matador finished, because the ranking credits him with their ears.
    Each counts with the card that he fought with, in the category of the plaza. A matador has no
    entry if one of these cards has no chances. The deviation is the square root of the summed
    variances; the variance of a bull follows from the chances of one ear and of two, where a tail
    counts as two.
    """
    card = "corrida__cartel__puestos__card"
    means, squares = [], []
    for category in CATEGORIES:
        here = Q(corrida__plaza__category=category)
        means.append(When(here, then=F(f"{card}__ears_{category}")))
        # One ear counts 1 x 1, two ears 2 x 2: P(one) + 4 P(two) = P(one or more) + 3 P(two).
        square = F(f"{card}__ear_{category}") + 3.0 * F(f"{card}__two_ears_{category}")
        squares.append(When(here, then=square))
    fought = Lidia.objects.posted().filter(
        corrida__season=season,
        finisher__in=matadors,
        corrida__cartel__puestos__matador=F("finisher"),
    )
    bulls = fought.order_by().annotate(
        mean=Case(*means, output_field=FloatField()),
        square=Case(*squares, output_field=FloatField()),
    )
    rows = bulls.values_list("finisher_id").annotate(
        number=Count("pk"),
        known=Count("mean"),
        ears=Sum("mean"),
        variance=Sum(F("square") - F("mean") * F("mean"), output_field=FloatField()),
    )
    return {
        matador: Expectation(ears, max(variance, 0.0) ** 0.5)
        for matador, number, known, ears, variance in rows
        if number == known and variance is not None
    }
