"""A second opinion on Matador: a slow, plain rules checker that shares nothing with the engine.

It reads the rulebook and Rulings D-1 to D-10 a second time, over lists of (a, b) tuples and one
function a ruling, so that a misreading in the engine has to be made twice before it goes unseen.
"""
