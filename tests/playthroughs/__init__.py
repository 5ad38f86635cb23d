"""Golden playthroughs: whole corridas as readable files that must not change.

The head of a file says what the corrida is played from, the rest follows from it. After a change of
the game that is meant, `python -m tests.playthroughs.rewrite` derives every file anew from its head
(for a new one, write the head alone); read the difference before committing it.

`deck*.txt` and `cards.csv` are kept here, apart from the tables that the site ships with, so that
calibrating those moves no playthrough.
"""
