"""What graphs, a label and the features say, in sentences."""

from pathlib import Path

import numpy as np
import pytest

from trellislib.data import Dataset, load
from trellislib.data.profile import label_profile
from trellislib.dependence import information_of_counts, pair_counts, phi_coefficients, residual_information
from trellislib.graphs import LabelGraph, UndirectedLabelGraph, fs, lead
from trellislib.summaries import about_conditional, about_graphs, about_label, about_links
from trellislib.summaries.graphs import about_apart, about_hubs

EMOTIONS = Path(__file__).parents[2].parent / "shared" / "data" / "mulan" / "emotions" / "emotions.arff"


def symmetric(n, diagonal=0.0, **cells):
    """Return a matrix from its cells, ab=0.5 being that of the labels a and b."""
    matrix = np.diag(np.full(n, float(diagonal)))
    for pair, value in cells.items():
        one, other = ("abcdefgh".index(label) for label in pair)
        matrix[one, other] = matrix[other, one] = value
    return matrix


def test_several_graphs():
    information = symmetric(3, ab=3, ac=1, bc=2)
    graphs = [LabelGraph([(), (0,), (1,)]), LabelGraph([(1,), (), (1,)]), LabelGraph([(), (0,), ()])]

    named = dict(zip(["FS", "LEAD", "MI tree"], graphs, strict=True))
    assert about_graphs(named, "abc", information) == (
        "FS has 2 edges, LEAD 2 and MI tree 1; all 3 join 1 of 2 pairs, a and b."
    )
    assert about_graphs(dict.fromkeys(named, graphs[0]), "abc", information) == (
        "FS has 2 edges, LEAD 2 and MI tree 2: the same pairs of labels, a and b most strongly."
    )
    assert about_graphs(dict.fromkeys(named, graphs[0]), "abc", symmetric(3, ab=1, ac=2, bc=1)) == (
        "FS has 2 edges, LEAD 2 and MI tree 2: the same pairs of labels, a and b as strongly as any."
    )
    empty = LabelGraph.independent(3)
    assert about_graphs({**named, "PC": empty}, "abc", information) == (
        "FS has 2 edges, LEAD 2, MI tree 1 and PC 0; no pair of labels is in all 4."
    )
    assert about_graphs(dict.fromkeys(named, empty), "abc", information) == "FS, LEAD and MI tree have no edges."
    assert about_graphs({"FS": graphs[0]}, "abc", information) == "FS finds 2 edges between 3 labels."
    assert about_graphs({"FS": LabelGraph([()])}, "a", np.zeros((1, 1))).startswith("With a single label ")
    with pytest.raises(ValueError, match="expected at least one graph"):
        about_graphs({}, "abc", information)


LINKED = symmetric(4, 0.6, ab=0.3, bc=0.2, cd=0.25, ad=0.004)
MEANING = symmetric(4, ab=1, bc=-1, cd=-1, ad=1)


def test_what_co_occurs_and_excludes_most_of_the_pairs_joined():
    graph = LabelGraph([(), (0,), (1,), (2,)])

    assert about_links([graph], "abcd", LINKED, MEANING) == (
        "Of the pairs joined, a and b co-occur most (0.300 nats), and c and d exclude each other most (0.250 nats)."
    )
    assert about_apart([graph], "abcd", LINKED, MEANING) == (
        "What excludes either of a and b most: b and c (0.200 nats). Hardly linked: a and c (0 nats)."
    )


def test_stronger_pairs_that_no_edge_joins_are_not_denied():
    """Both superlatives are among the pairs joined: a and b co-occur more here, and c and d exclude each other more."""
    information = symmetric(4, 0.6, ab=0.5, bc=0.2, cd=0.4, ac=0.3)
    signs = symmetric(4, ab=1, bc=-1, cd=-1, ac=1)
    assert about_links([LabelGraph([(), (), (0, 1), ()])], "abcd", information, signs) == (
        "Of the pairs joined, a and c co-occur most (0.300 nats), and b and c exclude each other most (0.200 nats)."
    )


def test_a_single_pair_joined_is_most_of_nothing():
    graph = LabelGraph([(), (0,), (), ()])
    assert about_links([graph], "abcd", LINKED, MEANING) == "a and b co-occur (0.300 nats)."
    assert about_links([graph], "abcd", LINKED, -MEANING) == "a and b exclude each other (0.300 nats)."
    assert about_links([graph], "abcd", np.diag([0.6] * 4), 0 * MEANING) == ""
    assert about_apart([graph], "abcd", np.diag([0.6] * 4), 0 * MEANING) == "Hardly linked: a and b (0 nats)."


def test_edges_that_only_exclude():
    graph = LabelGraph([(), (), (1,), (2,)])
    assert about_links([graph], "abcd", LINKED, MEANING) == (
        "Of the pairs joined, c and d exclude each other most (0.250 nats)."
    )
    assert about_apart([graph], "abcd", LINKED, MEANING) == "Hardly linked: b and d (0 nats)."


def test_a_weak_exclusion_and_labels_that_hardly_vary_are_not_worth_a_word():
    information = symmetric(3, 0.6, ab=0.3, bc=0.02, ac=0.001)
    information[2, 2] = 0.1
    assert about_apart([LabelGraph([(), (0,), (1,)])], "abc", information, symmetric(3, ab=1, bc=-1)) == ""


def test_the_most_connected_label_of_each_graph():
    star, pair = LabelGraph([(), (0,), (0,)]), UndirectedLabelGraph([(), (2,), (1,)])
    empty = LabelGraph.independent(3)
    assert about_hubs({"FS": star, "PC": pair, "MI tree": star, "LEAD": empty}, "abc") == (
        "Most connected: a (2 edges in FS and 2 in MI tree) and b (1 edge in PC)."
    )
    assert about_hubs({"FS": empty}, "abc") == ""


@pytest.mark.parametrize(
    ("graph", "signs"), [(LabelGraph.independent(4), MEANING), (LabelGraph([(), (0,), (), ()]), None)]
)
def test_without_edges_or_signs_there_is_nothing_to_say(graph, signs):
    assert about_links([graph], "abcd", LINKED, signs) == about_apart([graph], "abcd", LINKED, signs) == ""


@pytest.mark.skipif(not EMOTIONS.is_file(), reason=f"the file is not there ({EMOTIONS})")
def test_the_music_graphs_of_the_paper_say_what_its_caption_says():
    data = load(EMOTIONS, EMOTIONS.with_suffix(".xml"))
    counts = pair_counts(data.Y)
    information, signs = information_of_counts(counts), phi_coefficients(counts)
    graphs = [fs(data.Y, random_state=0), lead(data.X, data.Y, random_state=0)]

    assert about_links(graphs, data.label_names, information, signs) == (
        "Of the pairs joined, quiet-still and sad-lonely co-occur most (0.140 nats), and relaxing-calm and "
        "angry-aggresive exclude each other most (0.190 nats)."
    )
    assert about_apart(graphs, data.label_names, information, signs) == (
        "What excludes either of quiet-still and sad-lonely most: happy-pleased and sad-lonely (0.104 nats). "
        "Hardly linked: amazed-suprised and happy-pleased (0.002 nats)."
    )
    assert about_label(label_profile(data, 4, information, signs)) == (
        "168 instances (28.3%), 1.57 times rarer than the most frequent label (IRLbl); it depends most on quiet-still "
        "(they co-occur, 0.140 nats)."
    )
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

    assert label_sentence(Y, 0, information) == (
        "3 instances (75.0%), and no label is more frequent; it depends most on b (0.200 nats)."
    )
    assert label_sentence(Y, 1, information, -information) == (
        "2 instances (50.0%), 1.5 times rarer than the most frequent label (IRLbl); it depends most on a (they exclude "
        "each other, 0.200 nats)."
    )
    assert label_sentence(Y, 2, information) == "c is never relevant."
    assert label_sentence([[1], [0]], 0, np.zeros((1, 1))) == (
        "1 instance (50.0%), and no label is more frequent; it depends on no other label."
    )
    almost = np.ones((300, 2), dtype=int)
    almost[0, 1] = 0
    assert label_sentence(almost, 1, symmetric(2, ab=1e-5)) == (
        "299 instances (99.7%), hardly rarer than the most frequent label (IRLbl); it depends most on a (less than "
        "0.001 nats)."
    )
    once = np.ones((3000, 2), dtype=int)
    once[1:, 1] = 0
    assert label_sentence(once, 1, symmetric(2)).startswith("1 instance (less than 0.1%), 3,000 times rarer than ")


def test_what_the_features_explain():
    marginal = symmetric(3, ab=0.5, bc=0.3, ac=0.1)

    assert about_conditional("abc", marginal, symmetric(3, ab=0.1, bc=0.25, ac=0.2)) == (
        "The features explain most away between a and b, from 0.500 to 0.100 nats; most is left between b and c, from "
        "0.300 to 0.250 nats."
    )
    assert about_conditional("abc", marginal, symmetric(3, ab=0.4)).endswith(
        "most is left between a and b, from 0.500 to 0.400 nats."
    )
    assert about_conditional("ab", symmetric(2, ab=0.5), symmetric(2, ab=0.4)) == (
        "The features explain most away between a and b, from 0.500 to 0.400 nats, and between them most is left, too."
    )
    assert about_conditional("abc", marginal, np.zeros((3, 3))) == (
        "The features explain most away between a and b, from 0.500 to 0 nats; nothing is left of any pair."
    )
    assert about_conditional("ab", symmetric(2, ab=0.5), np.zeros((2, 2))).endswith("; nothing is left of any pair.")
    assert about_conditional("abc", marginal, marginal) == (
        "The features explain no dependence away; most is left between a and b, from 0.500 to 0.500 nats."
    )
    assert about_conditional("ab", symmetric(2, ab=0.1), symmetric(2, ab=0.4)) == (
        "The features explain no dependence away; most is left between a and b, where it grows from "
        "0.100 to 0.400 nats."
    )
    assert about_conditional("ab", np.zeros((2, 2)), np.zeros((2, 2))) == (
        "No pair of labels depends on each other, with or without the features."
    )
    assert about_conditional("a", np.zeros((1, 1)), np.zeros((1, 1))).startswith("a is the only label")
