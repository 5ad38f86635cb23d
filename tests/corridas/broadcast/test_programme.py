"""The live feed of a corrida: the moments of the broadcast and the fragments that it sends."""

from __future__ import annotations

import datetime as dt

import pytest
from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from corridas.broadcast import source
from corridas.models import Circuit, Corrida
from live.broadcast_source import sources
from tests.corridas.broadcast.conftest import START, OnAir, fetch


def test_the_live_feed_has_the_moments_of_the_broadcast(on_air: OnAir) -> None:
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


def test_each_language_has_its_own_feed(on_air: OnAir) -> None:
    key = str(on_air.corrida.pk)
    english, spanish = sources.load("corrida-en", key), sources.load("corrida-es", key)
    assert english is not None
    assert spanish is not None
    assert b"In the ring" in english.render(30)
    assert english.render(30) != spanish.render(30)
    assert english.render(30).count(b"data-moment") == 1


def test_an_announced_corrida_has_no_moments_yet(announced: Corrida) -> None:
    sent = source.provide(str(announced.pk), "en")
    assert sent is not None
    assert (list(sent.moments), sent.ended) == ([], False)


@pytest.mark.parametrize("key", ["0", "99999", "x", "1.5", "²", "12345678901234567890"])
def test_an_unknown_corrida_has_no_feed(db: None, key: str) -> None:
    assert source.provide(key, "en") is None
    assert not source.may_watch(key, AnonymousUser())


def test_the_feed_of_a_private_circuit_is_for_its_director_only(on_air: OnAir) -> None:
    key = str(on_air.corrida.pk)
    owner = User.objects.create_user("owner")
    assert source.may_watch(key, AnonymousUser())
    Circuit.objects.update(public=False, owner=owner)
    assert not source.may_watch(key, AnonymousUser())
    assert not source.may_watch(key, User.objects.create_user("other"))
    assert source.may_watch(key, owner)
