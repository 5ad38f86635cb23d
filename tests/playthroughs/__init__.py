"""Golden files: whole corridas and matches as readable text that must not change.

The head of a file contains the setup, and the rest follows from it. After an intended change of the
game, `python -m tests.playthroughs.rewrite` computes every file again from its head. For a new
file, write the head only. Read the differences before you commit them. `deck*.txt` and `cards.csv`
are separate from the shipped tables, so that new shipped cards change no golden file.
"""
