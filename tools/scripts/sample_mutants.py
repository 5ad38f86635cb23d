"""Keep some faults of a cosmic-ray session, drawn at random from each area (`make mutation`).

    .venv-mutation/bin/python -m tools.scripts.sample_mutants SESSION CONFIG

At most one fault is kept for each line. Faults in annotations, which only type checkers read, and
code that Python does not accept are left out.
"""

from __future__ import annotations

import ast
import random  # noqa: TID251 - the choice of faults is no result of a game
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from cosmic_ray.config import load_config
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator
from cosmic_ray.work_db import use_db
from cosmic_ray.work_item import MutationSpec, WorkItem

Lines = dict[tuple[Path, int], list[WorkItem]]


def main(session: str, config: str) -> None:
    sample = load_config(config).sub("filters", "sample")
    chance = random.Random(sample["seed"])
    with use_db(session) as database:
        areas = by_area(database.work_items, sample["areas"])
        drawn = {area: list(draw(areas[area], sample["each"], chance)) for area in sorted(areas)}
        database.clear()
        database.add_work_items([item for items in drawn.values() for item in items])
    for area, items in drawn.items():
        print(f"{area}: {len(items)} of {sum(map(len, areas[area].values()))} faults")


def by_area(items: list[WorkItem], areas: dict[str, list[str]]) -> dict[str, Lines]:
    area_of = {path: area for area, paths in areas.items() for path in paths}
    found: dict[str, Lines] = defaultdict(lambda: defaultdict(list))
    for item in items:
        [mutation] = item.mutations
        path = max(filter(mutation.module_path.is_relative_to, area_of), key=len)
        found[area_of[path]][mutation.module_path, mutation.start_pos[0]].append(item)
    return found


def draw(lines: Lines, number: int, chance: random.Random) -> Iterator[WorkItem]:
    places = sorted(lines)
    chance.shuffle(places)
    for place in places:
        if not number:
            return
        options = sorted(lines[place], key=lambda item: repr(item.mutations))
        item = chance.choice(options)
        if changes_behaviour(item.mutations[0]):
            number -= 1
            yield item


def changes_behaviour(mutation: MutationSpec) -> bool:
    source = mutation.module_path.read_text()
    mutated = mutate_code(source, get_operator(mutation.operator_name)(), mutation.occurrence)
    try:
        compile(mutated, "mutant", "exec")
    except SyntaxError:
        return False
    return without_annotations(mutated) != without_annotations(source)


def without_annotations(source: str) -> str:
    tree = ast.parse(source)
    for node in ast.walk(tree):
        for name in ("annotation", "returns"):
            if hasattr(node, name):
                setattr(node, name, None)
    return ast.dump(tree)


if __name__ == "__main__":
    main(*sys.argv[1:])
