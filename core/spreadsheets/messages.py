"""Messages marked for translation, for modules that work without Django."""


def gettext_noop(message: str) -> str:
    """Return the message unchanged. The name marks it for translation."""
    return message
