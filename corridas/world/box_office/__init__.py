"""The rules for running a plaza: houses, fees, money, mood, and the mark at the end of a season.

All are pure functions of whole numbers; what chance decides comes from the season's seed.
docs/empresa.md explains the rules. Money and mood never change a card, a range or a draw. They
decide only who is hired.
"""

from corridas.world.box_office.canon import UsualDay, canon, renewed_canon, usual_day
from corridas.world.box_office.career import (
    OfferedPlaza,
    Step,
    reputation_after,
    step_reached,
    steps,
)
from corridas.world.box_office.draw import cartel_draw, draw, fresh, pull, standing
from corridas.world.box_office.expected import Expected, expected
from corridas.world.box_office.fees import fee, fee_share
from corridas.world.box_office.here import AfternoonHere, memory
from corridas.world.box_office.house import (
    Demand,
    House,
    house_of,
    price_factor,
    season_tickets,
    seat_public,
    wanted,
)
from corridas.world.box_office.judge import Afternoon, Lines, judge
from corridas.world.box_office.luck import Luck, draw_harvest, draw_luck
from corridas.world.box_office.money import (
    Account,
    account,
    free_money,
    income,
    is_bankrupt,
    starting_cash,
    to_fortune,
)
from corridas.world.box_office.mood import (
    missed,
    mood_after,
    mood_after_winter,
    mood_factor,
    surprise,
)
from corridas.world.box_office.offers import offers
from corridas.world.box_office.pars import Pars
from corridas.world.box_office.rehearsal import (
    DatedBill,
    rehearsal_seed,
    rehearse,
    standings_of,
)
from corridas.world.box_office.ring import Ring, day_factor, rain_odds
from corridas.world.box_office.seen import bull_points, half_points, seen
from corridas.world.box_office.tables import ASKED, VERSION, Harvest, Price, Window
from corridas.world.box_office.trust import Trust, ends_term, is_dismissed, is_renewed
from corridas.world.box_office.waterfall import Factor, Fall, Waterfall, waterfall
from corridas.world.box_office.words import HouseWord, MoodWord, house_word, mood_word
from corridas.world.box_office.worth import (
    Prospect,
    Signing,
    best_find,
    best_free_man,
    dearest_mistake,
    weakest,
    worth,
)

__all__ = [
    "ASKED",
    "VERSION",
    "Account",
    "Afternoon",
    "AfternoonHere",
    "DatedBill",
    "Demand",
    "Expected",
    "Factor",
    "Fall",
    "Harvest",
    "House",
    "HouseWord",
    "Lines",
    "Luck",
    "MoodWord",
    "OfferedPlaza",
    "Pars",
    "Price",
    "Prospect",
    "Ring",
    "Signing",
    "Step",
    "Trust",
    "UsualDay",
    "Waterfall",
    "Window",
    "account",
    "best_find",
    "best_free_man",
    "bull_points",
    "canon",
    "cartel_draw",
    "day_factor",
    "dearest_mistake",
    "draw",
    "draw_harvest",
    "draw_luck",
    "ends_term",
    "expected",
    "fee",
    "fee_share",
    "free_money",
    "fresh",
    "half_points",
    "house_of",
    "house_word",
    "income",
    "is_bankrupt",
    "is_dismissed",
    "is_renewed",
    "judge",
    "memory",
    "missed",
    "mood_after",
    "mood_after_winter",
    "mood_factor",
    "mood_word",
    "offers",
    "price_factor",
    "pull",
    "rain_odds",
    "rehearsal_seed",
    "rehearse",
    "renewed_canon",
    "reputation_after",
    "season_tickets",
    "seat_public",
    "seen",
    "standing",
    "standings_of",
    "starting_cash",
    "step_reached",
    "steps",
    "surprise",
    "to_fortune",
    "usual_day",
    "wanted",
    "waterfall",
    "weakest",
    "worth",
]
