"""The game as leagues know it."""

from eltoro import game
from leagues.games import games

if games.find("eltoro") is None:
    game.offer()
