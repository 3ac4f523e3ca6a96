"""Structures between labels, usable without any classifier."""

from trellislib.graphs.explained import explained_trellis
from trellislib.graphs.files import GRAPH_FORMATS, written_graph
from trellislib.graphs.fs import fs, grown
from trellislib.graphs.lead import lead, lead_evidence, residuals_of
from trellislib.graphs.orders import frequency_order, information_order
from trellislib.graphs.pc import pc
from trellislib.graphs.placement import (
    PATTERNS,
    PLACEMENTS,
    Offset,
    Trellis,
    capture_bound,
    captured_dependence,
    climbed_captures,
    default_width,
    parse_pattern,
    random_captures,
    random_trellis,
    trellis,
)
from trellislib.graphs.random import random_pairs, random_tree
from trellislib.graphs.recovery import Recovery, difficulty_between, recovery, recovery_batch
from trellislib.graphs.search import searched_trellis
from trellislib.graphs.tree import mutual_information_tree
from trellislib.label_graph import AnyLabelGraph, LabelGraph, UndirectedLabelGraph

__all__ = [
    "GRAPH_FORMATS",
    "PATTERNS",
    "PLACEMENTS",
    "AnyLabelGraph",
    "LabelGraph",
    "Offset",
    "Recovery",
    "Trellis",
    "UndirectedLabelGraph",
    "capture_bound",
    "captured_dependence",
    "climbed_captures",
    "default_width",
    "difficulty_between",
    "explained_trellis",
    "frequency_order",
    "fs",
    "grown",
    "information_order",
    "lead",
    "lead_evidence",
    "mutual_information_tree",
    "parse_pattern",
    "pc",
    "random_captures",
    "random_pairs",
    "random_tree",
    "random_trellis",
    "recovery",
    "recovery_batch",
    "residuals_of",
    "searched_trellis",
    "trellis",
    "written_graph",
]
