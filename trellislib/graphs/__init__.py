"""Structures between labels, usable without any classifier."""

from trellislib.graphs.bootstrap import EdgeFrequencies, edge_frequencies, resampled
from trellislib.graphs.communities import label_communities
from trellislib.graphs.curves import capture_curve, selected_widths
from trellislib.graphs.differences import PairOfLabels, edge_differences, without_weak_edges
from trellislib.graphs.explained import explained_trellis
from trellislib.graphs.files import GRAPH_FORMATS, written_graph
from trellislib.graphs.fs import fs, grown
from trellislib.graphs.lead import lead, lead_evidence, residuals_of
from trellislib.graphs.orders import frequency_order, information_order
from trellislib.graphs.pairs import dependent_pairs, joined_otherwise, strongest_pairs
from trellislib.graphs.pc import pc
from trellislib.graphs.placement import (
    PATTERNS,
    PLACEMENTS,
    Offset,
    Trellis,
    capture_bound,
    captured_by_each,
    captured_dependence,
    climbed_captures,
    default_width,
    parse_pattern,
    random_captures,
    random_trellis,
    trellis,
)
from trellislib.graphs.positions import lattice_positions, ring_positions
from trellislib.graphs.random import random_pairs, random_tree
from trellislib.graphs.recovery import (
    STRUCTURES,
    VARIED,
    EdgeRoles,
    Recovery,
    difficulty_between,
    edge_roles,
    recovery,
    recovery_batch,
    recovery_curve,
)
from trellislib.graphs.search import searched_trellis
from trellislib.graphs.stability import Stability, placement_stability
from trellislib.graphs.steps import PlacementSteps, Step, placement_steps
from trellislib.graphs.tree import mutual_information_tree
from trellislib.labels.graph import AnyLabelGraph, LabelGraph, UndirectedLabelGraph

__all__ = [
    "GRAPH_FORMATS",
    "PATTERNS",
    "PLACEMENTS",
    "STRUCTURES",
    "VARIED",
    "AnyLabelGraph",
    "EdgeFrequencies",
    "EdgeRoles",
    "LabelGraph",
    "Offset",
    "PairOfLabels",
    "PlacementSteps",
    "Recovery",
    "Stability",
    "Step",
    "Trellis",
    "UndirectedLabelGraph",
    "capture_bound",
    "capture_curve",
    "captured_by_each",
    "captured_dependence",
    "climbed_captures",
    "default_width",
    "dependent_pairs",
    "difficulty_between",
    "edge_differences",
    "edge_frequencies",
    "edge_roles",
    "explained_trellis",
    "frequency_order",
    "fs",
    "grown",
    "information_order",
    "joined_otherwise",
    "label_communities",
    "lattice_positions",
    "lead",
    "lead_evidence",
    "mutual_information_tree",
    "parse_pattern",
    "pc",
    "placement_stability",
    "placement_steps",
    "random_captures",
    "random_pairs",
    "random_tree",
    "random_trellis",
    "recovery",
    "recovery_batch",
    "recovery_curve",
    "resampled",
    "residuals_of",
    "ring_positions",
    "searched_trellis",
    "selected_widths",
    "strongest_pairs",
    "trellis",
    "without_weak_edges",
    "written_graph",
]
