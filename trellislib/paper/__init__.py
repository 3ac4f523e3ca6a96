"""The paper as data: what it prints, what it runs, and what it draws, to be compared with what is computed here.

"The paper" is Read, Martino, Olmos and Luengo, "Scalable multi-output label prediction: from classifier chains to
classifier trellises", Pattern Recognition 48 (2015).
"""

from trellislib.paper.experiments import EXPERIMENTS, PaperExperiment, Plan, published_and_ours
from trellislib.paper.field import FIELD_METHODS, FIELD_SCORES, field
from trellislib.paper.learners import ENSEMBLES, LEARNERS, base_learner, paper_method
from trellislib.paper.published import SCORES, published, rank_table, score_table, seconds_table
from trellislib.paper.structures import (
    RoomExample,
    graphical_models,
    measured_exponents,
    music_graphs,
    recovered_graphs,
    room_example,
    trellises,
)

beside = published_and_ours  # its earlier name

__all__ = [
    "ENSEMBLES",
    "EXPERIMENTS",
    "FIELD_METHODS",
    "FIELD_SCORES",
    "LEARNERS",
    "SCORES",
    "PaperExperiment",
    "Plan",
    "RoomExample",
    "base_learner",
    "field",
    "graphical_models",
    "measured_exponents",
    "music_graphs",
    "paper_method",
    "published",
    "published_and_ours",
    "rank_table",
    "recovered_graphs",
    "room_example",
    "score_table",
    "seconds_table",
    "trellises",
]
