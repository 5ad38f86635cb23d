"""Engine of Indulto, a card game about bullfighting: plays and replays games by the full rulebook.

Other code imports the engine only through this module. It consists of pure functions of the rule
set, a source of randomness, and cards. It follows the published interpretation of the rulebook in
Rulings I-1 to I-16.
"""

from corridas.engine.corrida import (
    BULLS,
    MATADORS,
    CorridaRecord,
    CorridaSetup,
    draw_sorteo,
    play_corrida,
    replay_corrida,
)
from corridas.engine.deck import DECK_SIZE, Card, CardEntry, Deck, Kill, Kind
from corridas.engine.errors import (
    CardError,
    CartelError,
    DeckError,
    EngineError,
    ImpossibleDraw,
    RulesError,
)
from corridas.engine.events import (
    AvisoRead,
    BullRead,
    Digit,
    Ended,
    Ending,
    Event,
    FinalVerdict,
    IndultoChecked,
    InjuryRead,
    Move,
    Purpose,
    Scored,
    Settled,
    Side,
    Stroke,
    Substituted,
    TercioEnded,
    by_card,
    first_cards,
    turns_card,
)
from corridas.engine.kill import AVISO_POINTS, AVISOS_TO_STOP
from corridas.engine.lidia import LidiaRecord, LidiaResult
from corridas.engine.matador import (
    CROWD_RANGES,
    EARS,
    RANGES,
    TROPHY_RANGES,
    Crowd,
    MatadorCard,
    Trophy,
    cartel_json,
)
from corridas.engine.notation import write_lidia
from corridas.engine.pile import RecordedDeck
from corridas.engine.ranges import HIGHEST, LOWEST, Range
from corridas.engine.rules import CHOICES, ENGINE_VERSION, Rules
from corridas.engine.scoresheet import Scoresheet, TercioSheet, fill
from corridas.engine.script import MARKS, STROKES
from corridas.engine.tally import COUNTERS, Tally, counts_of, totals
from corridas.engine.unfolding import Begun, OpenCorrida
from corridas.engine.verdict import divide, final_score, modify
from corridas.engine.without_matador import corridas_without_matador

__all__ = [
    "AVISOS_TO_STOP",
    "AVISO_POINTS",
    "BULLS",
    "CHOICES",
    "COUNTERS",
    "CROWD_RANGES",
    "DECK_SIZE",
    "EARS",
    "ENGINE_VERSION",
    "HIGHEST",
    "LOWEST",
    "MARKS",
    "MATADORS",
    "RANGES",
    "STROKES",
    "TROPHY_RANGES",
    "AvisoRead",
    "Begun",
    "BullRead",
    "Card",
    "CardEntry",
    "CardError",
    "CartelError",
    "CorridaRecord",
    "CorridaSetup",
    "Crowd",
    "Deck",
    "DeckError",
    "Digit",
    "Ended",
    "Ending",
    "EngineError",
    "Event",
    "FinalVerdict",
    "ImpossibleDraw",
    "IndultoChecked",
    "InjuryRead",
    "Kill",
    "Kind",
    "LidiaRecord",
    "LidiaResult",
    "MatadorCard",
    "Move",
    "OpenCorrida",
    "Purpose",
    "Range",
    "RecordedDeck",
    "Rules",
    "RulesError",
    "Scored",
    "Scoresheet",
    "Settled",
    "Side",
    "Stroke",
    "Substituted",
    "Tally",
    "TercioEnded",
    "TercioSheet",
    "Trophy",
    "by_card",
    "cartel_json",
    "corridas_without_matador",
    "counts_of",
    "divide",
    "draw_sorteo",
    "fill",
    "final_score",
    "first_cards",
    "modify",
    "play_corrida",
    "replay_corrida",
    "totals",
    "turns_card",
    "write_lidia",
]
