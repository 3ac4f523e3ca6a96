"""The room of light sensors: estimates of its tiles by methods that learn, by the sensor model and by the posterior."""

from trellislib.room.comparison import compare_room, paper_sizes
from trellislib.room.decisions import BestDecisions, OptimalEstimator
from trellislib.room.estimate import MapEstimator, map_estimate
from trellislib.room.methods import Inferences, RoomMethods, fit_room_methods
from trellislib.room.posterior import Posterior, room_posterior, scene_counts

__all__ = [
    "BestDecisions",
    "Inferences",
    "MapEstimator",
    "OptimalEstimator",
    "Posterior",
    "RoomMethods",
    "compare_room",
    "fit_room_methods",
    "map_estimate",
    "paper_sizes",
    "room_posterior",
    "scene_counts",
]
