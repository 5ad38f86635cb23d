"""Chance from a seed, and the promise made before it: the only source of luck on the site.

Pure and standard library only. Everything that chance decides can be re-derived by anybody who
has the seed and the label of the event (Rulings F-1 and F-2).
"""

from fairness.chance import Chance, Seed
from fairness.commitment import ABSENT, Difference, canonical, commitment, verify

__all__ = ["ABSENT", "Chance", "Difference", "Seed", "canonical", "commitment", "verify"]
