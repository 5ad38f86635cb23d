"""Rules engine of Running with the Bulls (El Toro), to play or replay whole games.

Import the engine only from this package. Results depend only on the rule set, the seed and the
moves. The engine implements the rulebook as interpreted by Rulings E-1 to E-10
(docs/rules/eltoro.md). Cards, destinations and spaces are numbers: indexes into `rules.cards`,
`rules.destinations` and `rules.board.spaces`. Moves and towns have a notation:

    >>> from fairness import Seed
    >>> rules = PROFILES["el-toro"]                     # or Rules(board=..., days=2)
    >>> rules.board.steps, len(rules.board.rows[0]), rules.runners(2)
    (4, 5, 9)
    >>> game = Game.new(rules, 2, Seed(bytes(32)))      # dealt, the first morning rolled
    >>> game.turn, game.ask
    (0, <DecisionKind.START: 'start'>)
    >>> view = game.view(1)                             # what seat 1 may see; None: spectator
    >>> view.town.day, view.town.phase, view.town.hand_sizes, len(view.hand)
    (1, <Phase.MORNING: 'morning'>, (5, 5), 5)
    >>> game.play(Move.read("start a1>9"), seat=1)
    Traceback (most recent call last):
    eltoro.engine.errors.IllegalMove: It is not your turn. (Ruling E-4)
    >>> bot, events = Seed(bytes(32)).chance("bot"), []
    >>> while not game.is_over:
    ...     move = random_move(game.view(game.turn), bot)
    ...     game.play(move, seat=game.turn, witness=lambda event, game: events.append(event))
    >>> len(game.points), sorted(game.places)[0], events[-1]
    (2, 1, GameOver())
    >>> again = replay(rules, 2, Seed(bytes(32)), [Move.read(str(move)) for move in game.log])
    >>> again.points == game.points
    True
    >>> started = replay(rules, 2, Seed(bytes(32)), game.log[:2]).town()
    >>> chances = odds(started, rules, 0, 0)            # of runner a1, if no more cards are played
    >>> chances.arrives, chances.trampled
    ((0.0, 0.0, 0.0, 1.0, 0.0), 0.0)

Examples of the notation of moves (`Move.read(text)`, `str(move)`): `start a2>4 a5>6`,
`play second-wind a1 a3`, `discard elbow`. `offers(view, card)` returns the possible targets of a
card in this notation. The notation of a town has two lines (`write_town`).

An `IllegalMove` has `code`, `params` and `ruling`. Its message is `REASONS[code][1] % params`. A
`DataError` also has file and line.
"""

from eltoro.engine.board import EVEN, MAX_SPACES, ODD, PARITIES, Board, Sign, Space, read_board
from eltoro.engine.cards import (
    DECK_SIZE,
    HAND_SIZE,
    Bonus,
    Card,
    Destination,
    Effect,
    RunnerOwner,
    read_cards,
    read_destinations,
)
from eltoro.engine.dice import FACES, MAX_BULLS, TOKENS
from eltoro.engine.errors import (
    REASONS,
    DataError,
    EngineError,
    IllegalMove,
    NotationError,
    RulesError,
)
from eltoro.engine.events import (
    BullAdded,
    BullLed,
    BullRolled,
    BullsMoved,
    CardPlayed,
    Charged,
    DayOver,
    Dealt,
    DestinationsLaid,
    DieRolled,
    DieTurned,
    Discarded,
    Drew,
    EffectPaid,
    Event,
    FirstTaken,
    Gained,
    GameOver,
    Matched,
    Placed,
    Runner,
    RunnersMoved,
    RunnersRolled,
    Scored,
    Shuffled,
    TokenPassed,
    TokenPlaced,
    TokenRemoved,
)
from eltoro.engine.game import Game, replay
from eltoro.engine.moves import LETTERS, DecisionKind, Move, write_bull, write_runner
from eltoro.engine.notation import write_town
from eltoro.engine.odds import Odds, odds
from eltoro.engine.offers import Offer, offers
from eltoro.engine.random_moves import random_move
from eltoro.engine.real_board import (
    BoardEntry,
    DueEntryKind,
    EntryError,
    EntryNote,
    EntryTarget,
    RealBoard,
    RolledDie,
    ScoredDay,
    Verb,
)
from eltoro.engine.rules import (
    BOARDS,
    DECK,
    DESTINATIONS,
    ENGINE_VERSION,
    PROFILES,
    RULINGS,
    RUNNERS,
    SEATS,
    Rules,
)
from eltoro.engine.state import GameState, Witness, places_of
from eltoro.engine.town import Die, Phase, Town, View

__all__ = [
    "BOARDS",
    "DECK",
    "DECK_SIZE",
    "DESTINATIONS",
    "ENGINE_VERSION",
    "EVEN",
    "FACES",
    "HAND_SIZE",
    "LETTERS",
    "MAX_BULLS",
    "MAX_SPACES",
    "ODD",
    "PARITIES",
    "PROFILES",
    "REASONS",
    "RULINGS",
    "RUNNERS",
    "SEATS",
    "TOKENS",
    "Board",
    "BoardEntry",
    "Bonus",
    "BullAdded",
    "BullLed",
    "BullRolled",
    "BullsMoved",
    "Card",
    "CardPlayed",
    "Charged",
    "DataError",
    "DayOver",
    "Dealt",
    "DecisionKind",
    "Destination",
    "DestinationsLaid",
    "Die",
    "DieRolled",
    "DieTurned",
    "Discarded",
    "Drew",
    "DueEntryKind",
    "Effect",
    "EffectPaid",
    "EngineError",
    "EntryError",
    "EntryNote",
    "EntryTarget",
    "Event",
    "FirstTaken",
    "Gained",
    "Game",
    "GameOver",
    "GameState",
    "IllegalMove",
    "Matched",
    "Move",
    "NotationError",
    "Odds",
    "Offer",
    "Phase",
    "Placed",
    "RealBoard",
    "RolledDie",
    "Rules",
    "RulesError",
    "Runner",
    "RunnerOwner",
    "RunnersMoved",
    "RunnersRolled",
    "Scored",
    "ScoredDay",
    "Shuffled",
    "Sign",
    "Space",
    "TokenPassed",
    "TokenPlaced",
    "TokenRemoved",
    "Town",
    "Verb",
    "View",
    "Witness",
    "odds",
    "offers",
    "places_of",
    "random_move",
    "read_board",
    "read_cards",
    "read_destinations",
    "replay",
    "write_bull",
    "write_runner",
    "write_town",
]
