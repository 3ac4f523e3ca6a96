import numpy as np
import pandas as pd
import pytest
from sentences import has_line

from trellislib.ranking import bayesian_signed_rank


@pytest.fixture
def scores():
    one = np.array([0.48, 0.57, 0.50, 0.70, 0.41, 0.61, 0.38, 0.54])
    other = one + np.array([0.03, -0.02, 0.015, 0.004, 0.05, -0.006, 0.02, 0.01])
    names = [f"d{i}" for i in range(8)]
    return pd.DataFrame({"IC": one, "CT": other, "CDN": [np.nan] * 8}, index=names)


def by_weights(differences, rope, n_samples=40_000):
    """The posterior by its definition: random weights of the data sets and of one more that differs by 0."""
    rng = np.random.default_rng(1)
    z = np.append(differences, 0.0)
    weights = rng.dirichlet([*[1.0] * len(differences), 0.5], n_samples)
    sums = z[:, None] + z
    regions = np.stack([sums > 2 * rope, np.abs(sums) <= 2 * rope, sums < -2 * rope])
    masses = np.einsum("si,rij,sj->sr", weights, regions, weights)
    return np.bincount(masses.argmax(axis=1), minlength=3) / n_samples


class TestWithTheLibrary:
    @pytest.fixture(autouse=True)
    def baycomp(self):
        pytest.importorskip("baycomp")

    def test_by_the_definition(self, scores):
        found = bayesian_signed_rank(scores, "CT", "IC", rope=0.0099)
        expected = by_weights((scores["CT"] - scores["IC"]).to_numpy(), 0.0099)
        assert 0.1 < expected[0] < 0.9
        assert (found.p_one, found.p_equivalent, found.p_other) == pytest.approx(expected, abs=0.015)
        assert (found.one, found.other, found.n_datasets, found.left_out) == ("CT", "IC", 8, ())

    @pytest.mark.parametrize("rope", [0, 0.01, 0.02])
    def test_as_baycomp_has_it(self, scores, rope):
        rounded = scores.round(2)
        with_ties = rounded.assign(CT=rounded["CT"].where(rounded["CT"].index != "d3", rounded["IC"]))
        found = bayesian_signed_rank(with_ties, "CT", "IC", rope=rope, n_samples=2_000, random_state=5)
        theirs = pytest.importorskip("baycomp").SignedRankTest(
            with_ties["CT"].to_numpy(), with_ties["IC"].to_numpy(), rope, nsamples=2_000, random_state=5
        )
        assert (found.p_one, found.p_equivalent, found.p_other) == pytest.approx(theirs.probs(), abs=1e-3)

    def test_direction(self, scores):
        found = bayesian_signed_rank(scores, "CT", "IC")
        turned = bayesian_signed_rank(scores, "IC", "CT")
        losses = bayesian_signed_rank(-scores, "CT", "IC", higher_is_better=False)
        assert found.p_one > found.p_other
        assert (turned.p_other, turned.p_one) == (found.p_one, found.p_other)
        assert (losses.p_one, losses.p_other) == (found.p_one, found.p_other)

    def test_without_a_region(self, scores):
        found = bayesian_signed_rank(scores, "CT", "IC", rope=0)
        assert found.p_equivalent == 0
        assert found.p_one + found.p_other == pytest.approx(1)
        assert found.p_one > 0.8

    def test_unfinished(self, scores):
        scores.loc["d3", "CT"] = np.nan
        assert bayesian_signed_rank(scores, "CT", "IC").left_out == ("d3",)
        with pytest.raises(ValueError, match=r"CT .*not finish .*d3"):
            bayesian_signed_rank(scores, "CT", "IC", unfinished="refuse")
        with pytest.raises(ValueError, match=r"Got unfinished='last', .*expected .*drop, refuse"):
            bayesian_signed_rank(scores, "CT", "IC", unfinished="last")

    @pytest.mark.parametrize(
        ("methods", "options", "message"),
        [
            (("CT", "XX"), {}, r"There .*no method XX .*IC, CT, CDN"),
            (("CT", "CT"), {}, "Got CT as both methods"),
            (("CT", "IC"), {"rope": -1}, "Got rope=-1"),
            (("CT", "IC"), {"n_samples": 0}, "Got n_samples=0"),
        ],
    )
    def test_refused(self, scores, methods, options, message):
        with pytest.raises(ValueError, match=message):
            bayesian_signed_rank(scores, *methods, **options)

    def test_few_data_sets(self, scores):
        with pytest.raises(ValueError, match=r"There .*only .*data set"):
            bayesian_signed_rank(scores[:1], "CT", "IC")
        (note,) = bayesian_signed_rank(scores[:3], "CT", "IC").notes
        has_line(note, "3 data sets", "few")
