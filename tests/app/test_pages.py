"""Every page opens, with its sentence and its charts, whatever is loaded."""

import json
import warnings

import numpy as np
import pytest
from sentences import has_line
from state.tuning import CRITERIA
from views.start.building import MOST_LABELS

from trellislib.figures import CLICKABLE_LABELS
from trellislib.graphs import captured_dependence
from trellislib.wording import three_digits

TITLES = {
    "start": "How do your labels depend on each other?",
    "data": "What are your labels like?",
    "dependence": "Which labels depend on each other?",
    "graphs": "Which labels depend on each other directly?",
    "trellis": "What does a trellis capture?",
    "train": "Train methods side by side",
    "compare": "Which method is better?",
    "scores": "Rank scores of your own",
    "inspect": "Why does a method predict this?",
    "label_errors": "Which labels look wrong?",
}
CHARTS = {
    "start": 1,
    "data": 2,
    "dependence": 2,
    "graphs": 2,
    "trellis": 2,
    "train": 1,
    "compare": 0,
    "scores": 3,
    "inspect": 2,
    "label_errors": 0,
}
ODD_NAMES = (
    "<b>bold</b>",
    "$x^2$",
    "*a* _b_ `c`",
    "🙂 :material/home:",
    "[l](http://x.org)",
    "a->b & c",
    "1. #h | ~~s~~",
)


def rows(*columns, seed=0):
    """Return ARFF rows of the given label columns and two features."""
    rng = np.random.default_rng(seed)
    return [
        ",".join([*map(str, labels), *(f"{x:.3f}" for x in rng.random(2))]) for labels in zip(*columns, strict=True)
    ]


def some_labels(n_labels, n=60, seed=1):
    """Return binary columns that depend on each other, none constant."""
    rng = np.random.default_rng(seed)
    base = rng.random(n)
    return [(base + 0.5 * rng.standard_normal(n) > 0.5).astype(int) for _ in range(n_labels)]


def binary(*names):
    return dict.fromkeys(names, "0,1")


def independent_labels():
    """Return columns that are independent to the last bit: every combination equally often."""
    return list(np.array(np.meshgrid([0, 1], [0, 1], [0, 1])).reshape(3, -1).repeat(5, axis=1))


def sparse_arff(n_labels=200, n=120, seed=0):
    """Return a sparse ARFF in the form of MEKA, some labels of which are never relevant."""
    rng = np.random.default_rng(seed)
    lines = [f"@relation 'wide: -C {n_labels}'"]
    lines += [f"@attribute tag_{j} {{0,1}}" for j in range(n_labels)]
    lines += [f"@attribute x{j} numeric" for j in range(10)]
    lines.append("@data")
    for _ in range(n):
        relevant = np.unique(rng.integers(n_labels - 5, size=6))
        cells = [f"{j} 1" for j in relevant] + [f"{n_labels + j} {rng.random():.3f}" for j in range(10)]
        lines.append("{" + ", ".join(cells) + "}")
    return "\n".join(lines).encode()


def awkward(meka_arff):
    """Return what is hard to show, by name: the file, and how many labels it has."""
    half = [0, 1] * 30
    three = [0, 1, 2] * 20
    four, seven = some_labels(4), some_labels(7)
    return {
        "one-label": (meka_arff(binary("alone"), rows(half)), 1),
        "two-labels": (meka_arff(binary("a", "b"), rows(*some_labels(2))), 2),
        "constant-label": (meka_arff(binary("a", "b", "never"), rows(*some_labels(2), [0] * 60)), 3),
        "all-constant": (meka_arff(binary("never", "always"), rows([0] * 60, [1] * 60)), 2),
        "numbers": (meka_arff(binary("1", "2", "3", "10", "5 or more"), rows(*some_labels(5))), 5),
        "exponents-dates": (meka_arff(binary("1E1", "2A1", "3E2", "2001-01-01"), rows(*four)), 4),
        "markup": (meka_arff(binary(*ODD_NAMES), rows(*seven)), 7),
        "many-values": (
            meka_arff({"size": "0,1,2", "shape": "0,1", "hue": "0,1,2"}, rows(three, half, sorted(three))),
            3,
        ),
        "independent": (meka_arff(binary("a", "b", "c"), rows(*independent_labels())), 3),
        "equal": (meka_arff(binary("a", "b", "c"), rows(half, half, half)), 3),
        "few-rows": (meka_arff(binary("a", "b"), rows([0, 1, 1], [1, 0, 1])), 2),
        "one-row": (meka_arff(binary("a", "b"), rows([0], [1])), 2),
        "wide": (sparse_arff(), 200),
    }


AWKWARD = list(awkward(lambda *_: b""))
every_awkward = pytest.mark.parametrize("kind", AWKWARD)


def load_awkward(visitor, meka_arff, kind):
    content, n_labels = awkward(meka_arff)[kind]
    visitor.upload((f"{kind}.arff", content))
    assert not visitor.errors
    assert visitor.loaded.startswith(f"{kind}: ")
    assert visitor.loaded.endswith(f"L = {n_labels}")
    return n_labels


def assert_open(visitor, view, n_labels):
    assert visitor.title == TITLES[view]
    assert visitor.takeaway.endswith(".")
    assert len(visitor.takeaway) > (15 if view == "inspect" else 30)  # all labels may be right
    nothing = (view in ("dependence", "graphs") and n_labels == 1) or (view in ("train", "inspect") and visitor.at.info)
    drilled = view == "dependence" and n_labels > CLICKABLE_LABELS  # an overview, and the part that is looked into
    still = view == "start" and not 1 < n_labels <= MOST_LABELS  # a trellis whose building is not played
    assert len(visitor.charts) == (0 if nothing else CHARTS[view] + drilled + still)
    assert not visitor.errors
    assert not visitor.at.warning


def assert_every_page_opens(visitor, n_labels, name=""):
    broken = {}
    for view in TITLES:
        try:
            visitor.go(view)
            assert_open(visitor, view, n_labels)
            assert name in visitor.takeaway or view not in NAMED_BY
        except AssertionError as error:
            broken[view] = str(error).splitlines()[0]
    assert not broken


NAMED_BY = {"data", "train", "compare"}  # pages whose answer names the data set


@pytest.mark.parametrize("name", ["yeast", "movies", "solar-flare"])
def test_packaged_sets_open_on_every_page(visitor, name):
    visitor.choose_packaged(name)
    assert visitor.loaded.startswith(f"{name}: N = ")
    assert_every_page_opens(visitor, 14, name)


@every_awkward
def test_awkward_labels_open_on_every_page(visitor, meka_arff, kind):
    assert_every_page_opens(visitor, load_awkward(visitor, meka_arff, kind))


@every_awkward
def test_awkward_labels_can_be_trained_and_compared(visitor, meka_arff, kind):
    load_awkward(visitor, meka_arff, kind)
    visitor.go("train").set("folds", 2) if kind != "one-row" else pytest.skip("one row makes no folds")
    visitor.click("train").wait()
    (run,) = visitor.workspace().runs

    assert run.job.state == "done", run.job.error
    visitor.go("compare")
    assert visitor.title == TITLES["compare"]
    assert not visitor.errors
    assert len(visitor.charts) == 2 + visitor.workspace().dataset.is_multilabel  # with calibration


def test_fewer_rows_and_labels_than_before_open(visitor, meka_arff):
    """A fold count, a pair and a width that were chosen on larger data do not break the pages of smaller data."""
    visitor.go("trellis").set("width", 14)
    visitor.go("dependence").set("second-label", 13)
    visitor.go("train").set("folds", 10)
    visitor.go("start")
    load_awkward(visitor, meka_arff, "few-rows")

    for view in TITLES:
        visitor.go(view)


def test_every_file_name_is_shown_as_it_is_written(visitor, meka_arff):
    visitor.upload(("*a* $x$ <b>.arff", meka_arff(binary("a", "b"), rows(*some_labels(2)))))

    for view in ("train", "compare"):
        visitor.go(view)
        texts = [element.value for element in [*visitor.at.main.markdown, *visitor.at.main.caption]]
        texts += [button.label for button in visitor.at.main.button]
        assert not [text for text in texts if "*a* $x$ <b>" in text]


def test_odd_names_reach_figures_and_tables_as_they_are_written(visitor, meka_arff):
    load_awkward(visitor, meka_arff, "markup")
    assert set(visitor.table("IRLbl").index) == set(ODD_NAMES)

    visitor.go("dependence")
    layout = json.loads(visitor.charts[0].proto.spec)["layout"]
    assert set(layout["xaxis"]["ticktext"]) == {
        "&lt;b&gt;bold&lt;/b&gt;",
        "&#36;x^2&#36;",
        "*a* _b_ `c`",
        "🙂 :material/home:",
        "[l](http://x.org)",
        "a-&gt;b &amp; c",
        "1. #h | ~~s~~",
    }
    for text in (visitor.at.main.markdown[0].value, *(t.value for t in visitor.at.main.markdown)):
        for name in ODD_NAMES[:5]:
            assert name not in text


def test_number_like_names_make_no_numeric_axis(visitor, meka_arff):
    """Case B40: the cells are those of the file, in its order."""
    load_awkward(visitor, meka_arff, "numbers")
    visitor.go("dependence").set("order", "file")
    figure = json.loads(visitor.charts[0].proto.spec)

    assert figure["layout"]["xaxis"]["ticktext"] == ["1", "2", "3", "10", "5 or more"]
    assert figure["layout"]["xaxis"]["tickvals"] == [0, 1, 2, 3, 4]
    assert figure["layout"]["yaxis"]["ticktext"] == ["1", "2", "3", "10", "5 or more"]


def test_a_constant_label_is_independent_of_all_others(visitor, meka_arff):
    """A pair with a constant label has the p-value 1, not one that cannot be computed, nor the smallest of all."""
    load_awkward(visitor, meka_arff, "constant-label")
    pairs = visitor.go("dependence").table("other label")

    with_constant = pairs[(pairs["label"] == "never") | (pairs["other label"] == "never")]
    assert with_constant["p-value"].tolist() == ["1", "1"]


def test_a_pair_stays_chosen_through_other_choices(visitor):
    """Case B42: what was selected survives reruns and page changes."""
    visitor.go("dependence").set("first-label", 3).set("second-label", 7)
    assert visitor.takeaway
    assert "Class4 and Class8" in visitor.text

    visitor.set("unit", "bits")
    assert "Class4 and Class8" in visitor.text
    visitor.set("order", "file")
    assert "Class4 and Class8" in visitor.text
    visitor.go("trellis").go("dependence")
    assert "Class4 and Class8" in visitor.text
    assert visitor.at.metric[0].value.endswith("bits")


def test_the_same_label_twice_is_no_pair(visitor):
    visitor.go("dependence").set("first-label", 3).set("second-label", 3)

    assert [info.value for info in visitor.at.info] == ["Choose two different labels."]


def test_code_of_the_dependence_page_runs(visitor, capsys):
    visitor.choose_packaged("solar-flare").go("dependence").set("first-label", 2).set("second-label", 0)
    found = {}
    exec(visitor.code, found)

    assert f"{found['pair'].strength:.3f}" == visitor.at.metric[1].value
    assert f"{found['information'][2, 0]:#.3g} nats" == visitor.at.metric[0].value


@pytest.mark.parametrize("name", ["yeast", "solar-flare"])
@pytest.mark.parametrize("view", ["start", "data"])
def test_the_python_of_a_page_draws_its_figures(visitor, view, name, same_figures, capsys):
    same_figures(visitor.choose_packaged(name).go(view))


def test_code_of_the_data_page_runs(visitor, same_figures, capsys):
    same_figures(visitor.choose_packaged("solar-flare"))

    assert "1066" in capsys.readouterr().out.replace(",", "")


@pytest.mark.parametrize(
    ("pattern", "placement", "width", "ticked"),
    [
        ("left-up-diagonals", "hill-climbing", 5, ()),
        ("left-up", "random", 14, ()),
        ("custom", "hill-climbing", 4, ("parent-2+0", "parent0-2")),
        ("custom", "random", 1, ()),
    ],
)
def test_code_of_the_trellis_page_gives_what_the_page_shows(visitor, pattern, placement, width, ticked, capsys):
    visitor.go("trellis").set("pattern", pattern).set("placement", placement).set("width", width).set("seed", 7)
    for key in ticked:
        visitor.set(key, True)
    found = {}
    exec(visitor.code, found)

    shown = {metric.label: metric.value for metric in visitor.at.metric}
    captured = captured_dependence(found["placed"], found["information"])
    assert sum(found["weights"].values()) == captured
    assert shown["Captured"] == f"{captured:#.3g} nats"
    assert shown["Edges"] == f"{len(found['placed'].edges)}"
    assert found["placed"].width == width


@pytest.mark.parametrize(
    ("guide", "unit"), [("co-occurrence", "units of co-occurrence"), ("residual", "nats beyond the features")]
)
def test_the_placement_criterion_of_a_trellis_is_named(visitor, guide, unit, capsys):
    plain = visitor.go("trellis").widget("width") and visitor.code
    visitor.set("guide", guide)
    assert f" {unit} on 20 edges" in visitor.takeaway
    assert visitor.code != plain
    found = {}
    exec(visitor.code, found)

    shown = {metric.label: metric.value for metric in visitor.at.metric}
    assert shown["Captured"] == three_digits(captured_dependence(found["placed"], found["dependence"]))
    assert shown["Mutual information"].endswith(" nats")
    visitor.go("train")
    assert f"by {CRITERIA[guide][0]}" in visitor.captions
    assert f"dependence='{guide}'" in visitor.code


def test_co_occurrence_is_not_offered_where_labels_have_more_values(visitor, meka_arff):
    visitor.go("trellis").set("guide", "co-occurrence")
    visitor.choose_packaged("solar-flare").go("trellis")

    assert visitor.widget("guide").value == "mutual-information"
    assert "co-occurrence" not in visitor.widget("guide").options


def test_a_custom_pattern_without_parents_is_a_lattice_without_edges(visitor):
    visitor.go("trellis").set("pattern", "custom").set("parent0-1", False).set("parent-1+0", False)

    assert {metric.label: metric.value for metric in visitor.at.metric}["Edges"] == "0"
    assert visitor.takeaway.endswith(".")


def test_the_trellis_stays_as_it_was_tuned(visitor):
    visitor.go("trellis").set("pattern", "custom").set("parent-2+0", True).set("width", 5)
    visitor.set("placement", "random").set("seed", 9)
    edges = {metric.label: metric.value for metric in visitor.at.metric}

    visitor.go("start").go("train")
    has_line(visitor.captions, "width 5", "parents custom", "random", "seed 9")
    visitor.go("data").go("trellis")
    assert {metric.label: metric.value for metric in visitor.at.metric} == edges


def test_two_tabs_of_one_address_show_the_same_data(visit, meka_arff):
    one = (
        visit()
        .choose_packaged("solar-flare")
        .choose_packaged("yeast")
        .go("dependence")
        .set("first-label", 12)
        .set("second-label", 13)
    )
    other = visit(one.workspace().token)
    load_awkward(other, meka_arff, "two-labels")

    one.run()
    assert one.loaded == other.loaded
    assert "a and b" in one.text


def test_pages_raise_no_warnings(visitor):
    """Deprecated arguments and the like would fill the server's log."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for view in TITLES:
            visitor.go(view)
    assert not [str(warning.message) for warning in caught if not issubclass(warning.category, ResourceWarning)]
