"""Which cards are printed: announced on a cartel or played, and so not to be changed any more."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, QuerySet

from corridas.models import MatadorCard, Puesto


def announced() -> Exists:
    """Whether a cartel names a card; the matador is asked for as well, for he has the index."""
    return Exists(Puesto.objects.filter(matador=OuterRef("matador"), card=OuterRef("pk")))


def printed_cards() -> QuerySet[MatadorCard]:
    """Cards that a cartel points to, the newest printing of each matador first."""
    return MatadorCard.objects.filter(announced()).order_by("matador", "-printing")


def open_cards() -> QuerySet[MatadorCard]:
    """Cards that no cartel points to yet, the newest printing of each matador first."""
    return MatadorCard.objects.filter(~announced()).order_by("matador", "-printing")
