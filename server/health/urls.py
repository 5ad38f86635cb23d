"""URL of the status page. `server.health.middleware` answers health checks of machines."""

from django.urls import path

from server.health.views import status

urlpatterns = [path("status/", status, name="status")]
