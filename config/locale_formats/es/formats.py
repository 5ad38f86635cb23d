"""Spanish date and number formats.

Templates use English format strings such as `j F Y`. Django first looks for a variable of that name
in this module. Here it finds the Spanish format, which joins the parts with `de`.
"""

from __future__ import annotations

# Django's Spanish locale uses a space, which looks like a gap in large numbers.
THOUSAND_SEPARATOR = "."

globals().update(
    {
        "F Y": r"F \d\e Y",
        "M": "b",  # Spanish months have small letters
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
