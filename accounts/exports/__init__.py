"""A copy of all that the site keeps about a person.

Applications declare in `AppConfig.ready` what they keep (`register`), or why a table that names
people holds nothing of theirs (`leave_out`). A test holds both against the models.
"""

from accounts.exports.making import AT_ONCE, ask, file_of, finish, forget_old, make, weight
from accounts.exports.parts import Files, Table, leave_out, left_out, parts, register
from accounts.exports.writing import write

__all__ = [
    "AT_ONCE",
    "Files",
    "Table",
    "ask",
    "file_of",
    "finish",
    "forget_old",
    "leave_out",
    "left_out",
    "make",
    "parts",
    "register",
    "weight",
    "write",
]
