"""Chances stored with printed cards, and the score counts from which they are calculated."""

from __future__ import annotations

import datetime as dt
import io
from functools import partial
from hashlib import sha256

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from pytest_django import DjangoCaptureOnCommitCallbacks

from accounts.models import User
from corridas import card_chances, notifications, tasks
from corridas.card_chances import (
    circuits_to_fill,
    count_scores,
    fill_circuit,
    lost_scores,
    scores_of,
    why_missing,
)
from corridas.engine import DeckError, Rules
from corridas.models import Circuit, Deck, DeckScores, Matador, MatadorCard, Season, Winter
from corridas.models.matadors import CHANCES
from corridas.roster.exchange import export
from corridas.roster.exchange.export import Form
from corridas.roster.history import columns, record_change, undo
from corridas.roster.operations import print_next_card
from corridas.simulation import new_circuit, sweep
from corridas.simulation.new_circuit import shipped
from corridas.simulation.schedule import calendar_of, plan
from corridas.world.chances import SAMPLE, chances
from corridas.world.chances.sample import bundled_scores, digest_of, rules_text, sample
from corridas.world.roster import load_deck
from fairness import Seed
from tests.corridas.circuits.barrio import copied
from tests.corridas.roster.conftest import NOW, bring
from tests.corridas.simulation import world
from tests.factories import World

pytestmark = pytest.mark.django_db
CALCULATED = "The chances are being calculated. Reload in a minute."
INVALID = "This deck’s cards are not valid: no chances."


def clock() -> dt.datetime:
    return NOW


@pytest.fixture(autouse=True)
def few_fights(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sample few fights, because the usual number takes seconds."""
    monkeypatch.setattr(card_chances, "sample", partial(sample, fights=300))


@pytest.fixture
def other_deck(legends: Circuit) -> Deck:
    """Return a legal deck whose score counts do not exist yet."""
    first, *rest = legends.deck.cards.splitlines()
    text = "\n".join([*rest, first])
    return Deck.objects.create(name="Otra", cards=text, digest=sha256(text.encode()).hexdigest())


def stored(circuit: Circuit) -> list[tuple[object, ...]]:
    return list(
        MatadorCard.objects.filter(matador__circuit=circuit)
        .order_by("matador__slug", "printing")
        .values_list(*CHANCES)
    )


def without_chances(circuit: Circuit) -> int:
    return MatadorCard.objects.filter(matador__circuit=circuit, ear_1=None).count()


def with_deck(circuit: Circuit, deck: Deck, by: User) -> Circuit:
    """Give a circuit another deck, as its form in the admin site does."""
    before = columns(circuit)
    circuit.deck = deck
    circuit.save()
    record_change(row=circuit, before=before, by=by, at=NOW)
    return circuit


@pytest.mark.nightly_on("postgresql")
@pytest.mark.slow
def test_the_bundled_counts_are_those_of_the_bundled_deck_sampled_again() -> None:
    deck, bundled = load_deck(), bundled_scores()
    assert bundled.deck == digest_of(deck), "python -m corridas.world.chances.sample"
    assert bundled.rules == rules_text(Rules())
    assert bundled.counts == sample(deck, Rules(), SAMPLE), (
        "Write the file again: python -m corridas.world.chances.sample"
    )


def test_the_text_of_a_rule_set_contains_only_other_options_than_the_defaults() -> None:
    assert rules_text(Rules()) == "{}"
    rules = Rules(shuffle="when_exhausted", bull_points="for")
    assert rules_text(rules) == '{"bull_points": "for", "shuffle": "when_exhausted"}'


def test_a_new_circuit_with_the_bundled_deck_has_the_chances_of_all_cards_at_once(
    legends: Circuit,
) -> None:
    assert without_chances(legends) == 0
    assert not DeckScores.objects.exists()
    card = MatadorCard.objects.filter(matador__circuit=legends).select_related("matador").first()
    assert card is not None
    counts = scores_of(legends)
    assert counts is not None
    for category in (1, 2, 3):
        assert card.chances(category) == chances(card.engine_card(), category, counts)
    assert card.ears_1 == pytest.approx((card.ear_1 or 0) + (card.two_ears_1 or 0))


def test_the_chances_of_a_circuit_with_other_rules_are_calculated_by_a_worker(
    keeper: User, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    rules = {"bull_points": "for"}
    with django_capture_on_commit_callbacks() as sent:
        circuit = new_circuit.found(shipped(), name="Otro", owner=keeper, rules=rules)
    assert len(sent) == 1
    assert without_chances(circuit) == MatadorCard.objects.count() > 0
    assert why_missing(circuit) == CALCULATED
    assert scores_of(circuit) is None
    season = Season.objects.create(
        circuit=circuit, year=2026, rules=rules, seed=b"", commitment=b"", posted_version=1
    )
    job = DeckScores.objects.get()
    tasks.count_scores(job.pk)
    tasks.fill_chances(circuit.pk)
    assert without_chances(circuit) == 0
    counts = scores_of(circuit)
    assert counts is not None
    assert counts.killed.total == 300
    season.refresh_from_db()
    assert season.posted_version == 2, "cached pages are written again"
    assert not count_scores(job.pk, clock=clock), "it is done"
    second = new_circuit.found(shipped(), name="Tercero", owner=keeper, rules=rules)
    assert stored(second) == stored(circuit), "the counts exist, so the chances do at once"


def test_counts_do_not_depend_on_the_time_or_on_chance(legends: Circuit) -> None:
    deck = legends.deck.engine_deck()
    assert sample(deck, Rules(), 60) == sample(deck, Rules(), 60)


def test_a_circuit_with_a_changed_deck_gets_chances_of_that_deck(
    legends: Circuit, other_deck: Deck, keeper: User
) -> None:
    before = stored(legends)
    with_deck(legends, other_deck, keeper)
    assert without_chances(legends) == len(before)
    assert circuits_to_fill() == [legends.pk]
    assert fill_circuit(legends.pk) == 0, "the counts are asked for"
    assert circuits_to_fill() == []
    (key,) = lost_scores(at=NOW)
    assert count_scores(key, clock=clock)
    assert circuits_to_fill() == [legends.pk]
    assert fill_circuit(legends.pk) == len(before)
    assert without_chances(legends) == 0
    assert stored(legends) != before
    first, *rest = other_deck.cards.splitlines()
    held = columns(other_deck)
    other_deck.cards = "\n".join([*rest, first])
    other_deck.digest = sha256(other_deck.cards.encode()).hexdigest()
    other_deck.save()
    record_change(row=other_deck, before=held, by=keeper, at=NOW)
    assert without_chances(legends) == len(before), "the text of the deck has changed"


def test_changed_rules_remove_the_chances_and_default_rules_bring_them_back(
    legends: Circuit, keeper: User
) -> None:
    before = stored(legends)
    for rules in ({"bull_points": "against"}, {}):
        held = columns(legends)
        legends.rules = rules
        legends.save()
        record_change(row=legends, before=held, by=keeper, at=NOW)
        assert without_chances(legends) == len(before)
    assert fill_circuit(legends.pk) == len(before)
    assert stored(legends) == before


def test_other_settings_of_a_circuit_and_the_name_of_a_deck_keep_the_chances(
    legends: Circuit, keeper: User
) -> None:
    held = columns(legends)
    legends.pace_ms = 100
    legends.save()
    record_change(row=legends, before=held, by=keeper, at=NOW)
    held = columns(legends.deck)
    legends.deck.name = "Nueva"
    legends.deck.save()
    record_change(row=legends.deck, before=held, by=keeper, at=NOW)
    assert without_chances(legends) == 0


def test_a_changed_card_and_the_undo_of_its_change_have_their_own_chances(
    legends: Circuit, keeper: User
) -> None:
    card = MatadorCard.objects.filter(matador__circuit=legends).exclude(rabo="-").first()
    assert card is not None
    before, was = columns(card), card.chances(1)
    assert not set(before) & set(CHANCES), "the history stores no derived columns"
    card.vuelta = "1-100"
    card.save()
    change = record_change(row=card, before=before, by=keeper, at=NOW)
    assert change is not None
    card.refresh_from_db()
    assert card.lap_1 is not None
    assert card.lap_1 > 0.9
    undo(change=change, by=keeper, at=NOW)
    card.refresh_from_db()
    assert card.chances(1) == was


def test_the_next_printing_has_the_same_chances(legends: Circuit) -> None:
    matador = legends.matadors.first()
    assert matador is not None
    season = plan(legends, 2026, calendar_of(legends)[:1], seed=Seed(b"s" * 32))
    assert season.pk
    card = matador.cards.get()
    card.pk, card.printing = None, 2
    card.save(force_insert=True)
    with pytest.raises(Exception, match="can still be edited"):
        print_next_card(matador=matador)
    first, second = matador.cards.order_by("printing")
    assert first.chances(1) == second.chances(1)


def test_an_imported_roster_has_chances(legends: Circuit, bare: Circuit, keeper: User) -> None:
    data = export.export_roster(circuit=legends, by=keeper, form=Form.BUNDLE)
    bring(bare, keeper, data, "campo-roster.zip")
    assert stored(bare) == stored(legends)


def test_a_copied_circuit_has_the_chances_of_its_source(legends: Circuit, keeper: User) -> None:
    assert stored(copied(legends, keeper)) == stored(legends)


def test_an_invalid_deck_is_tried_once_and_the_page_says_so(legends: Circuit, keeper: User) -> None:
    cards = legends.deck.cards.splitlines()[1:]
    deck = Deck.objects.create(name="Corta", cards="\n".join(cards), digest="short")
    with pytest.raises(DeckError):
        deck.engine_deck()
    circuit = with_deck(legends, deck, keeper)
    fill_circuit(circuit.pk)
    (key,) = lost_scores(at=NOW)
    assert count_scores(key, clock=clock)
    assert why_missing(circuit) == INVALID
    fill_circuit(circuit.pk)
    assert lost_scores(at=NOW + dt.timedelta(days=1)) == circuits_to_fill() == []
    assert not count_scores(key, clock=clock)


def test_invalid_rules_have_no_chances(legends: Circuit, keeper: User) -> None:
    Circuit.objects.filter(pk=legends.pk).update(rules={"weather": "rain"})
    legends.refresh_from_db()
    MatadorCard.objects.update(ear_1=None)
    assert scores_of(legends) is None
    assert why_missing(legends) == INVALID
    assert circuits_to_fill() == []
    assert fill_circuit(legends.pk) == 0
    assert not DeckScores.objects.exists()


def test_an_unexpected_error_is_logged_and_not_tried_again(
    legends: Circuit,
    other_deck: Deck,
    keeper: User,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    circuit = with_deck(legends, other_deck, keeper)
    fill_circuit(circuit.pk)
    (key,) = lost_scores(at=NOW)
    monkeypatch.setattr(card_chances, "sample", lambda *_arguments: 1 / 0)
    assert count_scores(key, clock=clock)
    assert "ZeroDivisionError" in caplog.text
    assert lost_scores(at=NOW + dt.timedelta(days=1)) == circuits_to_fill() == []
    assert "The details are in the site’s log." in why_missing(circuit)


def test_a_job_whose_workers_were_killed_is_given_up(
    legends: Circuit, other_deck: Deck, keeper: User
) -> None:
    circuit = with_deck(legends, other_deck, keeper)
    fill_circuit(circuit.pk)
    (key,) = lost_scores(at=NOW)
    DeckScores.objects.filter(pk=key).update(attempts=3, begun_at=NOW)
    assert lost_scores(at=NOW) == []
    later = NOW + dt.timedelta(minutes=6)
    assert lost_scores(at=later) == [key]
    assert count_scores(key, clock=lambda: later)
    assert DeckScores.objects.get().reason == DeckScores.Reason.BROKEN


def test_a_job_of_a_deck_that_no_longer_exists_is_deleted() -> None:
    job = DeckScores.objects.create(deck="gone", rules="{}")
    assert not count_scores(job.pk, clock=clock)
    assert not DeckScores.objects.exists()


def test_an_invalid_card_has_no_chances_and_the_others_have(legends: Circuit) -> None:
    odd = MatadorCard.objects.order_by("-pk")[0]
    MatadorCard.objects.update(**dict.fromkeys(CHANCES))
    MatadorCard.objects.filter(pk=odd.pk).update(silencio="-", pitos="-")
    assert fill_circuit(legends.pk) == MatadorCard.objects.count() - 1
    odd.refresh_from_db()
    assert odd.chances(1) is None


def test_a_circuit_that_lacks_only_the_chances_of_invalid_cards_is_not_filled_again(
    legends: Circuit,
) -> None:
    odd, other = MatadorCard.objects.order_by("-pk")[:2]
    MatadorCard.objects.filter(pk=odd.pk).update(silencio="-", pitos="-", **dict.fromkeys(CHANCES))
    assert circuits_to_fill() == []
    MatadorCard.objects.filter(pk=other.pk).update(**dict.fromkeys(CHANCES))
    assert circuits_to_fill() == [legends.pk]


def test_the_periodic_task_asks_for_lost_work(
    legends: Circuit, other_deck: Deck, keeper: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[tuple[str, list[int]]] = []
    monkeypatch.setattr(
        tasks, "send_again", lambda task, keys, at: sent.append((task.name, list(keys)))
    )
    tasks.sweep_chances()
    assert sent == [("corridas.tasks.count_scores", []), ("corridas.tasks.fill_chances", [])]
    sent.clear()
    job = DeckScores.objects.create(deck=other_deck.digest, rules="{}")
    MatadorCard.objects.filter(pk=MatadorCard.objects.first().pk).update(ear_1=None)  # type: ignore[union-attr]
    tasks.sweep_chances()
    assert sent == [
        ("corridas.tasks.count_scores", [job.pk]),
        ("corridas.tasks.fill_chances", [legends.pk]),
    ]


def output(*command: str) -> str:
    out = io.StringIO()
    call_command(*command, stdout=out)
    return out.getvalue()


def test_rebuild_chances_reports_and_corrects_differing_cards(legends: Circuit) -> None:
    assert output("rebuild", "chances", "--check") == "El Campo, chances: agrees\n"
    before = stored(legends)
    card = MatadorCard.objects.order_by("matador__slug")[0]
    MatadorCard.objects.filter(pk=card.pk).update(ear_2=0.5)
    MatadorCard.objects.exclude(pk=card.pk).update(ears_3=None)
    with pytest.raises(CommandError, match=f"{len(before)} figures differ"):
        output("rebuild", "chances", "--check", "--circuit=campo")
    said = output("rebuild", "chances")
    assert f"El Campo, chances: {card}: ear_2\n" in said
    assert stored(legends) == before
    with pytest.raises(
        CommandError, match="`rebuild escalafon`, `rebuild houses` and `rebuild chances`"
    ):
        output("rebuild", "search", "--circuit=campo")


def test_rebuild_chances_samples_missing_counts_and_tries_a_failed_deck_again(
    legends: Circuit, other_deck: Deck, keeper: User
) -> None:
    with_deck(legends, other_deck, keeper)
    DeckScores.objects.create(
        deck=other_deck.digest, rules="{}", reason=DeckScores.Reason.BROKEN, ended_at=NOW
    )
    assert output("rebuild", "chances", "--check") == "El Campo, chances: agrees\n"
    output("rebuild", "chances")
    assert without_chances(legends) == 0
    assert Matador.objects.count() == len(stored(legends))


# What goes wrong meanwhile


def test_winter_prints_cards_by_the_rules_of_its_moment(keeper: User) -> None:
    """The rules change after the circuit was read, and before the winter locks it."""
    season = world.found("calm", world.BRIEF)
    world.play_season(season)
    read_before = Circuit.objects.select_related("deck").get(pk=season.circuit_id)
    changed = Circuit.objects.get(pk=read_before.pk)
    before = columns(changed)
    changed.rules = {"bull_points": "for"}
    changed.save()
    record_change(row=changed, before=before, by=keeper, at=NOW)
    late = NOW + dt.timedelta(days=400)
    sweep.queue_next(read_before, late, Seed.fresh, notifications.winter_over, pauses=False)
    assert Winter.objects.get(season=season).done_at
    printed = MatadorCard.objects.filter(matador__circuit=changed, since=season.year + 1)
    assert printed.exists()
    # The scores of these rules have not been counted yet.
    assert not printed.exclude(ear_1=None).exists()


@pytest.mark.parametrize("path", ["/matadores/matador-0/", "/matadores/"])
def test_a_failed_count_is_told_on_pages_that_were_cached(
    lived: World, client: Client, keeper: User, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = columns(lived.circuit)
    lived.circuit.rules = {"bull_points": "for"}
    lived.circuit.save()
    record_change(row=lived.circuit, before=before, by=keeper, at=NOW)
    fill_circuit(lived.circuit.pk)
    assert CALCULATED in client.get(path).text

    def fails(*_args: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(card_chances, "sample", fails)
    (key,) = lost_scores(at=NOW)
    assert count_scores(key, clock=clock)
    assert CALCULATED not in client.get(path).text


def test_workers_that_were_killed_are_named_in_the_log(
    legends: Circuit, other_deck: Deck, keeper: User, caplog: pytest.LogCaptureFixture
) -> None:
    with_deck(legends, other_deck, keeper)
    fill_circuit(legends.pk)
    (key,) = lost_scores(at=NOW)
    DeckScores.objects.filter(pk=key).update(attempts=card_chances.TRIES)
    count_scores(key, clock=clock)
    assert "log" in why_missing(legends)
    assert "were not counted" in caplog.text


def test_the_page_of_a_matador_is_not_cached_before_the_first_season(
    legends: Circuit, other_deck: Deck, client: Client, keeper: User
) -> None:
    assert not legends.seasons.exists()
    client.force_login(keeper)
    with_deck(legends, other_deck, keeper)
    fill_circuit(legends.pk)
    matador = Matador.objects.filter(circuit=legends)[0]
    path = f"/circuitos/{legends.slug}/matadores/{matador.slug}/"
    assert CALCULATED in client.get(path).text
    (key,) = lost_scores(at=NOW)
    assert count_scores(key, clock=clock)
    fill_circuit(legends.pk)
    assert CALCULATED not in client.get(path).text
