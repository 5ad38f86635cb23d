"""What the pages draw of a hand: the train laid out, the rack, seats, scores, outcome."""

from dominoes.stage.picture import Drawn, Picture, one, picture
from dominoes.stage.rack import DRAW, DRAW_ON, LAY, PASS, Rack, rack
from dominoes.stage.scene import scene

__all__ = [
    "DRAW",
    "DRAW_ON",
    "LAY",
    "PASS",
    "Drawn",
    "Picture",
    "Rack",
    "one",
    "picture",
    "rack",
    "scene",
]
