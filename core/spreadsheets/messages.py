"""Messages marked for translation, for readers that do without Django."""


def gettext_noop(message: str) -> str:
    """Return the message unchanged. Marks it for translation."""
    return message
