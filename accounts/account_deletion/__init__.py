"""Account deletion with a grace period of seven days.

An account is deactivated when its owner requests the deletion. Seven days later a periodic task
deletes the account, unless the owner has cancelled. The user's match results stay, under an alias,
because the results of other players depend on them. Each application registers a `DeletionHandler`
in `AppConfig.ready`.
"""
