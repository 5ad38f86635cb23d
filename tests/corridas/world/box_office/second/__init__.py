"""A second, slow implementation of the promoter's rules, written from their text alone.

The text is "La empresa", sections 2 to 6. Nothing here imports the code of the site, and nothing
here is fast: every function says one row of the text, with exact integers and fractions.

Units: money in duros; houses and tickets in seats; factors and shares in thousandths unless a
docstring says otherwise; mood, seen, asked, z and lines in hundredths; marks in tenths.
"""
