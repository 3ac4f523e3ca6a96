"""How a fitted method comes to its predictions: label by label, what comes from the features and what from labels."""

from trellislib.inspection.gibbs import GibbsRuns, gibbs_runs
from trellislib.inspection.life import Life, Step, life
from trellislib.inspection.members import features_for, graph_members

__all__ = ["GibbsRuns", "Life", "Step", "features_for", "gibbs_runs", "graph_members", "life"]
