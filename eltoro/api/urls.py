"""Addresses of Running with the Bulls for programs, under `/api/v1/`."""

from django.urls import path

from eltoro.api import boards, keeping

COLLECTIONS = ("eltoro_boards",)
BOARD = "eltoro/matches/<int:pk>/board/"

urlpatterns = [
    path("eltoro/boards/", boards.Boards.as_view(), name="api_eltoro_boards"),
    path("eltoro/boards/<slug:key>/", boards.BoardOne.as_view(), name="api_eltoro_board"),
    path("eltoro/cards/", boards.AllCards.as_view(), name="api_eltoro_cards"),
    path("eltoro/tables/<int:pk>/odds/", boards.TableOdds.as_view(), name="api_eltoro_odds"),
    path("eltoro/kept/", keeping.Begun.as_view(), name="api_eltoro_begun"),
    path(BOARD, keeping.KeptBoard.as_view(), name="api_eltoro_kept"),
    path(f"{BOARD}entries/", keeping.BoardEntry.as_view(), name="api_eltoro_entry"),
    path(f"{BOARD}undo/", keeping.BoardUndo.as_view(), name="api_eltoro_undo"),
    path(f"{BOARD}dice/", keeping.BoardDice.as_view(), name="api_eltoro_dice"),
    path(f"{BOARD}sheet/", keeping.BoardHandingIn.as_view(), name="api_eltoro_hand_in"),
]
