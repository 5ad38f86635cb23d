"""Herds rise and fall in renown by what their bulls did, a few places a winter."""

from __future__ import annotations

from collections.abc import Collection

from corridas.world.winter.outcome import HerdMove
from corridas.world.winter.year import HerdYear

PLACES = 2
"""A herd is pushed so many places at most; as others are too, it moves by twice that at most."""
ENOUGH_BULLS = 12
"""With fewer bulls in the year nothing is known of a herd."""


def moves(herds: Collection[HerdYear]) -> tuple[HerdMove, ...]:
    """The herds whose place changes; the places of all are 0, 1, 2 ... afterwards."""
    before = sorted(herds, key=lambda herd: (herd.renown, herd.slug))
    worth = {herd.slug: _worth(herd) for herd in before if herd.bulls >= ENOUGH_BULLS}
    places = {herd.slug: 2 * place for place, herd in enumerate(before)}
    for slug, push in _pushes(worth).items():
        places[slug] -= 2 * push + (push > 0) - (push < 0)
    after = sorted(before, key=lambda herd: places[herd.slug])
    return tuple(
        HerdMove(slug=herd.slug, before=herd.renown, after=place)
        for place, herd in enumerate(after)
        if herd.renown != place
    )


def _worth(herd: HerdYear) -> int:
    """What a herd's bulls brought, in thousandths a bull."""
    brought = herd.ears + herd.vueltas + 4 * herd.indultos - 2 * herd.three_avisos
    return 1000 * brought // herd.bulls


def _pushes(worth: dict[str, int]) -> dict[str, int]:
    """Places up for each herd: the best quarter and the best eighth of the year rise."""
    ranked = sorted(worth, key=lambda slug: (worth[slug], slug))
    count = len(ranked)
    return {slug: _push(8 * place // count) for place, slug in enumerate(ranked)}


def _push(eighth: int) -> int:
    if eighth in (0, 7):
        return PLACES if eighth else -PLACES
    return (eighth == 6) - (eighth == 1)
