"""Randomness from a seed and its commitment: the only source of chance on the site.

Pure and standard library only. Anybody with the seed and the label of an event can derive
everything that chance decides (Rulings F-1 and F-2).
"""

from fairness.chance import Chance, Seed
from fairness.commitment import ABSENT, Difference, canonical, commitment, verify

__all__ = ["ABSENT", "Chance", "Difference", "Seed", "canonical", "commitment", "verify"]
