"""Spanish dates and figures. Templates use the English order, and `de` joins the parts.

Django looks up a format's name in this module before it takes the name as the format.
"""

from __future__ import annotations

# Django has a space, which leaves a gap in large figures.
THOUSAND_SEPARATOR = "."

globals().update(
    {
        "F Y": r"F \d\e Y",
        "M": "b",  # small letters, as Spanish writes its months
        "j M": "j b",
        "j M, H:i": "j b, H:i",
        "j M Y": "j b Y",
        "j M Y, H:i": "j b Y, H:i",
        "j F": r"j \d\e F",
        "j F Y": r"j \d\e F \d\e Y",
        "j F Y, H:i": r"j \d\e F \d\e Y, H:i",
        "l j M, H:i": "l j b, H:i",
        "l j F": r"l j \d\e F",
        "l j F Y": r"l j \d\e F \d\e Y",
        "l j F Y, H:i": r"l j \d\e F \d\e Y, H:i",
    }
)
