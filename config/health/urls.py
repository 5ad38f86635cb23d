"""URL of the status page. `config.health.middleware` answers machines."""

from django.urls import path

from config.health.views import status

urlpatterns = [path("status/", status, name="status")]
