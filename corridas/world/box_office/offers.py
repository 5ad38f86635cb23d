"""The three plazas that are offered to a promoter in winter."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from corridas.world.box_office import tables
from corridas.world.box_office.career import OfferedPlaza, Step
from fairness import Seed

# Of three offers, this many are of the highest step reached; the others are of the step below.
_OF_HIGHEST = 2


def offers(
    free: Iterable[OfferedPlaza],
    steps: Mapping[str, Step],
    reached: Step,
    seed: Seed,
    promoter: str,
) -> list[str]:
    """Draw up to three plazas for a promoter, and return their slugs.

    `free` are the plazas without a concession, `steps` the steps of all plazas. `promoter`
    identifies him in the random label. Two plazas are of the highest step reached and one of the
    step below. If a step has too few, lower steps follow, then the rest of the highest one, and
    only if there is still none, the lowest step above it.
    """
    chance = seed.chance(f"offers/{promoter}")
    enough = [each.slug for each in free if each.afternoons >= tables.OFFERED_AFTERNOONS]
    drawn = {
        step: chance.shuffled(sorted(slug for slug in enough if steps[slug] is step))
        for step in reversed(Step)
    }
    chosen = list(drawn[reached][: _OF_HIGHEST if reached > min(Step) else tables.OFFERS])
    below = [step for step in reversed(Step) if step < reached]
    for slugs in (*(drawn[step] for step in below), drawn[reached]):
        chosen += [slug for slug in slugs if slug not in chosen][: tables.OFFERS - len(chosen)]
    return chosen or _lowest(drawn, above=reached)


def _lowest(drawn: Mapping[Step, Sequence[str]], *, above: Step) -> list[str]:
    found = (list(drawn[step][: tables.OFFERS]) for step in Step if step > above and drawn[step])
    return next(found, [])
