"""An independent implementation of Matador dominoes, against which the engine is tested.

It is slow and plain and shares no code with the engine. It follows the rulebook and Rulings D-1 to
D-10 with lists of (a, b) tuples and one function for each ruling. A misreading of the rules
therefore stays unnoticed only if it was made twice.
"""
