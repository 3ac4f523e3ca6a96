"""How a fitted method comes to its predictions, label by label; and which labels of the data look wrong."""

from trellislib.inspection.corrections import without
from trellislib.inspection.decisions import Decided, decided
from trellislib.inspection.edges import edge_effects, edge_name
from trellislib.inspection.gibbs import GibbsRuns, gibbs_runs
from trellislib.inspection.label_errors import suspicious_labels
from trellislib.inspection.members import features_for, graph_members
from trellislib.inspection.path import PredictionPath, Step, prediction_path
from trellislib.inspection.places import level_name
from trellislib.inspection.propagation import by_level, instances_by_outcome, propagation

life = prediction_path  # its earlier name

__all__ = [
    "Decided",
    "GibbsRuns",
    "PredictionPath",
    "Step",
    "by_level",
    "decided",
    "edge_effects",
    "edge_name",
    "features_for",
    "gibbs_runs",
    "graph_members",
    "instances_by_outcome",
    "level_name",
    "prediction_path",
    "propagation",
    "suspicious_labels",
    "without",
]
