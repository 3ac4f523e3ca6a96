import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler

from trellislib import ClassifierChain, EnsembleClassifierTrellises, LabelPowerset, ThresholdedClassifier
from trellislib.inspection import features_for, graph_members
from trellislib.inspection.members import trace_of_one

X, Y = [[0.0], [1.0], [3.0], [4.0]] * 3, [[0, 0], [0, 1], [1, 1], [1, 1]] * 3


def test_a_method_an_ensemble_and_what_wraps_them():
    chain = ClassifierChain().fit(X, Y)
    assert graph_members(chain) == (chain,)
    ensemble = EnsembleClassifierTrellises(n_estimators=3, random_state=0).fit(X, Y)
    assert graph_members(ensemble) == tuple(ensemble.estimators_)
    thresholded = ThresholdedClassifier(ClassifierChain(), random_state=0).fit(X, Y)
    pipeline = make_pipeline(MinMaxScaler(), thresholded).fit(X, Y)
    assert graph_members(pipeline) == (pipeline[-1].estimator_,)
    assert features_for(pipeline, [[1.0]]) == 0.25
    assert features_for(chain, X) is X


def test_a_method_without_a_label_graph_is_refused():
    with pytest.raises(ValueError, match=r"Got LabelPowerset, .*expected .*fitted method .*label graph"):
        graph_members(LabelPowerset().fit(X, Y))


def test_no_conditionals_are_prepared_where_there_are_more_instances_than_one(monkeypatch):
    chain = ClassifierChain().fit(X, Y)
    assert trace_of_one(chain, [[1.0]]).n_instances == 1
    monkeypatch.setattr(type(chain), "_trace", lambda *_: pytest.fail("conditionals were prepared"))
    with pytest.raises(ValueError, match="Got 12 instances, but expected one"):
        trace_of_one(chain, X)
