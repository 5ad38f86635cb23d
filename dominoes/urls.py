"""URLs of the pages of Matador dominoes."""

from django.urls import path

from dominoes.pages import views
from dominoes.pages.tabletop import entry, scoresheet

urlpatterns = [
    path("dominoes/", views.home_page, name="dominoes"),
    path("dominoes/rules/", views.rules_page, name="dominoes_rules"),
    path("dominoes/matches/<int:pk>/hand/", entry.entry_page, name="dominoes_hand"),
    path(
        "dominoes/matches/<int:pk>/scoresheet/",
        scoresheet.scoresheet_of_match,
        name="dominoes_match_sheet",
    ),
    path("dominoes/scoresheets/", scoresheet.scoresheets_of_matches, name="dominoes_scoresheets"),
    path("dominoes/scoresheet/", scoresheet.empty_scoresheet, name="dominoes_scoresheet"),
]
