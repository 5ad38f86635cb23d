"""Chances stored with printed cards, calculated from the score counts of a deck and a rule set.

Score counts take seconds to sample, so a worker samples them (`count_scores`). Once they exist, the
chances of a card take less than a millisecond per category, so they are calculated whenever a card
is saved: `fill_chances` for new cards, `renew_chances` after changes by users. Cards that were
saved before the counts existed are filled by a worker (`fill_circuit`). A periodic task finds lost
work (`lost_scores`, `circuits_to_fill`).

Pages only read columns of the card (`MatadorCard.chances`). For cards that are not printed they
calculate from `scores_of`. `why_missing` returns a sentence for cards without chances.
"""

from __future__ import annotations

import datetime as dt
import logging
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from math import isclose
from typing import Final, NamedTuple

from django.db import transaction
from django.db.models import F, Model, QuerySet
from django.utils.translation import gettext as _

from core.jobs import DATABASE_ERRORS, enqueue
from corridas.bulk import bulk_update
from corridas.engine import RANGES, CardError, EngineError, RulesError
from corridas.engine import MatadorCard as EngineCard
from corridas.models import Circuit, Deck, DeckScores, MatadorCard, Season
from corridas.models.matadors import CHANCES
from corridas.world.chances import CATEGORIES, ScoreCounts, chances, decode, encode
from corridas.world.chances.sample import bundled_scores, rules_from, rules_text, sample

log = logging.getLogger(__name__)

Columns = Mapping[str, float | None]
NO_CHANCES: Final[Columns] = dict.fromkeys(CHANCES)
# Cards that are filled by one transaction.
BATCH_SIZE: Final = 100
TRIES: Final = 3


def scores_of(circuit: Circuit) -> ScoreCounts | None:
    """Return the score counts of a circuit's deck and rules, or None if they do not exist yet.

    No query if the deck is loaded and is the bundled one with the default rules, otherwise one.
    """
    setting = _setting(circuit)
    return setting and _stored_counts(setting)


def why_missing(circuit: Circuit, card: MatadorCard | None = None) -> str:
    """Return the sentence for pages that show a card without chances, or several cards."""
    setting = _setting(circuit)
    counts = _stored_counts(setting) if card and setting else None
    if card and counts and card_columns(card, counts)["ear_1"] is None:
        return _("This card is not valid, so it has no chances.")
    reason = DeckScores.Reason.INVALID if setting is None else _failure(setting)
    if reason:
        return str(DeckScores.Reason(reason).label)
    return _("The chances are being calculated. Reload in a minute.")


def fill_chances(circuit: Circuit, cards: Iterable[MatadorCard]) -> list[MatadorCard]:
    """Set the chances of cards that are about to be saved, and return the cards.

    If the score counts do not exist yet, the chances are None and a worker is asked to calculate
    them after the commit.
    """
    held = list(cards)
    counts = scores_of(circuit) if held else None
    if held and counts is None:
        request_scores(circuit)
    for card in held:
        for name, value in card_columns(card, counts).items():
            setattr(card, name, value)
    return held


def card_columns(card: MatadorCard, counts: ScoreCounts | None) -> Columns:
    """Return the columns with the chances of a card.

    They are None without score counts, and for a card that is not valid.
    """
    return NO_CHANCES if counts is None else _columns(tuple(card.ranges().values()), counts)


class _Setting(NamedTuple):
    """The digest of a deck and the text of a rule set."""

    deck: str
    rules: str


def _setting(circuit: Circuit) -> _Setting | None:
    """Return the deck and the rules of a circuit, or None if its rules are not valid."""
    try:
        return _Setting(circuit.deck.digest, rules_text(circuit.engine_rules()))
    except RulesError:
        return None


def _stored_counts(setting: _Setting) -> ScoreCounts | None:
    bundled = bundled_scores()
    if setting == (bundled.deck, bundled.rules):
        return bundled.counts
    rows = DeckScores.objects.filter(**setting._asdict(), counts__isnull=False)
    stored = rows.values_list("counts", flat=True).first()
    return None if stored is None else decode(stored)


def _failure(setting: _Setting) -> str:
    rows = DeckScores.objects.filter(**setting._asdict())
    return rows.values_list("reason", flat=True).first() or ""


@lru_cache(maxsize=2 * BATCH_SIZE)
def _columns(ranges: tuple[str, ...], counts: ScoreCounts) -> Columns:
    card = _parsed(ranges)
    if card is None:
        return NO_CHANCES
    by_category = {category: chances(card, category, counts) for category in CATEGORIES}
    return {
        column: getattr(by_category[category], name) for column, (name, category) in CHANCES.items()
    }


def _parsed(ranges: tuple[str, ...]) -> EngineCard | None:
    """Return the card with these ranges, or None if they are not valid."""
    try:
        return EngineCard.parse("", 1, None, dict(zip(RANGES, ranges, strict=True)))
    except CardError:
        return None


def request_scores(circuit: Circuit) -> None:
    """Let a worker sample the score counts of a circuit's deck and rules after the commit.

    Nothing happens if sampling them has failed, or if the rules are not valid.
    """
    setting = _setting(circuit)
    if setting is None:
        return
    row, _made = DeckScores.objects.get_or_create(**setting._asdict())
    if row.ended_at is None:
        enqueue("corridas.tasks.count_scores", row.pk, on_commit=True)


def renew_chances(edits: Iterable[tuple[Model, Mapping[str, object] | None, bool]]) -> None:
    """Update the chances after users have changed rows of a roster, in the same transaction.

    An edit consists of the saved row, its columns before the change (None if it is new), and
    whether it is deleted.
    """
    cards: dict[int, list[MatadorCard]] = defaultdict(list)
    for row, before, removed in edits:
        if removed:
            continue
        if isinstance(row, MatadorCard) and _differs(row.ranges(), before):
            cards[row.matador.circuit_id].append(row)
        elif isinstance(row, Circuit) and before:
            if _differs({"rules": row.rules, "deck": row.deck_id}, before):
                _reset(Circuit.everything.filter(pk=row.pk))
        elif isinstance(row, Deck) and before and _differs({"digest": row.digest}, before):
            _reset(Circuit.everything.filter(deck=row))
    for circuit, changed in cards.items():
        _store(fill_chances(_with_deck(circuit), changed))


def _differs(now: Mapping[str, object], before: Mapping[str, object] | None) -> bool:
    return before is None or any(before.get(name) != value for name, value in now.items())


def _reset(circuits: QuerySet[Circuit]) -> None:
    """Remove the chances of all cards of these circuits, and let a worker calculate them."""
    for key in circuits.order_by("pk").values_list("pk", flat=True):
        cards = MatadorCard.objects.filter(matador__circuit=key)
        # Locked in the same order as by `_fill_batch`, so that the two cannot block each other.
        list(_locked(cards).values_list("pk"))
        cards.update(**NO_CHANCES)
        enqueue("corridas.tasks.fill_chances", key, on_commit=True)


def _locked(cards: QuerySet[MatadorCard]) -> QuerySet[MatadorCard]:
    """Lock cards, always in the same order. Carteles with these cards can still be announced."""
    return cards.select_for_update(of=("self",), no_key=True).order_by("pk")


def _with_deck(circuit: int) -> Circuit:
    return Circuit.everything.select_related("deck").get(pk=circuit)


def _store(cards: Sequence[MatadorCard]) -> None:
    rows = [(*(getattr(card, name) for name in CHANCES), card.pk) for card in cards]
    bulk_update(MatadorCard, tuple(CHANCES), rows)


def count_scores(key: int, *, clock: Callable[[], dt.datetime]) -> bool:
    """Sample the score counts of a `DeckScores` row, and have the chances of cards calculated.

    Return False if another worker is doing it or it is done. If it fails, the reason is stored and
    it is not tried again.
    """
    job = DeckScores.objects.claim(key, at=clock(), attempts=F("attempts") + 1)
    if job is None:
        return False
    deck = Deck.objects.filter(digest=job.deck).first()
    if deck is None:
        # The deck was changed or deleted.
        job.delete()
        return False
    outcome = _sampled(job, deck)
    job.end(at=clock(), **outcome)
    for circuit in _circuits_of(deck, _Setting(job.deck, job.rules)):
        if "counts" in outcome:
            enqueue("corridas.tasks.fill_chances", circuit)
        else:
            # They said that the chances are being calculated.
            _invalidate_pages(circuit)
    return True


def _sampled(job: DeckScores, deck: Deck) -> dict[str, object]:
    """Return the columns of a job with the counts of this deck, or with the reason of a failure."""
    if job.attempts > TRIES:
        # The workers of all earlier attempts were killed before they could store an error.
        log.error("The scores of %s were not counted: the workers stopped before the end", deck)
        return {"reason": DeckScores.Reason.BROKEN}
    try:
        return {"counts": encode(sample(deck.engine_deck(), rules_from(job.rules)))}
    except EngineError:
        return {"reason": DeckScores.Reason.INVALID}
    except DATABASE_ERRORS:
        raise
    except Exception:
        log.exception("The scores of %s cannot be counted", deck)
        return {"reason": DeckScores.Reason.BROKEN}


def _circuits_of(deck: Deck, setting: _Setting) -> list[int]:
    """Return the keys of the circuits with this deck and these rules."""
    circuits = Circuit.objects.filter(deck=deck).select_related("deck").order_by("pk")
    return [circuit.pk for circuit in circuits if _setting(circuit) == setting]


def fill_circuit(key: int) -> int:
    """Calculate missing chances of a circuit's cards, in short transactions.

    Return the number of cards filled. Ask for score counts if they do not exist yet.
    """
    filled = 0
    missing = MatadorCard.objects.filter(matador__circuit=key, ear_1=None).order_by("-pk")
    while batch := list(missing[:BATCH_SIZE]):
        # Calculating them before the transaction fills the cache, so that the locks are short.
        circuit = Circuit.everything.select_related("deck").filter(pk=key).first()
        counts = scores_of(circuit) if circuit else None
        for card in batch:
            card_columns(card, counts)
        filled += _fill_batch(key, [card.pk for card in batch])
        missing = missing.filter(pk__lt=batch[-1].pk)
    if filled:
        _invalidate_pages(key)
    return filled


@transaction.atomic
def _fill_batch(circuit: int, keys: Sequence[int]) -> int:
    # The rows are locked before the deck and the rules are read, so a change of them that commits
    # later resets these rows again.
    held = list(_locked(MatadorCard.objects.filter(pk__in=keys, ear_1=None)))
    filled = fill_chances(_with_deck(circuit), held) if held else []
    filled = [card for card in filled if card.ear_1 is not None]
    _store(filled)
    return len(filled)


def lost_scores(*, at: dt.datetime) -> list[int]:
    """Return the keys of `DeckScores` rows that no worker is sampling."""
    return DeckScores.objects.all().sweep(at=at)


def circuits_to_fill() -> list[int]:
    """Return the keys of circuits with cards whose chances are missing and could be calculated.

    Circuits whose score counts are being sampled, or have failed, are left out, and so are circuits
    that lack only the chances of invalid cards. Counts that nobody has asked for are left in,
    because filling the circuit asks for them.
    """
    lacking = MatadorCard.objects.filter(ear_1=None).values("matador__circuit")
    circuits = Circuit.objects.filter(pk__in=lacking).select_related("deck").order_by("pk")
    settings = {circuit.pk: _setting(circuit) for circuit in circuits}
    unable = {setting for setting in {*settings.values()} if not setting or _waits(setting)}
    return [key for key, setting in settings.items() if setting not in unable and _lacks(key)]


def _lacks(circuit: int) -> bool:
    """Return whether a valid card of a circuit has no chances."""
    cards = MatadorCard.objects.filter(matador__circuit=circuit, ear_1=None).order_by("pk")
    return any(_parsed(tuple(card.ranges().values())) for card in cards.iterator(BATCH_SIZE))


def _waits(setting: _Setting) -> bool:
    """Return whether score counts have been asked for and do not exist."""
    return DeckScores.objects.filter(**setting._asdict(), counts__isnull=True).exists()


class ChancesDifference(NamedTuple):
    """A card whose stored chances differ from the calculated ones."""

    card: str
    columns: str

    def __str__(self) -> str:
        return f"{self.card}: {self.columns}"


def rebuild_chances(
    circuit: Circuit, *, write_rows: bool, clock: Callable[[], dt.datetime]
) -> list[ChancesDifference]:
    """Compare the chances of all cards of a circuit with newly calculated ones.

    With `write_rows` the rows are corrected, and missing score counts are sampled first, even if
    that has failed before. Without score counts every card with chances differs.
    """
    if write_rows and scores_of(circuit) is None:
        _sample_again(circuit, clock)
    counts = scores_of(circuit)
    cards = MatadorCard.objects.filter(matador__circuit=circuit).select_related("matador")
    differences, wrong = [], []
    for card in cards.order_by("matador__slug", "printing").iterator(chunk_size=BATCH_SIZE):
        due = card_columns(card, counts)
        names = [name for name, value in due.items() if not _agree(getattr(card, name), value)]
        if names:
            differences.append(ChancesDifference(str(card), ", ".join(names)))
            wrong.append(card.pk)
    if write_rows:
        for start in range(0, len(wrong), BATCH_SIZE):
            _correct(circuit, wrong[start : start + BATCH_SIZE])
        if wrong:
            _invalidate_pages(circuit.pk)
    return differences


def _agree(stored: float | None, due: float | None) -> bool:
    # Another version of Python may add the same figures with another rounding error.
    return stored == due or (stored is not None and due is not None and isclose(stored, due))


@transaction.atomic
def _correct(circuit: Circuit, keys: Sequence[int]) -> None:
    rows = list(_locked(MatadorCard.objects.filter(pk__in=keys)))
    _store(fill_chances(_with_deck(circuit.pk), rows))


def _sample_again(circuit: Circuit, clock: Callable[[], dt.datetime]) -> None:
    setting = _setting(circuit)
    if setting is None:
        return
    row, _made = DeckScores.objects.get_or_create(**setting._asdict())
    DeckScores.objects.filter(pk=row.pk).update(reason="", attempts=0, begun_at=None, ended_at=None)
    count_scores(row.pk, clock=clock)


def _invalidate_pages(circuit: int) -> None:
    """Invalidate cached pages, because they may show cards whose chances have changed."""
    Season.objects.filter(circuit=circuit).update(posted_version=F("posted_version") + 1)
