"""URL of the page on which records can be checked."""

from django.urls import path

from actas import views

urlpatterns = [path("actas/", views.page, name="actas")]
