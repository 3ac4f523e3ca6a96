"""Neighbouring labels that are drawn two by two, so that labels that all but determine each other change together.

Two labels a and b, given all others, are drawn from where alternating draws of a given b and b given a would end up:
the stationary distribution of a Markov chain whose transitions are the products of both conditionals. With conditionals
that follow from one joint distribution this is the distribution of the two given the others.

References
----------
Jensen, Kjaerulff and Kong, "Blocking Gibbs sampling in very large probabilistic expert systems", International Journal
of Human-Computer Studies 42 (1995).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from trellislib.inference.base import drawn_codes
from trellislib.labels.coding import LabelCoding, with_first_value
from trellislib.labels.graph import UndirectedLabelGraph
from trellislib.learners import Given

EPSILON = 1e-9  # the least probability that a value is left
N_SQUARINGS = 12  # of transitions between more than two values: 4,096 alternations


@dataclass(frozen=True)
class Group:
    """Labels that are drawn at once: each of `firsts` together with that of `seconds`, and `singles` each by itself.

    No two of them are neighbours but a first and its second.
    """

    firsts: tuple[int, ...]
    seconds: tuple[int, ...]
    singles: tuple[int, ...]


def matchings(graph: UndirectedLabelGraph) -> list[list[tuple[int, int]]]:
    """Return the edges in sets that share no label, greedily: each edge in the first set where neither end is taken.

    Examples
    --------
    >>> matchings(UndirectedLabelGraph.of_edges(4, [(0, 1), (1, 2), (2, 3)]))
    [[(0, 1), (2, 3)], [(1, 2)]]
    """
    taken = [0] * graph.n_labels  # the sets that have a label already, as bits
    found: list[list[tuple[int, int]]] = []
    for one, other in graph.edges:
        free = ~(taken[one] | taken[other])
        bit = free & -free
        taken[one] |= bit
        taken[other] |= bit
        place = bit.bit_length() - 1
        if place == len(found):
            found.append([])
        found[place].append((one, other))
    return found


def groups_of(graph: UndirectedLabelGraph, matching: Sequence[tuple[int, int]]) -> list[Group]:
    """Return groups that have each label once, the two labels of each edge of a matching together, in few groups.

    Examples
    --------
    >>> groups_of(UndirectedLabelGraph.of_edges(4, [(0, 1), (1, 2), (2, 3)]), [(1, 2)])
    [Group(firsts=(1,), seconds=(2,), singles=()), Group(firsts=(), seconds=(), singles=(0, 3))]
    """
    paired = {label for edge in matching for label in edge}
    units = [*matching, *((label,) for label in range(graph.n_labels) if label not in paired)]
    group_of: dict[int, int] = {}
    members: list[list[tuple[int, ...]]] = []
    for unit in units:
        near = {group_of[other] for label in unit for other in graph.neighbours[label] if other in group_of}
        place = next(place for place in range(len(members) + 1) if place not in near)
        if place == len(members):
            members.append([])
        members[place].append(unit)
        group_of.update(dict.fromkeys(unit, place))
    return [
        Group(
            tuple(unit[0] for unit in of if len(unit) == 2),
            tuple(unit[1] for unit in of if len(unit) == 2),
            tuple(unit[0] for unit in of if len(unit) == 1),
        )
        for of in members
    ]


@dataclass(frozen=True)
class Drawn:
    """What became of some labels.

    Attributes
    ----------
    codes : ndarray of shape (n, n_instances)
        What was drawn.
    probabilities : ndarray of shape (columns of the labels, n_instances)
        The probability of each column: of a label that was drawn with another, whatever the other is.
    """

    codes: np.ndarray
    probabilities: np.ndarray


def drawn_pairs(
    given: Given,
    coding: LabelCoding,
    group: Group,
    Z: np.ndarray,
    u: tuple[np.ndarray, np.ndarray],
) -> tuple[Drawn, Drawn]:
    """Draw the pairs of a group at uniform numbers of the firsts and of the seconds, (n_pairs, n_instances) each.

    Where one determines the other for certain, alternating draws stay where they are, and so do the two.
    """
    if coding.is_binary:
        return _binary_pairs(given, list(group.firsts), list(group.seconds), Z, u)
    firsts, seconds = group.firsts, group.seconds
    now = [coding.decide(Z[coding.columns([label])], [label])[0] for label in firsts]
    of_first = _given_each_value(given, coding, firsts, seconds, Z)
    of_second = _given_each_value(given, coding, seconds, firsts, Z)
    margins, others, of_drawn, codes = [], [], [], []
    for place, (a_given_b, b_given_a) in enumerate(zip(of_first, of_second, strict=True)):
        marginal = _stationary(a_given_b, b_given_a, now[place])
        code = drawn_codes(marginal[1:], coding, firsts[place : place + 1], u[0][[place]])[0]
        margins.append(marginal[1:])
        others.append(np.einsum("an,abn->bn", marginal, b_given_a)[1:])
        of_drawn.append(np.take_along_axis(b_given_a, code[None, None], axis=0)[0, 1:])
        codes.append(code)
    second_codes = drawn_codes(np.vstack(of_drawn), coding, seconds, u[1])
    return Drawn(np.array(codes), np.vstack(margins)), Drawn(second_codes, np.vstack(others))


def _binary_pairs(
    given: Given, firsts: list[int], seconds: list[int], Z: np.ndarray, u: tuple[np.ndarray, np.ndarray]
) -> tuple[Drawn, Drawn]:
    """Draw pairs as `drawn_pairs` does; of two values the stationary distribution has a closed form."""
    p = Z[firsts]  # a copy: what stays where one determines the other
    a, b = _given_either(given, firsts, seconds, Z), _given_either(given, seconds, firsts, Z)
    from_zero, from_one = (of_b * a[1] + (1 - of_b) * a[0] for of_b in b)  # the first is 1 after a turn of the second
    stays = from_one - from_zero
    np.divide(from_zero, 1 - stays, out=p, where=1 - stays > EPSILON)
    drawn = u[0] < p
    codes = (u[1] < np.where(drawn, b[1], b[0])).astype(np.intp)
    return Drawn(drawn.astype(np.intp), p), Drawn(codes, (1 - p) * b[0] + p * b[1])


def _given_either(given: Given, labels: list[int], others: list[int], Z: np.ndarray) -> list[np.ndarray]:
    """Return the probabilities of binary labels where their partners are 0, and 1; these are left at 1 in `Z`."""
    found = []
    for value in (0.0, 1.0):
        Z[others] = value
        found.append(given.probabilities(labels, Z))
    return found


def _given_each_value(
    given: Given, coding: LabelCoding, labels: Sequence[int], others: Sequence[int], Z: np.ndarray
) -> list[np.ndarray]:
    """Return for each of some labels its probabilities given each value of its partner, (values, values, n_instances).

    The columns of the partners in `Z` are left at their last values.
    """
    n_values = np.diff(coding.starts)[list(others)] + 1
    columns = coding.columns(others)
    found: list[list[np.ndarray]] = [[] for _ in labels]
    for value in range(int(n_values.max())):
        codes = np.minimum(value, n_values - 1)[:, None]
        Z[columns] = coding.indicators(codes, others)
        p = given.probabilities(labels, Z)
        for place, of_label in enumerate(coding.split(p, labels)):
            if value < n_values[place]:
                found[place].append(with_first_value(of_label))
    return [np.array(of_label) for of_label in found]


def _stationary(a_given_b: np.ndarray, b_given_a: np.ndarray, now: np.ndarray) -> np.ndarray:
    """Return where alternating draws end up from the values `now` of the first, (n_values, n_instances)."""
    moves = np.einsum("abn,bcn->nac", b_given_a, a_given_b)
    for _ in range(N_SQUARINGS):
        moves = moves @ moves
    return np.take_along_axis(moves, now[:, None, None], axis=1)[:, 0].T
