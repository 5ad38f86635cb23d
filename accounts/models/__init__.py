"""Who is signed in, and what the site keeps for them."""

from accounts.models.exports import Export, ExportPart
from accounts.models.leaving import Departure
from accounts.models.notices import Choice, Notice
from accounts.models.people import Theme, User

__all__ = ["Choice", "Departure", "Export", "ExportPart", "Notice", "Theme", "User"]
