"""Notifications: kinds, channels, email, calendar and Atom feeds.

An application registers its kinds in `AppConfig.ready` (`kinds.register_kinds`) and sends with
`operations.notify` in the transaction of the event.
"""
