"""URLs of events."""

from django.urls import path

from events import views

urlpatterns = [path("sucesos/", views.event_list, name="happenings")]
