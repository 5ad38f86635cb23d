"""What `manage.py` can do with Indulto."""
