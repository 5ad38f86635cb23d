"""The exception `OperationError` for rejected operations, with a message for the user."""

from core.errors import RejectedOperation


class OperationError(RejectedOperation):
    """An operation on circuits, rosters or seasons was rejected, and nothing was changed."""
