"""One chaos test: queue work, kill processes, wait for the work and check the results."""

import time
from collections import Counter
from dataclasses import asdict, dataclass, field

from fairness import Chance
from tools.bench.chaos.embedded import Embedded
from tools.bench.chaos.followers import Follower, Page
from tools.bench.chaos.site import Site

QUIET_WITHIN = 400.0  # seconds after the last kill
STUCK_AFTER = 60.0  # seconds in which nothing is played, shown or posted
LOOK = 0.2  # seconds
# Number of plain clients that follow each watched corrida, and of those that follow all events.
A_KIND = 2
# What is left to do.
QUEUED = "SELECT count(*) FROM corridas_corrida WHERE state = 'queued'"
ON_AIR = "SELECT count(*) FROM corridas_corrida WHERE state = 'on_air'"
COPIES = """
    SELECT count(*) FROM corridas_circuitcopy
    WHERE state IN ('queued', 'running') OR (state = 'failed' AND circuit_id IS NOT NULL)
"""


@dataclass
class Outcome:
    """The results of a chaos test."""

    corridas: int
    kills: dict[str, int]
    states: dict[str, int]
    retries: int
    copies: dict[str, int]
    faults: list[str]
    followers: int
    browser: bool
    lines: int
    heard: int
    missed: int
    twice: int
    quiet_after: float
    times: dict[str, float] = field(default_factory=dict)

    def well(self) -> bool:
        return not (self.faults or self.missed or self.twice)

    def to_json(self) -> dict[str, object]:
        return asdict(self) | {"ok": self.well()}

    def report(self) -> list[str]:
        kills = ", ".join(f"{kind} {count}" for kind, count in sorted(self.kills.items()))
        lines = [
            f"Killed: {sum(self.kills.values())} ({kills}).",
            f"{self.corridas} corridas: {self.states}; {self.retries} tried more than once.",
            f"Copies of circuits meanwhile: {self.copies}.",
            self._followed(),
            f"Quiet {self.quiet_after:.0f} s after the last kill.",
            *map(self._line, self.times.items()),
            *self.faults[:20],
        ]
        return [*lines, "OK." if self.well() else f"{len(self.faults)} FAULTS."]

    def _followed(self) -> str:
        with_browser = "one of them a page in Chromium" if self.browser else "no browser found"
        return (
            f"{self.followers} followed ({with_browser}) over {self.lines} lines: "
            f"{self.heard} events heard, {self.missed} missed, {self.twice} heard twice."
        )

    def _line(self, entry: tuple[str, float]) -> str:
        name, seconds = entry
        if name == "stall":
            return f"Longest time without a corrida played: {seconds:.1f} s."
        return f"{name.replace('_', ' ')} {seconds:.1f} s: {self.corridas / seconds:.1f} a second."


class Trial:
    """A chaos test: a number of corridas, and the random generator that chooses what to kill."""

    def __init__(
        self, site: Site | Embedded, corridas: int, chance: Chance, every: float = 1.0
    ) -> None:
        self._site, self._corridas, self._chance = site, corridas, chance
        self._every = every  # seconds between two kills
        self._followers: list[Follower] = []
        self._page: Page | None = None
        self._kills = Counter[str]()

    def run(self, seconds: int) -> Outcome:
        began = time.monotonic()
        watched = self._site.scene("prepare", self._corridas)["watched"]
        self._site.serve()
        print(f"{self._corridas} carteles hang after {time.monotonic() - began:.0f} s.", flush=True)
        self._site.scene("queue", self._corridas)
        self._site.scene("copy", self._corridas)
        self._follow(watched)
        self._kill_for(seconds)
        try:
            quiet = self._wait_until_quiet()
            return self._count(quiet)
        finally:
            for follower in self._followers:
                follower.stop()
            if self._page is not None:
                self._page.close()

    def _follow(self, watched: list[int]) -> None:
        port = self._site.front.port
        paths = [f"/live/corrida-en/{key}/" for key in watched for _ in range(A_KIND)]
        self._followers = [Follower(port, path) for path in paths]
        self._followers += [Follower(port, "/live/events/all/") for _ in range(A_KIND)]
        for follower in self._followers:
            follower.start()
        page = Page(f"http://127.0.0.1:{port}/corridas/{watched[0]}/")
        self._page = page if page.open() else None

    def _kill_for(self, seconds: int) -> None:
        began = time.monotonic()
        for number in range(1, int(seconds / self._every) + 1):
            self._kill_one()
            self._look_until(began + number * self._every)

    def _kill_one(self) -> None:
        kinds = sorted({part.kind for part in self._site.parts})
        kind = self._chance.pick(kinds)
        part = self._chance.pick(
            [candidate for candidate in self._site.parts if candidate.kind == kind]
        )
        struck = part.kill(self._chance)
        self._kills[kind] += struck is not None

    def _look_until(self, instant: float) -> None:
        while time.monotonic() < instant:
            for part in self._site.parts:
                part.look()
            time.sleep(min(LOOK, max(0.0, instant - time.monotonic())))

    def _wait_until_quiet(self) -> float:
        """Wait until nothing is left to play, show or copy, or nothing moves.

        Return the seconds it took.
        """
        began = moved = time.monotonic()
        before = None
        while time.monotonic() < min(began + QUIET_WITHIN, moved + STUCK_AFTER):
            self._look_until(time.monotonic() + 1)
            waiting = tuple(map(self._site.count, (QUEUED, ON_AIR, COPIES)))
            if not any(waiting) and self._all_heard():
                break
            stands = *waiting, sum(sum(follower.heard.values()) for follower in self._followers)
            moved, before = (moved, before) if stands == before else (time.monotonic(), stands)
        took = time.monotonic() - began
        self._look_until(time.monotonic() + 5)  # for events that are published afterwards
        return took

    def _all_heard(self) -> bool:
        streams = [follower for follower in self._followers if "corrida" in follower.path]
        return all(follower.ended for follower in streams) and (
            self._page is None or self._page.ended()
        )

    def _count(self, quiet: float) -> Outcome:
        audit = self._site.scene("audit", self._corridas)
        expected = {
            f"/live/corrida-en/{key}/": range(1, n + 1) for key, n in audit["moments"].items()
        }
        expected["/live/events/all/"] = audit["events"]
        heard = [(follower.heard, expected[follower.path]) for follower in self._followers]
        if self._page is not None:
            seen = self._page.heard()
            last = max(expected[self._followers[0].path])
            heard.append((seen, range(min(seen, default=1), last + 1)))
        return Outcome(
            corridas=self._corridas,
            kills=dict(self._kills),
            states=audit["states"],
            retries=audit["retries"],
            copies=audit["copies"],
            faults=[*audit["faults"], *self._site.faults()],
            followers=len(heard),
            browser=self._page is not None,
            lines=sum(follower.lines for follower in self._followers),
            heard=sum(sum(counted.values()) for counted, _ in heard),
            missed=sum(number not in counted for counted, numbers in heard for number in numbers),
            twice=sum(count > 1 for counted, _ in heard for count in counted.values()),
            quiet_after=quiet,
            times={k: audit[k] for k in ("played_in", "posted_in", "stall") if k in audit},
        )
