"""Pages kept as they were last rendered, under a key that holds all they depend on.

Rendering a table of a few dozen rows costs twenty times what everything else of the request does.
Strangers share what is kept, who is signed in has their own.
"""

from kept.page import Keeping, kept_page

__all__ = ["Keeping", "kept_page"]
