"""URLs of El Toro under `/api/v1/`."""

from __future__ import annotations

from django.urls import path

from eltoro.api import resources
from eltoro.api import tabletop as tabletop_api

COLLECTIONS = ("eltoro_boards",)
BOARD_PATH = "eltoro/matches/<int:pk>/board/"

board = tabletop_api.BoardViewSet.as_view

urlpatterns = [
    path("eltoro/boards/", resources.BoardListView.as_view(), name="api_eltoro_boards"),
    path("eltoro/boards/<slug:key>/", resources.BoardView.as_view(), name="api_eltoro_board"),
    path("eltoro/cards/", resources.CardListView.as_view(), name="api_eltoro_cards"),
    path("eltoro/tables/<int:pk>/odds/", resources.TableOddsView.as_view(), name="api_eltoro_odds"),
    path("eltoro/kept/", tabletop_api.BegunListView.as_view(), name="api_eltoro_begun"),
    path(BOARD_PATH, tabletop_api.KeptBoardView.as_view(), name="api_eltoro_kept"),
    path(
        f"{BOARD_PATH}entries/",
        board({"post": "record"}),
        name="api_eltoro_entry",
    ),
    path(
        f"{BOARD_PATH}undo/",
        board({"post": "undo"}),
        name="api_eltoro_undo",
    ),
    path(
        f"{BOARD_PATH}dice/",
        board({"post": "choose_dice"}),
        name="api_eltoro_dice",
    ),
    path(
        f"{BOARD_PATH}sheet/",
        board({"post": "hand_in"}),
        name="api_eltoro_hand_in",
    ),
]
