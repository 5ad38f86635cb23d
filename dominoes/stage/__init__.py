"""Drawing of a dominoes hand for pages: train, the player's tiles, seats, scores and result."""

from dominoes.stage.picture import DrawnTile, TrainPicture, draw_tile, draw_train
from dominoes.stage.rack import DRAW, DRAW_ON, LAY, PASS, Rack, build_rack
from dominoes.stage.scene import build_scene

__all__ = [
    "DRAW",
    "DRAW_ON",
    "LAY",
    "PASS",
    "DrawnTile",
    "Rack",
    "TrainPicture",
    "build_rack",
    "build_scene",
    "draw_tile",
    "draw_train",
]
