"""What the afternoons cost and earn (section 4). All money is in duros, F is a full house."""

from collections.abc import Sequence
from fractions import Fraction

from tests.corridas.world.box_office.second.house import NORMAL, TICKET, full_house, usual_sales
from tests.corridas.world.box_office.second.whole import between, nearest

STEEPNESS = {1: 1_900, 2: 2_200, 3: 3_800}
WINTER, SEASON, EVE = 95, 100, 115


def share(n: int, category: int) -> int:
    """Row "fee": the share s of F in ten-thousandths; n without *here*, limited to 0-100."""
    n = between(0, n, 100)
    return 250 + nearest(Fraction(STEEPNESS[category] * n * n, 10_000))


def fee(full: int, n: int, category: int, window: int, diary: int) -> int:
    """Row "fee": duros; window 95, 100 or 115 per cent, diary other promoters' dates with him."""
    s = share(n, category)
    return nearest(Fraction(full * s * window * (100 + diary), 10**8))


def income(t: int, window: int, category: int, level: int) -> int:
    """Row "income": duros, from tickets and window in seats; level 85, 100 or 120 per cent."""
    return nearest(Fraction((85 * t + 100 * window) * TICKET[category] * level * 106, 10**6))


def overheads(full: int) -> int:
    """Row "costs": R(16 F/100) duros an afternoon."""
    return nearest(Fraction(16 * full, 100))


def canon_paid(full: int, canon: int) -> int:
    """Row "costs": R(canon F/100) duros an afternoon; canon in whole per cent."""
    return nearest(Fraction(canon * full, 100))


def costs(full: int, fees: Sequence[int], canon: int) -> int:
    """Row "costs": duros; the fees are those of the men who fought."""
    return sum(fees) + overheads(full) + canon_paid(full, canon)


def kept(income: int, costs: int) -> int:
    """Paragraph "Cash": what an afternoon adds to the cash (duros, may be below 0)."""
    return income - costs


def usual_income(seats: int, category: int, weekend: bool, month: int, feria_days: int) -> int:
    """Row "usual house": i = R(1,000 income/F), thousandths of F, at the normal price."""
    t, sold = usual_sales(seats, category, weekend, month, feria_days)
    earned = income(t, sold, category, NORMAL)
    return nearest(Fraction(1_000 * earned, full_house(seats, category)))


def canon(usual_incomes: Sequence[int], par_fee: int) -> int:
    """Row "canon": whole per cent of F; one usual income (thousandths) for each day."""
    mean = nearest(Fraction(sum(usual_incomes), len(usual_incomes)))
    return between(0, nearest(Fraction(mean - par_fee - 160 - 50, 10)), 25)


def canon_rise(total_kept: int, full: int, afternoons: int) -> int:
    """Section 5, renewal: whole per cent of F, half of what was kept beyond 5 %, at most 4.

    The money kept (duros) and the afternoons are those of the whole term.
    """
    kept_percent = Fraction(100 * total_kept, afternoons * full)
    half = (kept_percent - 5) / 2
    return between(0, half.numerator // half.denominator, 4)


def first_cash(full: int, afternoons: int) -> int:
    """Paragraph "Cash": 12 % of the season's full houses, in duros."""
    return nearest(Fraction(12 * full * afternoons, 100))


def free_money(cash: int, full: int, afternoons_to_come: int, promised: Sequence[int]) -> int:
    """Paragraph "Cash": cash + 30 % of F for each afternoon to come - the fees promised (duros)."""
    advance = nearest(Fraction(30 * full * afternoons_to_come, 100))
    return cash + advance - sum(promised)


def may_sign(fee: int, free: int) -> bool:
    """Paragraph "Cash": a signing beyond the free money is rejected."""
    return fee <= free


def to_fortune(cash: int, full: int, afternoons: int) -> int:
    """Paragraph "Cash": duros that leave in winter, all above 18 % of the season's full houses."""
    limit = nearest(Fraction(18 * full * afternoons, 100))
    return max(0, cash - limit)


def bankrupt(cash: int, full: int, afternoons: int) -> bool:
    """Paragraph "Cash": a debt above 8 % of the season's full houses at the season's end."""
    debt = -cash
    return debt * 100 > 8 * full * afternoons
