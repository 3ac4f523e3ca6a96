"""The figures by which multi-label data sets are described."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from scipy import sparse

if TYPE_CHECKING:
    from trellislib.data.dataset import Dataset


@dataclass(frozen=True)
class Statistics:
    """The figures by which multi-label data sets are described.

    A label is *relevant* in a row where its code is not 0: for binary labels the field's usual meaning,
    for labels of more values "not the first value".

    Attributes
    ----------
    n_instances, n_features, n_labels : int
        N, D and L.
    label_cardinality : float
        Mean number of relevant labels of an instance.
    label_density : float
        Label cardinality divided by the number of labels.
    n_label_sets : int
        Number of distinct label sets (rows of Y).
    n_unlabelled : int
        Instances with no relevant label.
    frequencies : Series
        Share of instances in which each label is relevant, by label name, in label order.
    imbalance : Series
        IRLbl: how many times rarer each label is than the most frequent one; ``inf`` where it never occurs.
    mean_imbalance : float
        Mean IRLbl over the labels that occur (mean IR).
    labels_per_instance : Series
        Number of instances (value) with each number of relevant labels (index).
    label_sets : DataFrame
        Distinct label sets, most frequent first: the columns are ``codes`` (the relevant labels, a tuple of
        (label index, code) pairs) and ``count``.

    References
    ----------
    Charte et al., "Addressing imbalance in multilabel classification: Measures and random resampling
    algorithms", Neurocomputing 163 (2015).
    """

    n_instances: int
    n_features: int
    n_labels: int
    label_cardinality: float
    label_density: float
    n_label_sets: int
    n_unlabelled: int
    frequencies: pd.Series
    imbalance: pd.Series
    mean_imbalance: float
    labels_per_instance: pd.Series
    label_sets: pd.DataFrame

    def label_table(self) -> pd.DataFrame:
        """Return ``instances``, ``frequency`` and ``IRLbl`` of each label, in label order."""
        instances = (self.frequencies * self.n_instances).round().astype(int)
        table = {"instances": instances, "frequency": self.frequencies, "IRLbl": self.imbalance}
        return pd.DataFrame(table).rename_axis("label")

    def named_label_sets(self, data: Dataset, most: int) -> pd.DataFrame:
        """Return the `most` frequent label sets of `data` by name: ``instances``, ``share``, ``labels``."""
        shown = self.label_sets.head(most)
        named = [_named(data, codes) for codes in shown["codes"]]
        share = shown["count"] / self.n_instances
        return pd.DataFrame({"instances": shown["count"], "share": share, "labels": named})

    @classmethod
    def of(cls, data: Dataset) -> Statistics:
        """Compute the statistics of `data`."""
        relevant = sparse.csr_array(data.Y, copy=True)
        relevant.eliminate_zeros()
        per_row = np.diff(relevant.indptr)
        counts = np.bincount(relevant.indices, minlength=data.n_labels)
        with np.errstate(divide="ignore", invalid="ignore"):
            imbalance = np.where(counts > 0, counts.max() / counts, np.inf)
        finite = imbalance[np.isfinite(imbalance)]
        label_sets = _label_sets(relevant)
        cardinality = float(per_row.mean())
        return cls(
            n_instances=data.n_instances,
            n_features=data.n_features,
            n_labels=data.n_labels,
            label_cardinality=cardinality,
            label_density=cardinality / data.n_labels,
            n_label_sets=len(label_sets),
            n_unlabelled=int((per_row == 0).sum()),
            frequencies=pd.Series(counts / data.n_instances, index=data.label_names, name="frequency"),
            imbalance=pd.Series(imbalance, index=data.label_names, name="IRLbl"),
            mean_imbalance=float(finite.mean()) if finite.size else float("nan"),
            labels_per_instance=pd.Series(per_row).value_counts().sort_index().rename("instances"),
            label_sets=label_sets,
        )


def _label_sets(Y: sparse.csr_array) -> pd.DataFrame:
    """Count the distinct rows of `Y`, each as a tuple of (label, code) pairs with code > 0."""
    Y.sort_indices()
    bounds = zip(Y.indptr[:-1], Y.indptr[1:], strict=True)
    rows = pd.Series([tuple(zip(Y.indices[a:b].tolist(), Y.data[a:b].tolist(), strict=True)) for a, b in bounds])
    counts = rows.value_counts(sort=False)  # in order of first appearance, which a stable sort keeps among equals
    counts = counts.sort_values(ascending=False, kind="stable")
    return pd.DataFrame({"codes": list(counts.index), "count": counts.to_numpy()})


def _named(data: Dataset, codes: tuple[tuple[int, int], ...]) -> str:
    """Name a label set: the relevant labels, with their value where a label has more than two."""
    return ", ".join(data.value_name(label, code) for label, code in codes) or "(none)"
