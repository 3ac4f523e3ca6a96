"""A toy data set in the plane: hexagons, circles, squares and triangles, described by three labels."""

from __future__ import annotations

import numpy as np

from trellislib.data.dataset import Dataset
from trellislib.running.checks import require_integer

SHAPES = {(1, 0, 0): "circle", (0, 1, 0): "square", (0, 0, 1): "triangle", (1, 1, 0): "hexagon"}
SHARES = (0.06, 0.32, 0.28, 0.34)  # few circles: where the first label is, the second is as a rule
CENTRES = np.array([(-1.0, 0.0), (1.0, 0.0), (0.0, -1.0), (0.0, 1.0)])
RING = 0.8  # how much further from the middle each value above 1 lies


def simulate_shapes(
    n_instances: int = 300,
    *,
    overlap: float = 0.4,
    n_values: int = 2,
    random_state: int | np.random.Generator | None = None,
) -> Dataset:
    """Simulate shapes in the plane: the paper's first example of labels that depend on each other.

    Circles have the first label alone, squares the second, triangles the third, and hexagons the first two. Each kind
    is a normal cloud round a centre of its own. Circles are few, so that the first label implies the second more than
    the other way around.

    Parameters
    ----------
    n_instances : int, default=300
        N in the paper, where L = 3 and D = 2.
    overlap : float, default=0.4
        Standard deviation of each cloud, at least 0; centres lie at a distance of 1 from the middle.
    n_values : int, default=2
        Values of each label, K in the paper. With more than two, a label that is there has a value from 1 to K - 1,
        the same for all labels of the instance, and its cloud lies the further out the higher the value.
    random_state : int, Generator or None
        Seed or source of all that is random. The same seed gives the same shapes and noise whatever `overlap`.

    Returns
    -------
    Dataset
        Labels are y1, y2 and y3.

    Raises
    ------
    ValueError
        If an argument is out of its range.

    References
    ----------
    "Classifier trellises", section *Problem Setup and Notation*, figure of the toy example; its numbers are not given.

    Examples
    --------
    >>> data = simulate_shapes(200, random_state=0)
    >>> data.X.shape, data.label_names
    ((200, 2), ('y1', 'y2', 'y3'))
    >>> sorted({tuple(row) for row in data.Y.tolist()}) == sorted(SHAPES)
    True
    >>> int(simulate_shapes(200, n_values=4, random_state=0).Y.max())
    3
    """
    require_integer("n_instances", n_instances)
    require_integer("n_values", n_values, 2)
    if not (np.isfinite(overlap) and overlap >= 0):
        raise ValueError(f"Got overlap={overlap}, but expected a finite number of at least 0.")
    rng = np.random.default_rng(random_state)
    kinds = rng.choice(len(SHAPES), n_instances, p=SHARES)
    noise = rng.standard_normal((n_instances, 2))
    values = rng.integers(1, n_values, n_instances)
    X = CENTRES[kinds] * (1 + RING * (values - 1))[:, np.newaxis] + overlap * noise
    Y = np.array(list(SHAPES))[kinds] * values[:, np.newaxis]
    return Dataset(
        X=X,
        Y=Y,
        feature_names=("x1", "x2"),
        label_names=("y1", "y2", "y3"),
        label_values=(tuple(str(value) for value in range(n_values)),) * 3,
        name="shapes",
    )
