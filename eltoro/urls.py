"""URLs of the pages of Running with the Bulls (El Toro)."""

from django.urls import path

from eltoro.pages import views
from eltoro.pages.tabletop import board, entry, scoresheet

urlpatterns = [
    path("eltoro/", views.home_page, name="eltoro"),
    path("eltoro/rules/", views.rules_page, name="eltoro_rules"),
    path("eltoro/matches/<int:pk>/evening/", entry.entry_page, name="eltoro_hand"),
    path(
        "eltoro/matches/<int:pk>/scoresheet/",
        scoresheet.scoresheet_of_match,
        name="eltoro_match_sheet",
    ),
    path("eltoro/boards/", board.boards_page, name="eltoro_keepers"),
    path("eltoro/matches/<int:pk>/board/", board.board_page, name="eltoro_keeper"),
    path("eltoro/tables/<int:pk>/ways/<str:runner>/", views.route_page, name="eltoro_way"),
    path("eltoro/scoresheets/", scoresheet.scoresheets_of_matches, name="eltoro_scoresheets"),
    path("eltoro/scoresheet/", scoresheet.empty_scoresheet, name="eltoro_scoresheet"),
]
