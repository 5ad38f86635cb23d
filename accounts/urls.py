"""The account's own addresses, beside those of allauth."""

from django.urls import path

from accounts import views

urlpatterns = [
    path("chair/", views.chair, name="chair"),
    path("preferences/", views.preferences, name="preferences"),
]
