"""Random numbers from a seed and its published commitment: the site's only source of chance.

This package is pure Python and uses only the standard library. Anybody who knows the seed and the
label of an event can derive everything that chance decides (Rulings F-1 and F-2).
"""

from fairness.chance import Chance, Seed
from fairness.commitment import ABSENT, CommitmentDifference, canonical, commitment, verify

__all__ = ["ABSENT", "Chance", "CommitmentDifference", "Seed", "canonical", "commitment", "verify"]
