"""Summaries in one sentence each, computed from what is on screen, in plain words."""

from trellislib.summaries.comparison import about_comparison, about_fold_tests, about_result, seconds_of
from trellislib.summaries.data import about_data
from trellislib.summaries.dependence import (
    LEVEL,
    about_clusters,
    about_dependence,
    about_extremes,
    about_pair,
    about_residual,
    about_shown,
    about_strongest,
    remaining_share,
)
from trellislib.summaries.depth import about_depth
from trellislib.summaries.edge_gains import about_edge_gains
from trellislib.summaries.edges import about_edges, about_found
from trellislib.summaries.field import about_field
from trellislib.summaries.frequencies import about_edge_frequencies
from trellislib.summaries.graphs import (
    about_apart,
    about_conditional,
    about_graphs,
    about_hubs,
    about_label,
    about_links,
)
from trellislib.summaries.growth import about_growth, about_structure_price
from trellislib.summaries.labels import about_frequencies, about_labels_per_instance
from trellislib.summaries.pairs import pairs_table
from trellislib.summaries.placement import (
    about_capture_curve,
    about_seed_scores,
    about_stability,
    about_step,
    about_steps,
    about_width_scores,
)
from trellislib.summaries.recovery import about_agreement, about_curve, about_given_parent, about_recovery
from trellislib.summaries.room import (
    about_published_room,
    about_room_difference,
    about_room_estimates,
    about_room_gap,
    about_room_posterior,
    about_stuck_samples,
)
from trellislib.summaries.scores import (
    about_average_ranks,
    about_calibration,
    about_front,
    about_label_scores,
    about_reliability,
)
from trellislib.summaries.structure_gains import about_gains, about_nearest
from trellislib.summaries.trellis import (
    about_blanket,
    about_change,
    about_drawn,
    about_pinned,
    about_starts,
    about_swaps,
    about_trellis,
    about_trellis_score,
    best_seeds,
)

__all__ = [
    "LEVEL",
    "about_agreement",
    "about_apart",
    "about_average_ranks",
    "about_blanket",
    "about_calibration",
    "about_capture_curve",
    "about_change",
    "about_clusters",
    "about_comparison",
    "about_conditional",
    "about_curve",
    "about_data",
    "about_dependence",
    "about_depth",
    "about_drawn",
    "about_edge_frequencies",
    "about_edge_gains",
    "about_edges",
    "about_extremes",
    "about_field",
    "about_fold_tests",
    "about_found",
    "about_frequencies",
    "about_front",
    "about_gains",
    "about_given_parent",
    "about_graphs",
    "about_growth",
    "about_hubs",
    "about_label",
    "about_label_scores",
    "about_labels_per_instance",
    "about_links",
    "about_nearest",
    "about_pair",
    "about_pinned",
    "about_published_room",
    "about_recovery",
    "about_reliability",
    "about_residual",
    "about_result",
    "about_room_difference",
    "about_room_estimates",
    "about_room_gap",
    "about_room_posterior",
    "about_seed_scores",
    "about_shown",
    "about_stability",
    "about_starts",
    "about_step",
    "about_steps",
    "about_strongest",
    "about_structure_price",
    "about_stuck_samples",
    "about_swaps",
    "about_trellis",
    "about_trellis_score",
    "about_width_scores",
    "best_seeds",
    "pairs_table",
    "remaining_share",
    "seconds_of",
]
