"""Dates in Spanish: the templates ask by the English order, `de` stands between the parts.

Django looks a format up by its name in this module before it takes the name as the format.
"""

globals().update(
    {
        "F Y": r"F \d\e Y",
        "j M": "j b",  # small letters, as Spanish writes its months
        "j M Y": "j b Y",
        "j F": r"j \d\e F",
        "j F Y": r"j \d\e F \d\e Y",
        "l j F": r"l j \d\e F",
        "l j F Y": r"l j \d\e F \d\e Y",
    }
)
