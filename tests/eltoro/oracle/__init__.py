"""An independent implementation of Running with the Bulls, against which the engine is tested.

It is slow and plain and shares only the random numbers (`fairness`) with the engine. It follows the
rulebook and Rulings E-1 to E-10 with dictionaries, lists and strings in notation (`a1`, `T6`,
`fuente/odd`). A misreading of the rules therefore stays unnoticed only if it was made twice.
"""
