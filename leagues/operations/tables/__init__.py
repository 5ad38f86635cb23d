"""What a person can ask for at a table: lay it, sit down, begin, move, leave, come back."""

from leagues.operations.tables.begin import begin
from leagues.operations.tables.held import IllegalMove, StaleTable, find_table
from leagues.operations.tables.laying import House, lay_table
from leagues.operations.tables.moves import come_back, leave, make_move, say_ready
from leagues.operations.tables.sitting import (
    ask_bot,
    close_table,
    free_seat,
    sit_down,
    stand_up,
)
from leagues.operations.tables.watching import (
    follow_link,
    has_link,
    may_see,
    may_watch,
    player_of_visitor,
)

__all__ = [
    "House",
    "IllegalMove",
    "StaleTable",
    "ask_bot",
    "begin",
    "close_table",
    "come_back",
    "find_table",
    "follow_link",
    "free_seat",
    "has_link",
    "lay_table",
    "leave",
    "make_move",
    "may_see",
    "may_watch",
    "player_of_visitor",
    "say_ready",
    "sit_down",
    "stand_up",
]
