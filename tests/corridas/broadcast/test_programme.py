"""The corrida as the feed sees it: the moments of the broadcast and their fragments."""

from __future__ import annotations

import datetime as dt

import pytest
from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from corridas.broadcast import source
from corridas.models import Circuit, Corrida
from live.broadcast_source import sources
from tests.corridas.broadcast.conftest import START, OnAir, fetch


def test_its_moments_are_those_of_the_broadcast(on_air: OnAir) -> None:
    sent = source.provide(str(on_air.corrida.pk), "en")
    assert sent is not None
    assert sent.moments == on_air.showing.timeline.moments(START.timestamp())
    assert len(sent.moments) == len(on_air.showing.timeline)
    assert sent.ended


def test_page_and_feed_reach_a_moment_at_the_same_instant(on_air: OnAir) -> None:
    line, corrida = on_air.showing.timeline, fetch(on_air.corrida.pk)
    millisecond = dt.timedelta(milliseconds=1)
    for moment in range(0, len(line), 11):
        due = START + line.offset(moment)
        assert source.reached(corrida, on_air.showing, due) == moment
        assert source.reached(corrida, on_air.showing, due - millisecond) == moment - 1


def test_each_language_is_a_kind_of_its_own(on_air: OnAir) -> None:
    key = str(on_air.corrida.pk)
    english, spanish = sources.load("corrida-en", key), sources.load("corrida-es", key)
    assert english is not None
    assert spanish is not None
    assert b"In the ring" in english.render(30)
    assert english.render(30) != spanish.render(30)
    assert english.render(30).count(b"data-moment") == 1


def test_a_corrida_to_come_has_no_moments_yet(announced: Corrida) -> None:
    sent = source.provide(str(announced.pk), "en")
    assert sent is not None
    assert (list(sent.moments), sent.ended) == ([], False)


@pytest.mark.parametrize("key", ["0", "99999", "x", "1.5", "²", "12345678901234567890"])
def test_no_such_broadcast(db: None, key: str) -> None:
    assert source.provide(key, "en") is None
    assert not source.may_watch(key, AnonymousUser())


def test_a_private_circuit_is_for_its_director(on_air: OnAir) -> None:
    key = str(on_air.corrida.pk)
    owner = User.objects.create_user("owner")
    assert source.may_watch(key, AnonymousUser())
    Circuit.objects.update(public=False, owner=owner)
    assert not source.may_watch(key, AnonymousUser())
    assert not source.may_watch(key, User.objects.create_user("other"))
    assert source.may_watch(key, owner)
