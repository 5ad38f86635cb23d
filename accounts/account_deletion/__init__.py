"""Account deletion with a grace period of seven days.

An account is deactivated when its owner asks for deletion. Seven days later a periodic task
deletes it, unless the owner has cancelled. Results stay under an alias, because those of other
people depend on them. Applications register a `DeletionHandler` in `AppConfig.ready`.
"""
