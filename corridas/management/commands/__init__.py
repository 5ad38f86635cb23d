"""The `manage.py` commands of Temporada."""
