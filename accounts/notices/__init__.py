"""What people are told of: kinds, ways, the telling, and the secret addresses of feeds.

An application declares its `Kind`s in `AppConfig.ready` (`register`) and tells by `tell`, in the
transaction of what happened.
"""

from accounts.notices.choices import choose, choose_none, ways_of
from accounts.notices.kinds import Kind, Occasions, Way, kinds, register
from accounts.notices.reading import Line, latest, mark_all_read, open_notice, recount
from accounts.notices.telling import tell

__all__ = [
    "Kind",
    "Line",
    "Occasions",
    "Way",
    "choose",
    "choose_none",
    "kinds",
    "latest",
    "mark_all_read",
    "open_notice",
    "recount",
    "register",
    "tell",
    "ways_of",
]
