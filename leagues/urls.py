"""Addresses of leagues, matches, players and tables."""

from django.urls import path

from leagues.views.tables import acts, hall, present

tables = [
    path("tables/", hall.index, name="tables"),
    path("tables/new/", hall.new, name="new_table"),
    path("tables/now/", hall.play_now, name="play_now"),
    path("tables/<int:pk>/", present.page, name="table"),
    path("tables/<int:pk>/move/", acts.move, name="table_move"),
    path("tables/<int:pk>/join/<str:invitation>/", acts.join, name="table_join"),
    path(
        "tables/<int:pk>/replay/<int:round_number>/<int:move>/",
        present.replay,
        name="table_replay",
    ),
    path("tables/<int:pk>/<slug:what>/", acts.act, name="table_act"),
]

urlpatterns = [*tables]
