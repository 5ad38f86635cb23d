"""A second opinion on Running with the Bulls: slow, plain, and sharing nothing with the engine.

It reads the rulebook and Rulings E-1 to E-10 a second time, over dictionaries, lists and strings
in the notation (`a1`, `T6`, `fuente/odd`), so that a misreading in the engine has to be made twice
before it goes unseen. Only `fairness` is shared: chance is the same for all.
"""
