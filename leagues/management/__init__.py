"""What `manage.py` can do with leagues and their games."""
