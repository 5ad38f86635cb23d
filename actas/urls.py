"""URLs of the page of records."""

from django.urls import path

from actas import views

urlpatterns = [path("actas/", views.page, name="actas")]
