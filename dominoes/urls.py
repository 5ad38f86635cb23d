"""Addresses of Matador dominoes."""

from django.urls import path

from dominoes.views import front

urlpatterns = [
    path("dominoes/", front.page, name="dominoes"),
    path("dominoes/rules/", front.rules, name="dominoes_rules"),
]
