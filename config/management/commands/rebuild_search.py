"""The old name of `rebuild search`."""

from config.management.old_names import OldName


class Command(OldName):
    new = "rebuild search"
