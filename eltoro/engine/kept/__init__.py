"""The board keeper: the board of a real table, kept beside real cards and, often, real dice."""

from eltoro.engine.kept.day import KeptDay, Note, Rolled
from eltoro.engine.kept.entry import Entry, KeptError, Target, Verb
from eltoro.engine.kept.keeper import Kept
from eltoro.engine.kept.state import Due

__all__ = ["Due", "Entry", "Kept", "KeptDay", "KeptError", "Note", "Rolled", "Target", "Verb"]
