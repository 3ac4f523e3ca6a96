"""Weights of rows, from a file to fits, counts and scores: a row of weight 2 is as good as two rows."""

import numpy as np
import pandas as pd
import pytest
from sentences import Containing, has_line
from sklearn.neighbors import KNeighborsClassifier

from trellislib import ClassifierChain, ClassifierTrellis, IndependentClassifiers, PerLabel, fit_model
from trellislib.data import DataError, load
from trellislib.data.dataset import Dataset
from trellislib.dependence import mutual_information, pair_counts
from trellislib.experiment import evaluate
from trellislib.experiment.fits import fit_and_score
from trellislib.experiment.rescoring import CrossValidation
from trellislib.methods import METHODS

RNG = np.random.default_rng(0)
N = 60
X = RNG.normal(size=(N, 3))
Y = (X @ RNG.normal(size=(3, 3)) + RNG.normal(size=(N, 3)) > 0.3).astype(int)
WEIGHT = RNG.integers(0, 4, N)
ROWS = np.repeat(np.arange(N), WEIGHT)
FRAME = pd.DataFrame(X, columns=["x", "y", "z"]).assign(w=WEIGHT, **{name: Y[:, k] for k, name in enumerate("abc")})


def data(weights="w"):
    content = FRAME.to_csv(index=False).encode()
    return load(content, list("abc"), weights=weights) if weights else load(content, list("abc"), leave_out=["w"])


def test_a_column_of_weights_is_no_feature():
    weighted = data()
    assert weighted.feature_names == ("x", "y", "z")
    np.testing.assert_array_equal(weighted.sample_weight, WEIGHT[WEIGHT > 0])
    assert Containing("'w'", "from 1 to 3") in weighted.notes
    assert Containing(f"{(WEIGHT == 0).sum()} rows of weight 0", "left out") in weighted.notes
    assert weighted.digest != data(None).digest
    np.testing.assert_array_equal(weighted.select(np.arange(9)).sample_weight, WEIGHT[WEIGHT > 0][:9])


def test_rows_of_weight_0_are_left_out():
    """Of 24 rows, 3 count, and one of these lacks a label; rows keep the names that they have in the file."""
    cells = np.where(np.arange(24) % 8 == 5, 1, 0)
    content = "id,x,w,a,b\n" + "".join(f"r{i},{i}.5,{w},{i % 2},{'' if i == 13 else 1}\n" for i, w in enumerate(cells))
    one = load(content.encode(), ["a", "b"], weights="w")
    assert one.row_names.tolist() == ["r5", "r21"]
    assert load(content.encode(), ["a", "b"], weights="w", leave_out=["id"]).row_names.tolist() == ["r5", "r21"]
    masked = load(content.encode(), ["a", "b"], weights="w", missing_labels="masked")
    assert (masked.n_instances, masked.incomplete.weights.tolist()) == (2, [1.0])
    has_line(masked.notes, "21 rows of weight 0")
    assert CrossValidation(one, cv=2).scores(IndependentClassifiers()).notna().all(axis=None)
    with pytest.raises(DataError, match="'w' is 0 in every row that knows every label"):
        load(content.replace(",1,1,1\n", ",0,1,1\n").encode(), ["a", "b"], weights="w")


def test_rows_of_weight_0_may_be_selected():
    weights = pd.Series([0.0, 0, 1], name="w")
    made = Dataset(X[:3], Y[:3], ("x", "y", "z"), tuple("abc"), (("0", "1"),) * 3, weights=weights)
    assert made.select(np.arange(2)).sample_weight.tolist() == [0, 0]


@pytest.mark.parametrize(
    ("cells", "sentence"),
    [
        ("1,-2,3", "weight -2 in row 2"),
        ("1,,3", "no weight in row 2"),
        ("0,0,0", "0 in every row"),
        ("a,b,a", "no numbers"),
    ],
)
def test_what_cannot_weigh_rows(cells, sentence):
    content = "x,w,a\n" + "".join(f"{i},{cell},{i % 2}\n" for i, cell in enumerate(cells.split(",")))
    with pytest.raises(DataError, match=rf"toy\.csv: column 'w' .*{sentence}"):
        load_named(content, weights="w")


def load_named(content, **choices):
    from trellislib.data import read_csv

    return read_csv(content.encode(), "toy.csv").to_dataset(["a"], **choices)


@pytest.mark.parametrize("key", ["IC", "CC", "CT", "LP"])
def test_a_fit_and_its_scores_are_those_of_repeated_rows(key):
    weighted, n_train = data(), (WEIGHT[:40] > 0).sum()
    train, test = np.split(np.arange(weighted.n_instances), [n_train])
    repeated = Dataset(X[ROWS], Y[ROWS], weighted.feature_names, weighted.label_names, weighted.label_values)
    method = METHODS[key].method()
    if "random_state" in method.get_params():
        method.set_params(random_state=0)
    row, details = fit_and_score(weighted, method, train, test)
    again, repeated_details = fit_and_score(repeated, method, np.flatnonzero(ROWS < 40), np.flatnonzero(ROWS >= 40))
    assert row["status"] == again["status"] == "done"
    for measure in ("accuracy", "exact_match", "macro_f1", "macro_auc", "log_loss", "ranking_loss"):
        assert row[measure] == pytest.approx(again[measure], abs=1e-6)
    np.testing.assert_allclose(details["labels"]["f1"], repeated_details["labels"]["f1"])
    pd.testing.assert_frame_equal(details["reliability"], repeated_details["reliability"], check_dtype=False, atol=1e-6)


def test_counts_of_pairs():
    np.testing.assert_allclose(mutual_information(Y, WEIGHT), mutual_information(Y[ROWS]), atol=1e-12)
    assert pair_counts(Y, WEIGHT).n_instances == len(ROWS)
    with pytest.raises(ValueError, match="sample_weight"):
        mutual_information(Y, WEIGHT[:5])


def test_folds_ready_for_many_methods_weigh_as_evaluation_does():
    weighted = data()
    found = CrossValidation(weighted, cv=4).scores(ClassifierTrellis(random_state=0))
    result = evaluate(weighted, {"CT": ClassifierTrellis(random_state=0)}, 4)
    np.testing.assert_allclose(found["accuracy"], result.fits["accuracy"])
    has_line(result.notes, "w", "fits", "scores")
    assert (
        result.fits["accuracy"] != evaluate(data(None), {"CT": ClassifierTrellis(random_state=0)}, 4).fits["accuracy"]
    ).any()


def test_a_model_weighs():
    model = fit_model(data(), ClassifierChain())
    expected = ClassifierChain().fit(X[ROWS], Y[ROWS])
    np.testing.assert_allclose(model.predict_proba(X[:5]), expected.predict_proba(X[:5]), atol=1e-6)


def test_what_takes_no_weights_says_so():
    methods = {"EPS": METHODS["EPS"].method(), "KNN": IndependentClassifiers(PerLabel(KNeighborsClassifier()))}
    fits = evaluate(data(), methods, 0.3).fits.set_index("method")
    assert fits["status"].tolist() == ["failed", "failed"]
    assert fits["reason"]["EPS"] == Containing("EnsemblePrunedSets", "no weights")
    assert fits["reason"]["KNN"] == Containing("KNeighborsClassifier", "no weights")
