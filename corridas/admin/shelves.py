"""What is done with rows of the rosters: printing on, retiring, to the archive and back."""

from __future__ import annotations

from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from corridas.admin.keeping import who
from corridas.admin.office import Verb
from corridas.models import Ganaderia, Matador, Plaza
from corridas.operations.printing import print_next_card
from corridas.operations.rosters import (
    archive_place,
    bring_back_matador,
    restore_place,
    retire_matador,
)


def _print_next(request: HttpRequest, matador: Matador) -> str:
    card = print_next_card(matador=matador, by=who(request), at=timezone.now())
    said = _("Printing %(printing)s of %(matador)s can be edited until it is announced.")
    return said % {"printing": card.printing, "matador": matador}


def _retire(request: HttpRequest, matador: Matador) -> str:
    retire_matador(matador=matador, by=who(request), at=timezone.now())
    return _("%s has retired and will not be contracted any more.") % matador


def _bring_back(request: HttpRequest, matador: Matador) -> str:
    bring_back_matador(matador=matador, by=who(request), at=timezone.now())
    return _("%s is active again.") % matador


def _archive(request: HttpRequest, place: Plaza | Ganaderia) -> str:
    archive_place(place=place, by=who(request), at=timezone.now())
    return _("%s has been archived and will not be used in new seasons and carteles.") % place


def _restore(request: HttpRequest, place: Plaza | Ganaderia) -> str:
    restore_place(place=place, by=who(request), at=timezone.now())
    return _("%s is in use again.") % place


NEXT = Verb(
    "next-printing",
    gettext_lazy("Create the next printing"),
    _print_next,
    ("corridas.change_matador", "corridas.add_matadorcard"),
)
RETIRE = Verb("retire", gettext_lazy("Retire"), _retire, ("corridas.change_matador",))
RETURN = Verb("return", gettext_lazy("Bring back"), _bring_back, ("corridas.change_matador",))


def shelves(model: str) -> tuple[Verb, Verb]:
    """To the archive, and back."""
    needs = (f"corridas.change_{model}",)
    return (
        Verb("archive", gettext_lazy("Move to the archive"), _archive, needs),
        Verb("restore", gettext_lazy("Restore from the archive"), _restore, needs),
    )
