"""Pure functions from data to plotly figures; the only part of the library that needs plotly."""
# ruff: noqa: E402 - what is missing is named before anything is imported

from trellislib.running.extras import require

require("plotly", "trellislib.figures")

from trellislib.figures.answers import answer_figure, reached_figure
from trellislib.figures.captured import captured_figure
from trellislib.figures.comparison import label_scores_figure, score_against_time_figure, score_time_figure
from trellislib.figures.comparison_matrix import comparison_matrix
from trellislib.figures.conditional import conditional_figure, dependence_matrices, drawn_pairs
from trellislib.figures.contrasts import contrasts_figure
from trellislib.figures.critical import critical_distance_figure
from trellislib.figures.curves import capture_curve_figure, width_scores_figure
from trellislib.figures.dendrogram import dendrogram_figure
from trellislib.figures.depth import depth_figure, label_in_plane_figure
from trellislib.figures.differences import difference_spread, differences_figure
from trellislib.figures.drawing import Drawing
from trellislib.figures.edge_gains import edge_gains_figure
from trellislib.figures.export import FORMATS, drawing_figure, export
from trellislib.figures.gibbs import running_marginals_figure, sweeps_figure
from trellislib.figures.graph import (
    CROWDED,
    DRAWN_EDGES,
    DRAWN_LABELS,
    GROUP_STYLES,
    drawn_edges,
    graph_figure,
    graph_positions,
)
from trellislib.figures.growth import growth_exponent, growth_figure
from trellislib.figures.labels import frequency_figure, labels_per_instance_figure
from trellislib.figures.lattice import trellis_figure
from trellislib.figures.matrix import (
    CLICKABLE_LABELS,
    ORDERS,
    dependence_heatmap,
    label_order,
    overview_heatmap,
    tile_size,
)
from trellislib.figures.orders import combinations_figure, order_errors_figure, orders_figure
from trellislib.figures.prediction_path import log_odds_figure, prediction_path_figure, prediction_path_positions
from trellislib.figures.probabilities import probabilities_figure
from trellislib.figures.propagation import edge_effects_figure, propagation_figure
from trellislib.figures.rank_diagram import rank_bars, rank_diagram
from trellislib.figures.recovery import (
    given_parent_figure,
    recovery_curve_figure,
    recovery_figures,
    truth_positions,
)
from trellislib.figures.reliability import reliability_figure
from trellislib.figures.room import room_figure
from trellislib.figures.room_estimate import room_estimates_figure
from trellislib.figures.shapes import shapes_figure
from trellislib.figures.stability import seeds_figure, stability_figure
from trellislib.figures.steps import candidates_figure, step_figure
from trellislib.figures.structures import structure_gains_figure
from trellislib.figures.style import METHOD_STYLES, MethodStyle, enlarged, method_style
from trellislib.graphs import lattice_positions, ring_positions

life_figure, life_positions = prediction_path_figure, prediction_path_positions  # their earlier names

__all__ = [
    "CLICKABLE_LABELS",
    "CROWDED",
    "DRAWN_EDGES",
    "DRAWN_LABELS",
    "FORMATS",
    "GROUP_STYLES",
    "METHOD_STYLES",
    "ORDERS",
    "Drawing",
    "MethodStyle",
    "answer_figure",
    "candidates_figure",
    "capture_curve_figure",
    "captured_figure",
    "combinations_figure",
    "comparison_matrix",
    "conditional_figure",
    "contrasts_figure",
    "critical_distance_figure",
    "dendrogram_figure",
    "dependence_heatmap",
    "dependence_matrices",
    "depth_figure",
    "difference_spread",
    "differences_figure",
    "drawing_figure",
    "drawn_edges",
    "drawn_pairs",
    "edge_effects_figure",
    "edge_gains_figure",
    "enlarged",
    "export",
    "frequency_figure",
    "given_parent_figure",
    "graph_figure",
    "graph_positions",
    "growth_exponent",
    "growth_figure",
    "label_in_plane_figure",
    "label_order",
    "label_scores_figure",
    "labels_per_instance_figure",
    "lattice_positions",
    "log_odds_figure",
    "method_style",
    "order_errors_figure",
    "orders_figure",
    "overview_heatmap",
    "prediction_path_figure",
    "prediction_path_positions",
    "probabilities_figure",
    "propagation_figure",
    "rank_bars",
    "rank_diagram",
    "reached_figure",
    "recovery_curve_figure",
    "recovery_figures",
    "reliability_figure",
    "ring_positions",
    "room_estimates_figure",
    "room_figure",
    "running_marginals_figure",
    "score_against_time_figure",
    "score_time_figure",
    "seeds_figure",
    "shapes_figure",
    "stability_figure",
    "step_figure",
    "structure_gains_figure",
    "sweeps_figure",
    "tile_size",
    "trellis_figure",
    "truth_positions",
    "width_scores_figure",
]
