"""Export of the data that the site stores about a user.

Applications register their tables in `AppConfig.ready` with `registry.register_tables`, or give the
reason for leaving a model out with `registry.exclude_models`. A test checks that every model with
user data is either registered or excluded.
"""
