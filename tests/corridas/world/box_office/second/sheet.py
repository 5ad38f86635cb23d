"""The box-office sheet and the words of the letter (section 6)."""

from fractions import Fraction

from tests.corridas.world.box_office.second.house import BASE
from tests.corridas.world.box_office.second.whole import nearest

NAMES = ("base", "names", "mood", "day", "price", "chance")
REASONS = ("names", "mood", "price", "chance", "turned away", "rain")


def levels(
    seats: int, category: int, pull: int, mood: int, day: int, price: int, chance: int
) -> list[Fraction]:
    """Six running numbers of people (exact, in seats), after each of base to chance."""
    people = Fraction(seats * BASE[category], 1_000)
    running = [people]
    for factor in (pull, mood, day, price, chance):
        people = people * factor / 1_000
        running.append(people)
    return running


def steps(running: list[Fraction], seats: int, t: int, rain: bool) -> dict[str, Fraction]:
    """What each name of the waterfall adds, in seats, from `levels`; all together are the house.

    Everything after "chance" starts from whole numbers: wanted = the last level, rounded.
    """
    added = {"base": running[0]}
    for place in range(1, len(running)):
        added[NAMES[place]] = running[place] - running[place - 1]
    wanted = nearest(running[-1])
    others = wanted - nearest(Fraction(4 * t, 5))
    sold = min(seats - t, max(0, others))
    dry = Fraction(sold)
    wet = Fraction(nearest(Fraction(60 * sold, 100))) if rain else dry
    added["tickets"] = Fraction(t - nearest(Fraction(4 * t, 5)))
    added["turned away"] = Fraction(min(0, sold - others))
    added["rain"] = wet - dry
    return added


def in_a_hundred(people: int | Fraction, seats: int) -> Fraction:
    """Seats in a hundred, rounded to a tenth, halves up (for show only)."""
    return Fraction(nearest(Fraction(1_000) * people / seats), 10)


def why(added: dict[str, Fraction], seats: int, more: bool) -> tuple[str, int] | None:
    """Why more, or why fewer: the largest step of the six reasons, in people; None below 1 %."""
    best: tuple[str, Fraction] | None = None
    for name in REASONS:
        size = added[name] if more else -added[name]
        if size * 100 >= seats and (best is None or size > best[1]):
            best = (name, size)
    if best is None:
        return None
    return best[0], nearest(best[1])


def worth(seen: int, par_seen: int, unit: int, fee: int, par_fee: int, full: int) -> int:
    """A signing's worth in hundredths: what his bulls showed, and what he cost against the par."""
    shown = nearest(Fraction(100 * (seen - par_seen), 3 * unit))
    saved = nearest(Fraction(100 * (par_fee * full - 3_000 * fee), 180 * full))
    return shown + saved


def house_word(h: int) -> str:
    """The house in words, from thousandths of the seats."""
    for least, word in (
        (970, "full"),
        (850, "nearly full"),
        (650, "three quarters"),
        (450, "half"),
        (280, "a third"),
    ):
        if h >= least:
            return word
    return "a quarter"


def mood_word(mood: int) -> str:
    """The mood in words, from hundredths of a point (75 in the text is 7,500)."""
    for least, word in (
        (7_500, "devoted"),
        (5_500, "warm"),
        (4_500, "waits and sees"),
        (3_000, "cool"),
    ):
        if mood >= least:
            return word
    return "sour"
