"""The structure between labels, directed or not: which labels each label is predicted from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from itertools import chain, islice
from operator import index
from typing import Any

import networkx as nx
import numpy as np


@dataclass(frozen=True, init=False)
class LabelGraph:
    """A directed acyclic graph over the labels ``0 .. n_labels - 1``.

    Parameters
    ----------
    parents : sequence of sequence of int
        For each label, the labels that it is predicted from.
    order : sequence of int, optional
        An order of the labels in which parents come first; by default one is found, lower labels first.

    Raises
    ------
    ValueError
        If a parent is not a label or stands twice, if there is a cycle, or if `order` puts a label before
        its parent.

    Examples
    --------
    >>> graph = LabelGraph(parents=[(), (0,), (0, 1), ()])
    >>> graph.edges
    ((0, 1), (0, 2), (1, 2))
    >>> graph.levels
    ((0, 3), (1,), (2,))
    """

    parents: Sequence[tuple[int, ...]]
    order: tuple[int, ...] = ()

    def __init__(self, parents: Iterable[Iterable[int]], order: Sequence[int] | None = None) -> None:
        given = tuple(tuple(index(parent) for parent in of_label) for of_label in parents)
        for label, of_label in enumerate(given):
            wrong = [parent for parent in of_label if not 0 <= parent < len(given) or parent == label]
            if wrong or len(set(of_label)) < len(of_label):
                raise ValueError(f"Label {label} got the parents {of_label}; expected distinct other labels.")
        found = _topological_order(given)
        order = found if order is None else tuple(int(label) for label in order)
        position = {label: place for place, label in enumerate(order)}
        if sorted(position) != list(range(len(given))) or len(order) != len(given):
            raise ValueError(f"Got the order {order}, but expected each of {len(given)} labels once.")
        for label, of_label in enumerate(given):
            late = [parent for parent in of_label if position[parent] > position[label]]
            if late:
                raise ValueError(f"The order puts label {label} before its parent {late[0]}.")
        object.__setattr__(self, "parents", given)
        object.__setattr__(self, "order", order)

    @classmethod
    def independent(cls, n_labels: int) -> LabelGraph:
        """Return the graph with no edges."""
        return cls([()] * n_labels)

    @classmethod
    def chain(cls, order: Sequence[int]) -> LabelGraph:
        """Return the fully cascaded chain: each label has all labels before it in `order` as parents."""
        return cls._of_chain(_AllBefore(order))

    @classmethod
    def chain_of_sets(cls, order: Sequence[int]) -> LabelGraph:
        """Return the same, the parents of each label being sorted: orders with the same set before a label agree."""
        return cls._of_chain(_AllBefore(order, in_order=False))

    @classmethod
    def _of_chain(cls, parents: _AllBefore) -> LabelGraph:
        chain = object.__new__(cls)  # acyclic by construction, so that long chains need no check
        object.__setattr__(chain, "parents", parents)
        object.__setattr__(chain, "order", parents.order)
        return chain

    def __getstate__(self) -> dict[str, Any]:
        """Return the fields, the parents of many labels as two arrays."""
        state = {field.name: getattr(self, field.name) for field in fields(self)}
        whole = isinstance(self.parents, _AllBefore)
        return state | {"order": np.array(self.order), "parents": self.parents if whole else _flattened(self.parents)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        order = tuple(np.asarray(state["order"]).tolist())
        for name, value in {**state, "order": order, "parents": _of_flattened(state["parents"])}.items():
            object.__setattr__(self, name, value)

    @property
    def n_labels(self) -> int:
        """Number of labels."""
        return len(self.parents)

    @property
    def inputs(self) -> Sequence[tuple[int, ...]]:
        """For each label, the labels that it is predicted from: its parents."""
        return self.parents

    @cached_property
    def edges(self) -> tuple[tuple[int, int], ...]:
        """All edges, each as (parent, child), by child and then in the order of its parents."""
        return tuple((parent, child) for child, of in enumerate(self.parents) for parent in of)

    @property
    def is_complete(self) -> bool:
        """Whether every label has all labels before it as parents, as in a full chain."""
        if isinstance(self.parents, _AllBefore):
            return True
        return sum(map(len, self.parents)) == self.n_labels * (self.n_labels - 1) // 2

    @cached_property
    def levels(self) -> tuple[tuple[int, ...], ...]:
        """Wavefronts: labels of one level have no edges between them and all parents in earlier levels."""
        if self.is_complete:
            return tuple((label,) for label in self.order)
        depth = np.zeros(self.n_labels, dtype=int)
        for label in self.order:
            depth[label] = max((depth[parent] + 1 for parent in self.parents[label]), default=0)
        return tuple(tuple(np.flatnonzero(depth == level).tolist()) for level in range(depth.max(initial=-1) + 1))

    @cached_property
    def fronts(self) -> tuple[np.ndarray, ...]:
        """The levels as arrays."""
        return tuple(np.array(level, dtype=np.intp) for level in self.levels)

    @property
    def neighbours(self) -> tuple[tuple[int, ...], ...]:
        """For each label, the labels that share an edge with it, whatever its direction."""
        return self.undirected().neighbours

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """For each label, the labels that it is a parent of, lower labels first."""
        found: list[list[int]] = [[] for _ in range(self.n_labels)]
        for child, of_label in enumerate(self.parents):
            for parent in of_label:
                found[parent].append(child)
        return tuple(map(tuple, found))

    def markov_blanket(self, label: int) -> tuple[int, ...]:
        """Return the labels that shield one from all others: its parents, its children, and their other parents.

        Given these, it is independent of every other label (Pearl, "Probabilistic Reasoning in Intelligent
        Systems", 1988, section 3.3).

        Parameters
        ----------
        label : int
            The label; it is not part of its blanket.

        Returns
        -------
        tuple of int
            Lower labels first.

        Raises
        ------
        ValueError
            If it is no label.

        Examples
        --------
        >>> LabelGraph(parents=[(), (), (0, 1), (2,), ()]).markov_blanket(0)
        (1, 2)
        """
        label = existing_label(label, self.n_labels)
        family = {*self.parents[label], *self.children[label]}
        family.update(parent for child in self.children[label] for parent in self.parents[child])
        return tuple(sorted(family - {label}))

    def undirected(self) -> UndirectedLabelGraph:
        """Return the same edges without their directions."""
        return UndirectedLabelGraph.of_edges(self.n_labels, self.edges)

    def to_networkx(self, names: Sequence[str] | None = None) -> nx.DiGraph:
        """Return the graph as a `networkx.DiGraph`, its nodes being label numbers or `names`."""
        return _named(nx.DiGraph(), self.order, self.edges, names)


class _AllBefore(Sequence[tuple[int, ...]]):
    """The parents of each label of a full chain, made on demand: all of them are L^2 / 2.

    They come in the order of the chain, or sorted where not `in_order`.
    """

    def __init__(self, order: Sequence[int], in_order: bool = True) -> None:
        self.order = tuple(index(label) for label in order)
        if sorted(self.order) != list(range(len(self.order))):
            raise ValueError(f"Got the order {self.order}, but expected each of {len(self.order)} labels once.")
        self.in_order = in_order
        self._place = np.argsort(self.order)

    def __getstate__(self) -> dict[str, Any]:
        return {"order": np.array(self.order), "in_order": self.in_order}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(np.asarray(state["order"]).tolist(), state["in_order"])  # type: ignore[misc]

    def __len__(self) -> int:
        return len(self.order)

    def __getitem__(self, label: Any) -> Any:
        if isinstance(label, slice):
            return tuple(self)[label]
        before = self.order[: self._place[label]]
        return before if self.in_order else tuple(sorted(before))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, _AllBefore) and other.in_order == self.in_order:
            return self.order == other.order
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))


@dataclass(frozen=True, init=False)
class UndirectedLabelGraph:
    """An undirected graph over the labels ``0 .. n_labels - 1``: each label is predicted from its neighbours.

    Parameters
    ----------
    neighbours : iterable of iterable of int
        For each label, the labels that it shares an edge with.

    Raises
    ------
    ValueError
        If a neighbour is not another label, or does not name the label as its own neighbour.

    Examples
    --------
    >>> graph = UndirectedLabelGraph([(1,), (0, 2), (1,), ()])
    >>> graph.edges
    ((0, 1), (1, 2))
    >>> graph.colours
    ((0, 2, 3), (1,))
    """

    neighbours: tuple[tuple[int, ...], ...]

    def __init__(self, neighbours: Iterable[Iterable[int]]) -> None:
        linked = [{index(other) for other in of_label} for of_label in neighbours]
        given = tuple(tuple(sorted(of_label)) for of_label in linked)
        for label, of_label in enumerate(given):
            for other in of_label:
                if not 0 <= other < len(given) or other == label:
                    raise ValueError(f"Label {label} got the neighbours {of_label}; expected other labels.")
                if label not in linked[other]:
                    raise ValueError(f"Label {label} has the neighbour {other}, but {other} does not have {label}.")
        object.__setattr__(self, "neighbours", given)

    @classmethod
    def of_edges(cls, n_labels: int, edges: Iterable[tuple[int, int]]) -> UndirectedLabelGraph:
        """Return the graph with these edges, each in either direction or both."""
        linked: list[set[int]] = [set() for _ in range(n_labels)]
        for one, other in edges:
            if not (0 <= one < n_labels and 0 <= other < n_labels) or one == other:
                raise ValueError(f"Got the edge ({one}, {other}), but expected two of {n_labels} labels.")
            linked[one].add(other)
            linked[other].add(one)
        return cls(linked)

    @classmethod
    def complete(cls, n_labels: int) -> UndirectedLabelGraph:
        """Return the graph with every edge."""
        labels = range(n_labels)
        whole = object.__new__(cls)  # symmetric by construction, so that many labels need no check
        neighbours = tuple(tuple(other for other in labels if other != label) for label in labels)
        object.__setattr__(whole, "neighbours", neighbours)
        return whole

    def __getstate__(self) -> dict[str, Any]:
        """Return the neighbours of many labels as two arrays."""
        return {"neighbours": _flattened(self.neighbours)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        object.__setattr__(self, "neighbours", _of_flattened(state["neighbours"]))

    @property
    def n_labels(self) -> int:
        """Number of labels."""
        return len(self.neighbours)

    @property
    def inputs(self) -> tuple[tuple[int, ...], ...]:
        """For each label, the labels that it is predicted from: its neighbours."""
        return self.neighbours

    def markov_blanket(self, label: int) -> tuple[int, ...]:
        """Return the labels that shield one from all others, which in an undirected graph are its neighbours.

        Raises
        ------
        ValueError
            If it is no label.

        Examples
        --------
        >>> UndirectedLabelGraph([(1,), (0, 2), (1,)]).markov_blanket(1)
        (0, 2)
        """
        return self.neighbours[existing_label(label, self.n_labels)]

    @cached_property
    def edges(self) -> tuple[tuple[int, int], ...]:
        """All edges, each once with its lower label first."""
        return tuple((one, other) for one, of in enumerate(self.neighbours) for other in of if one < other)

    @property
    def is_complete(self) -> bool:
        """Whether every label is the neighbour of every other."""
        return all(len(of_label) == self.n_labels - 1 for of_label in self.neighbours)

    @cached_property
    def colours(self) -> tuple[tuple[int, ...], ...]:
        """Groups of labels without an edge between them: given all others, labels of a group are independent.

        Found greedily, once outwards from a label, which gives a lattice its two, and once the labels of most
        neighbours first (Welsh and Powell 1967); the fewer groups are taken.
        """
        if self.is_complete:
            return tuple((label,) for label in range(self.n_labels))
        graph = self.to_networkx()
        colourings = [nx.greedy_color(graph, order) for order in ("connected_sequential_bfs", "largest_first")]
        colour = min(colourings, key=lambda found: max(found.values()))
        groups: list[list[int]] = [[] for _ in range(max(colour.values()) + 1)]
        for label in range(self.n_labels):
            groups[colour[label]].append(label)
        return tuple(tuple(group) for group in groups)

    def to_networkx(self, names: Sequence[str] | None = None) -> nx.Graph:
        """Return the graph as a `networkx.Graph`, its nodes being label numbers or `names`."""
        return _named(nx.Graph(), range(self.n_labels), self.edges, names)


AnyLabelGraph = LabelGraph | UndirectedLabelGraph


def _flattened(of_labels: Sequence[tuple[int, ...]]) -> tuple[np.ndarray, np.ndarray]:
    """Return how many labels each label has, and all of them in a row."""
    return np.array(list(map(len, of_labels)), dtype=int), np.array(list(chain.from_iterable(of_labels)), dtype=int)


def _of_flattened(of_labels: Any) -> Sequence[tuple[int, ...]]:
    """Return what `_flattened` was given; what is not flattened, as in earlier pickles, as it is."""
    if not len(of_labels) or not isinstance(of_labels[0], np.ndarray):
        return of_labels
    lengths, labels = of_labels
    given = iter(labels.tolist())
    return tuple(tuple(islice(given, length)) for length in lengths.tolist())


def _named(
    graph: nx.Graph, labels: Sequence[int], edges: Iterable[tuple[int, int]], names: Sequence[str] | None
) -> nx.Graph:
    """Return a graph of NetworkX with labels, by their names where these are given, and edges between them."""
    name = range(len(labels)) if names is None else names
    graph.add_nodes_from(name[label] for label in labels)
    graph.add_edges_from((name[one], name[other]) for one, other in edges)
    return graph


def existing_label(label: int, n_labels: int) -> int:
    """Return a label, if it is one."""
    if not 0 <= label < n_labels:
        raise ValueError(f"Got the label {label}, but expected one of 0 to {n_labels - 1}.")
    return index(label)


def _topological_order(parents: tuple[tuple[int, ...], ...]) -> tuple[int, ...]:
    """Return an order in which parents come first, lower labels first where there is a choice of level."""
    if not any(parents):
        return tuple(range(len(parents)))
    sorter = TopologicalSorter(dict(enumerate(parents)))
    try:
        sorter.prepare()
    except CycleError as error:
        cycle = " -> ".join(str(label) for label in error.args[1])
        raise ValueError(f"The parents form a cycle: {cycle}.") from None
    order: list[int] = []
    while sorter.is_active():
        ready = sorted(sorter.get_ready())
        order.extend(ready)
        sorter.done(*ready)
    return tuple(order)
