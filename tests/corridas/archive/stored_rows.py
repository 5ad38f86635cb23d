"""Collects all rows that a circuit shows, without primary keys, so that two circuits can
be compared.
"""

from typing import Any

from corridas.models import (
    Award,
    Bull,
    Circuit,
    Corrida,
    Escalafon,
    Ganaderia,
    Injury,
    Lidia,
    Matador,
    MatadorCard,
    Palmares,
    Plaza,
    Puesto,
    Record,
    Season,
)
from corridas.models.escalafon import COUNTERS

# For each kind of row: the model, the lookup of its circuit, and the columns that are compared.
SEEN = {
    "escalafon": (
        Escalafon,
        "season__circuit",
        ("season__year", "matador__slug", "category", *COUNTERS),
    ),
    "records": (
        Record,
        "book__circuit",
        (
            *("book__scope", "book__of", "key", "value", "before", "season__year", "corrida__date"),
            *("turn", "corrida__plaza__slug", "matador__slug", "ganaderia__slug", "bull__name"),
        ),
    ),
    "palmares": (
        Palmares,
        "book__circuit",
        (
            *("book__scope", "book__of", "matador__slug", "season__year"),
            *("seasons", "leads", "ears", "now_ears"),
        ),
    ),
    "awards": (
        Award,
        "season__circuit",
        (
            *("season__year", "feria__slug", "key", "score", "matador__slug", "ganaderia__slug"),
            *("bull__name", "corrida__date", "turn"),
        ),
    ),
    "cards": (
        MatadorCard,
        "matador__circuit",
        ("matador__slug", "printing", "rating", "since", "rabo"),
    ),
    "bulls": (
        Bull,
        "ganaderia__circuit",
        (
            *("ganaderia__slug", "year", "number", "name", "coat", "weight", "state", "place"),
            *("cartel__corrida__date", "sire__number"),
        ),
    ),
    "corridas": (
        Corrida,
        "season__circuit",
        (
            "date",
            "plaza__slug",
            "feria__slug",
            "state",
            "origin",
            "posted_at",
            "cartel__set_by_hand",
        ),
    ),
    "puestos": (
        Puesto,
        "matador__circuit",
        ("date", "order", "matador__slug", "card__printing", "injured_in", "instead_of__slug"),
    ),
    "lidias": (
        Lidia,
        "corrida__season__circuit",
        (
            *("corrida__date", "corrida__plaza__slug", "turn", "bull__name", "starter__slug"),
            *("finisher__slug", "ending", "injured", "draws", "matador_points", "bull_points"),
            *("kill_points", "avisos", "score", "number", "trophy", "vuelta", "crowd"),
        ),
    ),
    "injuries": (
        Injury,
        "matador__circuit",
        ("matador__slug", "corrida__date", "turn", "grade", "since", "until"),
    ),
    "plazas": (Plaza, "circuit", ("slug", "name", "city", "category", "seats")),
    "herds": (Ganaderia, "circuit", ("slug", "name", "renown", "encaste")),
}

MAN = (
    *("slug", "name", "apodo", "country", "born", "died", "alternativa", "alternativa_place"),
    *("style", "form", "state", "counted_from", "promise", "retired_in", "seasons", "fictional"),
    *("padrino__slug", "testigo__slug"),
)


def told_rows(circuit: Circuit) -> dict[str, Any]:
    """Return the compared rows of a circuit, sorted, with its matadors and the years of finished
    seasons.
    """
    years = [
        season.year
        for season in Season.objects.filter(circuit=circuit, winter__done_at__isnull=False)
    ]
    found: dict[str, Any] = {}
    for name, (model, way, fields) in SEEN.items():
        rows = model._default_manager.filter(**{way: circuit}).values_list(*fields)
        found[name] = sorted((_plain(row) for row in rows), key=repr)
    men = Matador.objects.filter(circuit=circuit).values_list(*MAN)
    found["men"] = sorted(_plain(row) for row in men)
    found["years"] = sorted(years)
    return found


def _plain(row: tuple[Any, ...]) -> tuple[str, ...]:
    return tuple(
        bytes(one).hex() if isinstance(one, bytes | memoryview) else str(one) for one in row
    )
