"""A second opinion on Indulto: a slow, plain rules checker that shares nothing with the engine.

It reads the rulebook and Rulings I-1 to I-18 a second time, over plain data (dicts, lists, text),
so that a misreading in the engine has to be made twice before it goes unseen.
"""
