"""Model of the winter between two seasons."""

from __future__ import annotations

from typing import NotRequired, TypedDict

from django.db import models
from django.utils.translation import gettext_lazy as _

from corridas.models.seasons import Season


class NewsName(TypedDict):
    """A matador or herd in a winter's news, with the name it had in that winter."""

    slug: str
    name: str


class NewsItem(TypedDict):
    """One item of a winter's news as JSON. Its `kind` determines which members it has.

    `before` and `after` are ratings of a card or ranks of a herd. `date` is in ISO format, and
    `bull` is a primary key.
    """

    kind: str
    slug: NotRequired[str]
    name: NotRequired[str]
    why: NotRequired[str]
    padrino: NotRequired[NewsName]
    testigo: NotRequired[NewsName]
    plaza: NotRequired[str]
    date: NotRequired[str]
    country: NotRequired[str]
    birthplace: NotRequired[str]
    age: NotRequired[int]
    before: NotRequired[int]
    after: NotRequired[int]
    printing: NotRequired[int]
    bull: NotRequired[int]
    number: NotRequired[int]
    herd: NotRequired[NewsName]


class Winter(models.Model):
    """The winter after a season. It is played once (Ruling F-2).

    Its seed is committed to when the season is planned. `news` are the changes as JSON, in the
    order of the page. `known` is the compressed input, from which the winter can be recalculated
    even if rows have changed. `version` is the version of the rules that it committed to
    (`world.winter.VERSION`). `new_cards_at` is when it was decided that all cards are printed again
    at its end, None if they are not. `end_seen_at` is when the director whose run ended the season
    opened the page about its end. `begun_at` is when a director started the next season
    (`world.pauses`).
    """

    season = models.OneToOneField(
        Season,
        on_delete=models.CASCADE,
        primary_key=True,
        related_name="winter",
        verbose_name=_("season"),
    )
    seed = models.BinaryField(max_length=32, editable=False)
    commitment = models.BinaryField(max_length=32, editable=False)
    version = models.PositiveSmallIntegerField(
        _("version of the rules"), default=1, db_default=1, editable=False
    )
    news = models.JSONField(_("news"), default=list, editable=False)
    known = models.BinaryField(default=b"", editable=False)
    done_at = models.DateTimeField(_("over since"), null=True, blank=True, editable=False)
    new_cards_at = models.DateTimeField(
        _("cards printed again, decided at"), null=True, blank=True, editable=False
    )
    end_seen_at = models.DateTimeField(null=True, blank=True, editable=False)
    begun_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        verbose_name = _("winter")
        verbose_name_plural = _("winters")

    def __str__(self) -> str:
        return f"{_('winter')} {self.season}"
