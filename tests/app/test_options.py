"""Every option of every method: its default, what it makes, and what is refused before training."""

import numpy as np
import pytest
from components import catalogue, options
from components.catalogue import BASE_LEARNERS
from components.options import OPTIONS, arguments, value_of
from scipy import sparse
from sentences import has_line
from state.sources import Source, load
from state.tuning import Shape

from trellislib import Exhaustive, GibbsSampling, LeastSquares
from trellislib.data import Dataset
from trellislib.decisions import RankCut
from trellislib.methods import METHODS
from trellislib.running.memory import limited_memory

SMALL = load(Source.of("simulate_label_dag", n_instances=60, n_labels=3, n_features=3, random_state=1))
EVERY = [option for group in OPTIONS.values() for option in group]
EACH = pytest.mark.parametrize("option", EVERY, ids=lambda option: f"{option.parameter}-{'-'.join(option.methods)}")


def made(key, settings=None, estimator=None, seed=0):
    return catalogue.method(key, estimator or LeastSquares(), settings or {}, Shape(2, placement="hill-climbing"), seed)


@EACH
def test_an_option_belongs_to_its_methods_and_they_share_its_default(option):
    if "__" in option.parameter:
        return
    defaults = {str(value_of(method, option.parameter, {})) for method in option.methods}
    assert len(defaults) == 1
    if not option.is_number:
        assert str(value_of(option.methods[0], option.parameter, {})) in map(str, option.choices.values())
    for method in option.methods:
        assert option.parameter in made(method).get_params()


@EACH
def test_every_choice_makes_a_method_that_trains(option):
    parent = {"structure": option.only[1][0]} if option.only else {}
    for method in option.methods:
        if "__" in option.parameter:
            inference = next(o for o in EVERY if o.parameter == "inference" and method in o.methods)
            fitting = [v for v in inference.choices.values() if option.parameter[11:] in v.get_params()]
            if not fitting:
                continue
            parent = {"inference": fitting[0]}
        values = (
            (30 if "iterations" in option.parameter else 3,)
            if option.is_number and isinstance(option.choices[1], int)
            else (0.7,)
        )
        values = values if option.is_number else option.choices.values()
        for value in values:
            fitted = made(method, parent | {option.parameter: value}).fit(SMALL.X, SMALL.Y)
            assert fitted.predict(SMALL.X).shape == SMALL.Y.shape
            held = fitted.get_params()[option.parameter]
            assert str(held) == str(value)


def test_keys_of_widgets_are_their_own():
    keys = [option.key("") for option in EVERY]
    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize("key", METHODS)
def test_without_settings_a_method_is_as_the_library_makes_it(key):
    plain = METHODS[key].method(random_state=0) if "random_state" in made(key).get_params() else METHODS[key].method()
    ours, theirs = (method.get_params(deep=False) for method in (made(key), plain))
    for name in ("estimator", "width"):
        ours.pop(name, None), theirs.pop(name, None)
    if "random_state" in ours:
        theirs["random_state"] = ours["random_state"]
    assert ours == theirs


def test_nested_settings_make_the_inference():
    assert arguments("CDT", {}) == {}
    assert str(arguments("CDT", {"inference__n_burn_in": 5})["inference"]) == str(GibbsSampling(n_burn_in=5))
    found = arguments("PCC", {"inference__maximize": "marginals"})["inference"]
    assert str(found) == str(Exhaustive(maximize="marginals"))


def refusal(key, n_labels, settings=None, estimator=None):
    data = Dataset(
        np.zeros((4, 1)),
        np.array([[0], [1], [0], [1]]).repeat(n_labels, axis=1),
        ("x",),
        tuple(f"y{j}" for j in range(n_labels)),
        (("0", "1"),) * n_labels,
    )
    return catalogue.refusal(key, made(key, settings, estimator), settings or {}, data)


def test_refusals_are_known_before_training():
    assert refusal("PCC", 15) is None
    assert "6.55e+04 label vectors" in refusal("PCC", 16)
    assert refusal("PCC", 16, {"inference": options.BeamSearch()}) is None
    assert refusal("OCC", 7) is None
    assert "at most 7 labels" in refusal("OCC", 8)
    assert "T_c must be below" in refusal("CDN", 3, {"inference__n_burn_in": 100})
    assert all(refusal(key, 4) is None for key in METHODS)


def test_a_method_that_would_take_too_much_memory_is_refused():
    with limited_memory(2**-9):
        assert all(refusal(key, 4) is None for key in METHODS)
        text = refusal("CC", 1000)
        has_line(text, "CC", "left out", "need")
        has_line(
            text,
            "more than",
            "budget",
            "2 MiB",
            "use ClassifierTrellis",
            "labels",
            "few parents",
            "raise",
            "budget",
            "TRELLISLIB_MEMORY",
            "GiB",
        )
        assert refusal("IC", 1000) is None


def test_a_classifier_without_probabilities_or_scores_is_refused_where_they_are_needed():
    class Silent(catalogue.DecisionTreeClassifier):
        predict_proba = property()

    assert "neither probabilities nor scores" in refusal("CDN", 3, estimator=Silent())
    assert refusal("CT", 3, estimator=Silent()) is None


@pytest.mark.parametrize(
    ("name", "X", "text"),
    [
        ("Naive Bayes (multinomial)", np.array([[-1.0], [2.0]]), "refuses negative features"),
        ("Naive Bayes (multinomial)", np.array([[0.0], [np.nan]]), None),
        ("Naive Bayes (Gaussian)", sparse.csr_array(np.eye(2)), "takes dense features only"),
        ("Naive Bayes (Gaussian)", np.eye(2), None),
        ("Least squares", sparse.csr_array(-np.eye(2)), None),
    ],
)
def test_a_base_learner_that_cannot_take_the_features_is_reported(name, X, text):
    names = tuple(f"x{j}" for j in range(X.shape[1]))
    data = Dataset(X, np.array([[0], [1]]), names, ("a",), (("0", "1"),))
    learner = next(choice for choice in BASE_LEARNERS if choice.name == name)
    reported = catalogue.unfit(learner, learner.make(learner.default, 0), catalogue.SCALINGS[0], data)

    assert (reported is None) if text is None else (text in reported)


def test_thresholds_are_put_around_methods_that_give_probabilities():
    assert catalogue.thresholded(made("CT"), None, 0).__class__.__name__ == "ClassifierTrellis"
    assert catalogue.thresholded(made("CT"), "rank", 0, 2.6).decide == RankCut(3)
    assert catalogue.thresholded(made("CT"), "rank", 0, 0.2).decide == RankCut(1)
    assert catalogue.thresholded(made("CT"), "cardinality", 0).__class__.__name__ == "ThresholdedClassifier"
    scored = made("IC", estimator=catalogue.LinearSVC())  # whose decision function can be cut, too
    assert catalogue.thresholded(scored, "cardinality", 0).__class__.__name__ == "ThresholdedClassifier"
