"""The words that sentences share, and text as LaTeX takes it."""

from trellislib.wording.sentences import (
    FEW_NAMES,
    ROUNDING,
    agreed,
    amount,
    counted,
    grouped,
    in_nats,
    in_points,
    listed,
    named,
    p_value,
    percent,
    quoted,
    quoted_names,
    ratio_of,
    thousandths,
)

__all__ = [
    "FEW_NAMES",
    "ROUNDING",
    "agreed",
    "amount",
    "counted",
    "grouped",
    "in_nats",
    "in_points",
    "listed",
    "named",
    "p_value",
    "percent",
    "quoted",
    "quoted_names",
    "ratio_of",
    "thousandths",
]
