"""Addresses of Matador dominoes."""

from django.urls import path

from dominoes.views import front, hand_in, scoresheet

urlpatterns = [
    path("dominoes/", front.page, name="dominoes"),
    path("dominoes/rules/", front.rules, name="dominoes_rules"),
    path("dominoes/matches/<int:pk>/hand/", hand_in.page, name="dominoes_hand"),
    path("dominoes/matches/<int:pk>/scoresheet/", scoresheet.of_match, name="dominoes_match_sheet"),
    path("dominoes/scoresheets/", scoresheet.of_matches, name="dominoes_scoresheets"),
    path("dominoes/scoresheet/", scoresheet.empty, name="dominoes_scoresheet"),
]
