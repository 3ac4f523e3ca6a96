"""Sentences on graphs, on a label, and on what the features explain."""

from pathlib import Path

import numpy as np
import pytest
from sentences import holds

from trellislib.data import Dataset, load
from trellislib.data.profile import label_profile
from trellislib.dependence import information_of_counts, pair_counts, phi_coefficients, residual_information
from trellislib.graphs import LabelGraph, UndirectedLabelGraph, fs, lead
from trellislib.summaries import (
    about_apart,
    about_conditional,
    about_edges,
    about_found,
    about_graphs,
    about_hubs,
    about_label,
    about_links,
)

EMOTIONS = Path(__file__).parents[2].parent / "shared" / "data" / "mulan" / "emotions" / "emotions.arff"


def symmetric(n, diagonal=0.0, **cells):
    """Return a matrix from its cells, ab=0.5 being that of the labels a and b."""
    matrix = np.diag(np.full(n, float(diagonal)))
    for pair, value in cells.items():
        one, other = ("abcdefgh".index(label) for label in pair)
        matrix[one, other] = matrix[other, one] = value
    return matrix


TWO, TURNED, SINGLE = LabelGraph([(), (0,), (1,)]), LabelGraph([(1,), (), (1,)]), LabelGraph([(), (0,), ()])
NONE = LabelGraph.independent(3)
INFORMATION = symmetric(3, ab=3, ac=1, bc=2)


@pytest.mark.parametrize(
    ("graphs", "parts"),
    [
        (
            [TWO, LabelGraph([(1,), (2,), ()])],
            ("FS has 2 edges", "LEAD 2", "the same pairs, and the strongest is a and b"),
        ),
        ([TWO, LabelGraph([(), (), (1,)])], ("FS has 2 edges", "LEAD 1", "join 1 of the 2 pairs", "b and c")),
        ([SINGLE, LabelGraph([(), (), (0,)])], ("FS has 1 edge", "LEAD 1", "No pair of labels is in both")),
        ([SINGLE, SINGLE], ("FS has 1 edge", "LEAD 1", "the same pair: a and b")),
        ([NONE, NONE], ("FS and LEAD have no edges",)),
        ([TWO, TURNED, SINGLE], ("FS has 2 edges", "LEAD 2", "MI tree 1", "All 3 join 1 of the 2 pairs", "a and b")),
        ([TWO, TWO, TWO], ("the same pairs, and the strongest is a and b",)),
        ([TWO, TURNED, SINGLE, NONE], ("PC 0", "No pair of labels is in all 4")),
        ([NONE, NONE, NONE], ("FS, LEAD and MI tree have no edges",)),
        ([TWO], ("FS finds 2 edges between 3 labels",)),
    ],
)
def test_what_graphs_share(graphs, parts):
    holds(about_graphs(dict(zip(["FS", "LEAD", "MI tree", "PC"], graphs, strict=False)), "abc", INFORMATION), *parts)


def test_graphs_of_equally_strong_edges_of_one_label_and_of_nothing():
    weaker = symmetric(3, ab=1, ac=2, bc=1)
    holds(about_graphs({"FS": TWO, "LEAD": TWO}, "abc", weaker), "one of the strongest is a and b")
    holds(about_graphs({"FS": LabelGraph([()])}, "a", np.zeros((1, 1))), "single label")
    with pytest.raises(ValueError, match="expected at least one graph"):
        about_graphs({}, "abc", INFORMATION)


LINKED = symmetric(4, 0.6, ab=0.3, bc=0.2, cd=0.25, ad=0.004)
MEANING = symmetric(4, ab=1, bc=-1, cd=-1, ad=1)


def test_what_co_occurs_and_excludes_most_of_the_pairs_joined():
    graph = LabelGraph([(), (0,), (1,), (2,)])
    found = about_links([graph], "abcd", LINKED, MEANING)
    holds(found, "a and b co-occur most among joined pairs (0.300 nats)", "exclude each other most")
    found = about_apart([graph], "abcd", LINKED, MEANING)
    holds(found, "of a or b is b and c (0.200 nats)", "a and c are hardly dependent (0 nats)")


def test_stronger_pairs_that_no_edge_joins_are_not_denied():
    """Both superlatives are among the pairs joined: a and b co-occur more here, and c and d exclude each other more."""
    information = symmetric(4, 0.6, ab=0.5, bc=0.2, cd=0.4, ac=0.3)
    signs = symmetric(4, ab=1, bc=-1, cd=-1, ac=1)
    found = about_links([LabelGraph([(), (), (0, 1), ()])], "abcd", information, signs)
    holds(
        found,
        "among joined pairs",
        "a and c co-occur most among joined pairs (0.300 nats)",
        "b and c exclude each other most",
    )


def test_a_single_pair_joined_is_most_of_nothing():
    graph = LabelGraph([(), (0,), (), ()])
    for signs, how in ((MEANING, "co-occur"), (-MEANING, "exclude each other")):
        found = about_links([graph], "abcd", LINKED, signs)
        holds(found, f"a and b {how} (0.300 nats)")
        assert "most" not in found
    assert about_links([graph], "abcd", np.diag([0.6] * 4), 0 * MEANING) == ""
    holds(about_apart([graph], "abcd", np.diag([0.6] * 4), 0 * MEANING), "a and b are hardly dependent (0 nats)")


def test_edges_that_only_exclude():
    graph = LabelGraph([(), (), (1,), (2,)])
    found = about_links([graph], "abcd", LINKED, MEANING)
    holds(found, "exclude each other most")
    assert "co-occur" not in found
    found = about_apart([graph], "abcd", LINKED, MEANING)
    holds(found, "b and d are hardly dependent (0 nats)")
    assert "either" not in found


def test_a_weak_exclusion_and_labels_that_hardly_vary_are_left_out():
    information = symmetric(3, 0.6, ab=0.3, bc=0.02, ac=0.001)
    information[2, 2] = 0.1
    assert about_apart([LabelGraph([(), (0,), (1,)])], "abc", information, symmetric(3, ab=1, bc=-1)) == ""


def test_the_most_connected_label_of_each_graph():
    star, pair = LabelGraph([(), (0,), (0,)]), UndirectedLabelGraph([(), (2,), (1,)])
    found = about_hubs({"FS": star, "PC": pair, "MI tree": star, "LEAD": NONE}, "abc")
    holds(found, "a (2 edges in FS and 2 in MI tree)", "b (1 edge in PC)")
    assert "LEAD" not in found
    assert about_hubs({"FS": NONE}, "abc") == ""


SHARED = np.array([[0.0, 0.3, 0.1], [0.3, 0.0, 0.0], [0.1, 0.0, 0.0]])
SIGNS = np.array([[1.0, -0.4, 0.2], [-0.4, 1.0, 0.0], [0.2, 0.0, 1.0]])
CHAIN = LabelGraph([[], [0], [1]], [0, 1, 2])


@pytest.mark.parametrize(
    ("graph", "information", "signs", "parts"),
    [
        (CHAIN, SHARED, SIGNS, ("2 edges", "75% of", "strongest joins a and b", "exclude each other (0.300 nats)")),
        (LabelGraph([[], [], [0]], [0, 1, 2]), SHARED, None, ("1 edge", "25% of", "joins a and c (0.100 nats)")),
        (CHAIN, np.zeros((3, 3)), SIGNS, ("2 edges", "do not depend on each other")),
        (LabelGraph([[], [], []], [0, 1, 2]), SHARED, SIGNS, ("No edges",)),
    ],
)
def test_edges(graph, information, signs, parts):
    holds(about_edges(graph, "abc", information, signs), *parts)


@pytest.mark.parametrize(
    ("found", "true", "parts"),
    [
        ([(1,), (2,), (), (0,)], [(), (0,), (1,), (2,)], ("2 of 3 true edges are found", "1 found edge is wrong")),
        ([(), (0,), (1,)], [(), (0,), (1,)], ("2 of 2 true edges are found", "No found edge is wrong")),
        ([(), (), (0,)], [(), (0,), (1,)], ("None of 2 true edges is found", "1 found edge is wrong")),
        ([(), (), (0, 1)], [(), (0,), ()], ("one true edge is not found", "2 found edges are wrong")),
        ([(), (), ()], [(), (0,), ()], ("one true edge is not found",)),
        ([(), (), (0,)], [(), (), ()], ("no true edge to find", "1 found edge is wrong")),
        ([(), (), ()], [(), (), ()], ("no true edge to find",)),
    ],
)
def test_found_edges_count_whatever_their_direction(found, true, parts):
    holds(about_found(LabelGraph(found), LabelGraph(true)), *parts)


@pytest.mark.parametrize(
    ("graph", "signs"), [(LabelGraph.independent(4), MEANING), (LabelGraph([(), (0,), (), ()]), None)]
)
def test_without_edges_or_signs_there_is_no_summary(graph, signs):
    assert about_links([graph], "abcd", LINKED, signs) == about_apart([graph], "abcd", LINKED, signs) == ""


@pytest.mark.skipif(not EMOTIONS.is_file(), reason=f"the file is not there ({EMOTIONS})")
def test_the_music_graphs_of_the_paper_are_as_its_caption_describes():
    data = load(EMOTIONS, EMOTIONS.with_suffix(".xml"))
    counts = pair_counts(data.Y)
    information, signs = information_of_counts(counts), phi_coefficients(counts)
    graphs = [fs(data.Y, random_state=0), lead(data.X, data.Y, random_state=0)]

    found = about_links(graphs, data.label_names, information, signs)
    holds(found, "quiet-still and sad-lonely co-occur most among joined pairs (0.140 nats)")
    holds(found, "relaxing-calm and angry-aggresive exclude each other most (0.190 nats)")
    found = about_apart(graphs, data.label_names, information, signs)
    holds(found, "quiet-still or sad-lonely is happy-pleased and sad-lonely (0.104 nats)")
    holds(found, "amazed-suprised and happy-pleased are hardly dependent (0.002 nats)")
    found = about_label(label_profile(data, 4, information, signs))
    holds(found, "168 instances (28.3%)", "1.57 times rarer", "quiet-still (they co-occur, 0.140 nats)")
    assert "amazed-suprised and happy-pleased" not in about_conditional(
        data.label_names, residual_information(np.empty((593, 0)), data.Y), residual_information(data.X, data.Y)
    )


def label_sentence(Y, label, information, signs=None):
    Y = np.array(Y)
    names = tuple("abc"[: Y.shape[1]])
    data = Dataset(np.zeros((len(Y), 1)), Y, ("x",), names, (("0", "1"),) * len(names))
    return about_label(label_profile(data, label, information, signs))


def test_a_label():
    Y = [[1, 0, 0], [1, 1, 0], [0, 1, 0], [1, 0, 0]]
    information = symmetric(3, ab=0.2, ac=0.0)
    holds(label_sentence(Y, 0, information), "3 instances (75.0%)", "no label is more frequent", "b (0.200 nats)")
    second = label_sentence(Y, 1, information, -information)
    holds(second, "2 instances (50.0%)", "1.5 times rarer", "a (they exclude each other, 0.200 nats)")
    holds(label_sentence(Y, 2, information), "c is never relevant")
    holds(label_sentence([[1], [0]], 0, np.zeros((1, 1))), "1 instance (50.0%)", "depends on no other label")


def test_a_label_of_almost_all_or_hardly_any_instances():
    almost, once = np.ones((300, 2), dtype=int), np.ones((3000, 2), dtype=int)
    almost[0, 1] = once[1:, 1] = 0
    found = label_sentence(almost, 1, symmetric(2, ab=1e-5))
    holds(found, "299 instances (99.7%)", "hardly rarer", "a (less than 0.001 nats)")
    holds(label_sentence(once, 1, symmetric(2)), "1 instance (less than 0.1%)", "3,000 times rarer")


MARGINAL, PAIR = symmetric(3, ab=0.5, bc=0.3, ac=0.1), symmetric(2, ab=0.5)


@pytest.mark.parametrize(
    ("marginal", "conditional", "parts"),
    [
        (
            MARGINAL,
            symmetric(3, ab=0.1, bc=0.25, ac=0.2),
            ("away between a and b (from 0.500 to 0.100 nats)", "remains between b and c (from 0.300 to 0.250 nats)"),
        ),
        (MARGINAL, symmetric(3, ab=0.4), ("remains between a and b (from 0.500 to 0.400 nats)",)),
        (
            PAIR,
            symmetric(2, ab=0.4),
            ("away between a and b (from 0.500 to 0.400 nats)", "remains between them"),
        ),
        (
            MARGINAL,
            np.zeros((3, 3)),
            ("away between a and b (from 0.500 to 0 nats)", "No pair remains dependent"),
        ),
        (PAIR, np.zeros((2, 2)), ("No pair remains dependent",)),
        (MARGINAL, MARGINAL, ("no dependence away", "remains between a and b (from 0.500 to 0.500 nats)")),
        (symmetric(2, ab=0.1), symmetric(2, ab=0.4), ("no dependence away", "grows from 0.100 to 0.400 nats")),
        (np.zeros((2, 2)), np.zeros((2, 2)), ("No pair of labels depends",)),
        (np.zeros((1, 1)), np.zeros((1, 1)), ("a is the only label",)),
    ],
)
def test_what_the_features_explain(marginal, conditional, parts):
    holds(about_conditional("abc"[: len(marginal)], marginal, conditional), *parts)
