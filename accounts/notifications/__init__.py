"""Notifications: kinds, channels, email, calendar and Atom feeds.

An application registers its kinds in `AppConfig.ready` with `kinds.register_kinds`. It sends
notifications with `operations.notify`, in the transaction that stores the event.
"""
