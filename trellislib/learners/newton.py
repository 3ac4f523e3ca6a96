r"""Newton's method for many penalised logistic regressions at once.

With targets y, joined features X, instance weights c, weights w and intercept b, a label's loss is

.. math:: f(w, b) = \sum_n c_n [\log(1 + e^{m_n}) - y_n m_n] + \|w\|^2 / 2C, \qquad m = Xw + b.

With p the logistic function of m and ``d = c p (1 - p)``, its gradient is ``X'c(p - y) + w/C``, and the sum of
``c(p - y)`` for b; its Hessian is ``X'diag(d)X + I/C``. With ``x = X'd / sum(d)`` the intercept is eliminated, and the
step in w solves a system with

.. math:: H = X' diag(d) X - \mathrm{sum}(d)\, x x' + I/C

by preconditioned conjugate gradients, for all labels at once from products with X alone. Far from the solution only
the direction matters, and they stop early. Labels leave the batch as they are done.

A step is halved until the slope of f along it, at its end, is upward by no more than half of what it was downward at
its start. Where it is still downward f has fallen, as f is convex.

The penalty bounds the curvature from below, ``H >= I/C``: the distance to the solution in the metric of H, times the
square root of C, bounds the distance of w. A label is done when that is at most the tolerance. It is estimated by the
preconditioned norm of the gradient, times the most that it fell short of a step's own length in the metric of H.

References
----------
Nocedal and Wright, "Numerical Optimization", 2nd ed., 2006, algorithm 7.1 (line search Newton-CG). Lin, Weng and
Keerthi, "Trust region Newton method for large-scale logistic regression", JMLR 9, 2008.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from trellislib.learners.joined import Joined, Preconditioner
from trellislib.running.progress import Cancelled, stop_if

NEAR = 1.0  # the distance to the solution within which directions are made more exact
LEFT_FAR, LEFT_NEAR = 0.5, 0.1  # share of the gradient's norm that conjugate gradients may leave
MAX_PRODUCTS = 250  # of conjugate gradients for one direction
MAX_HALVINGS = 20
CARRIED = 0.25  # share of labels done that it is cheaper to carry along than to copy the others


@dataclass
class Batch:
    """Logistic regressions of some labels, on their way to the solution.

    Parameters
    ----------
    joined : Joined
        Features and inputs.
    y : ndarray of shape (n_instances, n_labels)
        Targets from 0 to 1, in the precision of all that is computed.
    weight : ndarray of shape (n_instances, 1), or None
        Weights of the instances.
    C : ndarray of shape (n_labels,)
        Inverse of each label's penalty.
    w, b : ndarray of shape (n_features + width, n_labels) and (n_labels,)
        Where they stand.
    """

    joined: Joined
    y: np.ndarray
    weight: np.ndarray | None
    C: np.ndarray
    w: np.ndarray
    b: np.ndarray

    def __post_init__(self) -> None:
        self.m = self.joined.times(self.w) + self.b
        self.short = np.ones_like(self.b)  # how many times longer a step was than its estimate, at most, and at least 1
        self._derive()

    def _derive(self) -> None:
        """Compute what follows from the margins m: p - y, the curvatures d, and the gradient."""
        r = np.negative(self.m)
        with np.errstate(over="ignore"):  # 1 / (1 + inf) is the 0 that it should be
            np.exp(r, out=r)
        r += 1
        np.reciprocal(r, out=r)
        self.d = r - r * r
        r -= self.y
        if self.weight is not None:
            r *= self.weight
            self.d *= self.weight
        self.g = self.joined.sums(r)
        self.g += self.w / self.C
        self.g_b = r.sum(axis=0)

    def take(self, labels: np.ndarray) -> Batch:
        """Return some of the labels, as they stand."""
        part = object.__new__(Batch)
        part.joined, part.weight = self.joined.take(labels), self.weight
        for name in ("y", "C", "w", "b", "m", "d", "g", "g_b", "short"):
            setattr(part, name, np.take(getattr(self, name), labels, axis=-1))
        return part

    def put(self, labels: np.ndarray, part: Batch) -> None:
        """Write back some of the labels."""
        for name in ("w", "b", "m", "d", "g", "g_b"):
            getattr(self, name)[..., labels] = getattr(part, name)

    def move(self, step: Direction, size: float) -> np.ndarray:
        """Move all labels by `size` steps, and return the slopes along them at their end."""
        self.w += size * step.w
        self.b += size * step.b
        self.m += size * step.m
        self._derive()
        return step.slopes(self)

    def system(self) -> System:
        """Return the system whose solution is Newton's step in w."""
        total = np.maximum(self.d.sum(axis=0), np.finfo(self.d.dtype).tiny)
        sums = self.joined.sums(self.d)
        mean = sums / total
        spread = np.maximum(self.joined.square_sums(self.d, sums) - sums * mean, 0)
        preconditioner = Preconditioner(self.joined.features, spread + 1 / self.C, self.C)
        return System(self.joined, self.d, total, mean, preconditioner, self.C, self.g - mean * self.g_b)


@dataclass
class Direction:
    """Newton's step, and what it adds to the margins."""

    w: np.ndarray
    b: np.ndarray
    m: np.ndarray

    def slopes(self, at: Batch) -> np.ndarray:
        """Return the slope of each label's loss along the step."""
        return dots(at.g, self.w) + at.g_b * self.b

    def take(self, labels: np.ndarray) -> Direction:
        """Return the steps of some labels."""
        return Direction(self.w[:, labels], self.b[labels], self.m[:, labels])


@dataclass
class System:
    """``H s = -gradient`` for each label; H is as above, `mean` being the x and `total` the sum(d) there."""

    joined: Joined
    d: np.ndarray
    total: np.ndarray
    mean: np.ndarray
    preconditioner: Preconditioner
    C: np.ndarray
    gradient: np.ndarray

    def take(self, labels: np.ndarray) -> System:
        """Return the systems of some labels."""
        d, mean, diagonal, gradient = (
            np.take(of_labels, labels, axis=1)
            for of_labels in (self.d, self.mean, self.preconditioner.diagonal, self.gradient)
        )
        joined, C = self.joined.take(labels), self.C[labels]
        preconditioner = Preconditioner(joined.features, diagonal, C)
        return System(joined, d, self.total[labels], mean, preconditioner, C, gradient)

    def times(self, s: np.ndarray) -> np.ndarray:
        """Return ``H s``."""
        along = self.joined.times(s)
        along *= self.d
        product = self.joined.sums(along)
        product -= self.mean * (self.total * dots(self.mean, s))
        product += s / self.C
        return product

    def solve(self, left: np.ndarray) -> np.ndarray:
        """Return s, found by conjugate gradients; of the gradient's norm the share `left` of each label is left."""
        system, solved = self, np.zeros_like(self.gradient)
        open_ = np.arange(len(left))
        s, residual = np.zeros_like(self.gradient), -self.gradient
        p = self.preconditioner.divide(residual)
        norm = dots(residual, p)
        goal = left**2 * norm
        for _ in range(MAX_PRODUCTS):
            product = system.times(p)
            curvature = dots(p, product)
            unsolved = (norm > goal) & (curvature > 0)  # rounding may make it negative
            size = np.divide(norm, curvature, out=np.zeros_like(norm), where=unsolved)
            s += size * p
            residual -= size * product
            z = system.preconditioner.divide(residual)
            previous, norm = norm, np.where(unsolved, dots(residual, z), 0)
            p = z + np.divide(norm, previous, out=np.zeros_like(norm), where=unsolved) * p
            unsolved = norm > goal
            if unsolved.sum() < (1 - CARRIED) * len(unsolved) or not unsolved.any():
                solved[:, open_] = s
                kept = np.flatnonzero(unsolved)
                open_ = open_[kept]
                if not len(kept):
                    return solved
                system = system.take(kept)
                s, residual, p = s[:, kept], residual[:, kept], p[:, kept]
                norm, goal = norm[kept], goal[kept]
        solved[:, open_] = s
        return solved


def minimise(
    batch: Batch, tol: float, max_iter: int, cancelled: Cancelled | None = None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Minimise the losses of all labels of `batch`, which is used up, in at most `max_iter` steps of Newton's method.

    A label is done within the distance `tol` of its solution, as estimated above; `cancelled` is called before each
    step.

    Returns
    -------
    w, b : ndarray of shape (n_features + width, n_labels) and (n_labels,)
        Weights and intercepts.
    unfinished : ndarray of int
        Labels that needed more steps.
    """
    w, b = batch.w.copy(), batch.b.copy()
    unfinished = np.arange(len(b))
    n_steps = 0
    while True:
        stop_if(cancelled)
        system = batch.system()
        gradient = system.gradient
        distance = np.sqrt(dots(gradient, system.preconditioner.divide(gradient)) + batch.g_b**2 / system.total)
        far = np.flatnonzero(~(distance * batch.short * np.maximum(batch.C, 1) ** 0.5 <= tol))
        w[:, unfinished], b[unfinished] = batch.w, batch.b
        if n_steps == max_iter or not len(far):
            return w, b, unfinished[far]
        if len(far) < len(distance):
            batch, system, distance, unfinished = batch.take(far), system.take(far), distance[far], unfinished[far]
        _step(batch, system, distance)
        n_steps += 1


def _step(batch: Batch, system: System, distance: np.ndarray) -> None:
    """Move every label, estimated to be at `distance`, by a step of Newton's, as often halved as it must be."""
    s = system.solve(np.where(distance > NEAR, LEFT_FAR, LEFT_NEAR).astype(distance.dtype))
    length = np.sqrt(np.maximum(-dots(system.gradient, s), 0) + batch.g_b**2 / system.total)
    batch.short = np.maximum(length / distance, batch.short)  # a short step may have missed a direction of old
    s_b = -batch.g_b / system.total - dots(system.mean, s)
    direction = Direction(s, s_b, batch.joined.times(s) + s_b)
    allowed = -direction.slopes(batch) / 2
    steep = np.flatnonzero(batch.move(direction, 1.0) > allowed)
    size = 1.0
    for _ in range(MAX_HALVINGS):
        if not len(steep):
            return
        size /= 2
        part = batch.take(steep)
        still = part.move(direction.take(steep), -size) > allowed[steep]
        batch.put(steep, part)
        steep = steep[still]


def dots(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return the inner products of the columns of `a` and `b`."""
    return np.einsum("kl,kl->l", a, b)
