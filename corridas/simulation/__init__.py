"""Plays seasons: drawing, playing and posting corridas, runs, winters and the record book.

No other code above the models applies the rules. Clock and chance are arguments: `at`, an aware
datetime, and `fresh`, which returns new seeds. Every function that writes does so in one
transaction.
"""
