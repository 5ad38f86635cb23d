"""Addresses of the records anyone can check."""

from django.urls import path

from actas import views

urlpatterns = [path("actas/", views.page, name="actas")]
