"""A second, slow and simple implementation of the Indulto rules, for tests only.

It shares no code with the engine. It was written from the rulebook and Rulings I-1 to I-18, and
works on plain data (dicts, lists, text). A misreading of a rule goes unnoticed only if both
implementations contain it.
"""
