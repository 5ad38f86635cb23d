"""Export of the data that the site stores about a user.

Applications register their tables in `AppConfig.ready` (`registry.register_tables`), or give the
reason for leaving one out (`registry.exclude_models`). A test compares both with the models.
"""
