"""Addresses of Running with the Bulls."""

from django.urls import path

from eltoro.views import front, hand_in, keeper, scoresheet, way

urlpatterns = [
    path("eltoro/", front.page, name="eltoro"),
    path("eltoro/rules/", front.rules, name="eltoro_rules"),
    path("eltoro/matches/<int:pk>/evening/", hand_in.page, name="eltoro_hand"),
    path("eltoro/matches/<int:pk>/scoresheet/", scoresheet.of_match, name="eltoro_match_sheet"),
    path("eltoro/boards/", keeper.hall, name="eltoro_keepers"),
    path("eltoro/matches/<int:pk>/board/", keeper.page, name="eltoro_keeper"),
    path("eltoro/tables/<int:pk>/ways/<str:runner>/", way.page, name="eltoro_way"),
    path("eltoro/scoresheets/", scoresheet.of_matches, name="eltoro_scoresheets"),
    path("eltoro/scoresheet/", scoresheet.empty, name="eltoro_scoresheet"),
]
