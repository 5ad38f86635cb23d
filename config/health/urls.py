"""The address of the page; what machines ask is answered by `config.health.middleware`."""

from django.urls import path

from config.health.views import status

urlpatterns = [path("status/", status, name="status")]
