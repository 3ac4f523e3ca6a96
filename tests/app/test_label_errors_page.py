"""Label errors: the labels that look wrong, data without them, and links to these."""

import contextlib
import io
from urllib.parse import parse_qs

import pytest
from sentences import holds
from state import address, derived
from state.sources import Source

from trellislib import inspection
from trellislib.data import DataError
from trellislib.experiment.costs import Costs
from trellislib.inspection import suspicious_labels, without
from trellislib.summaries.label_errors import about_label_errors


def row(n):
    return f"{int((n % 10 > 4) ^ (n % 5 == 0))},{int((n % 10 > 4) ^ (n % 7 == 0))},{n % 10 / 9:.2f},0"


@pytest.fixture
def noisy(visitor, meka_arff):
    """A visitor with a small data set of two labels, every fifth of which is flipped."""
    rows = list(map(row, range(80)))
    return visitor.upload(("noisy.arff", meka_arff(dict.fromkeys("ab", "0,1"), rows)))


YEAST = Source.of("packaged", name="yeast")
TWICE = Source.of_errors(Source.of_errors(YEAST, "mask", 25), "remove", 3)


def test_the_page_shows_what_the_library_finds(noisy):
    data = noisy.go("label_errors").workspace().dataset
    found = suspicious_labels(data)
    assert noisy.title == "Which labels look wrong?"
    assert noisy.takeaway == about_label_errors(found, data)
    table = noisy.table("by_labels")
    assert table["name"].tolist() == (found["row"] + 1).tolist()
    assert table["label"].tolist() == found["label"].tolist()
    holds(noisy.text, f"row {table['name'][0]}", table["label"][0])


def test_rows_have_their_ids_also_once_some_were_left_out(visitor):
    lines = [f"T-{n + 100},{row(n)}" for n in range(80)]
    visitor.upload(("tickets.csv", "\n".join(["ticket,urgent,billing,x,z", *lines]).encode()))
    visitor.answer(label_choice="chosen by name", label_names=["urgent", "billing"]).click("accept").go("label_errors")
    before = visitor.table("by_labels")["name"].tolist()
    assert set(before) <= {f"T-{n + 100}" for n in range(80)}
    holds(visitor.text, f"row {before[0]}")
    visitor.set("n_errors", 10).click("remove errors")
    after = visitor.table("by_labels")["name"].tolist()
    assert after
    assert not {*after} & {*before[:10]}


@pytest.mark.parametrize("how", ["mask", "remove", "correct"])
def test_a_click_makes_data_without_them_that_its_python_makes_too(noisy, how):
    before = noisy.go("label_errors").set("n_errors", 10).workspace().dataset
    noisy.click(f"{how} errors")
    made = noisy.workspace().dataset
    assert made.digest == without(before, suspicious_labels(before).head(10), how).digest
    holds(noisy.text, f"{made.name} is loaded on all pages")
    (train,) = [link.proto for link in noisy.at.get("page_link") if "Train on it" in link.proto.label]
    assert parse_qs(train.query_string) == {"train_also": [before.name]}
    assert len(noisy.workspace().sets) == 3  # with what was loaded first
    assert "suspicious.head(10)" in noisy.flat_code
    assert how in noisy.flat_code
    noisy.go("data")
    holds(noisy.text, "noisy.arff, suspicious labels changed" if how == "correct" else "without suspicious labels")


def test_only_labels_of_more_probable_values_are_corrected(noisy, monkeypatch):
    data = noisy.workspace().dataset
    found = suspicious_labels(data).head(10)
    assert (found["margin"] < 0).all()
    monkeypatch.setattr(derived, "suspicious", lambda data: found.assign(margin=[-0.5] * 4 + [0.1] * 6))
    noisy.go("label_errors").set("n_errors", 10)
    assert [button.label for button in noisy.at.button if button.key == "correct errors"] == ["Correct 4 labels"]
    noisy.click("correct errors")
    assert noisy.workspace().dataset.digest == without(data, found.head(4), "correct").digest


def test_python_of_data_without_labels_makes_the_same(visitor):
    visitor.go("label_errors").set("n_errors", 25).click("mask errors")
    held = {}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(visitor.code, held)
    assert held["data_2"].digest == visitor.workspace().dataset.digest


def test_a_link_leads_to_the_data_without_labels(visit):
    source = Source.of_errors(YEAST, "mask", 25)
    linked = visit(data=address.written(source)).go("label_errors")
    assert linked.workspace().source == source
    assert linked.workspace().dataset.name == "yeast, 25 labels masked"


def test_addresses_are_read_as_they_were_written():
    assert address.read(address.written(TWICE)) == TWICE
    for text in ("without", "without~mask", "without~burn~3~yeast", "without~mask~-1~yeast", "without~mask~1~" * 9):
        with pytest.raises(ValueError, match="does not exist here"):
            address.read(text)
    with pytest.raises(ValueError, match=r"my\.arff, an uploaded file"):
        address.read("without~mask~3~file~my.arff")


def test_what_takes_long_is_asked_for(noisy, monkeypatch):
    monkeypatch.setattr(Costs, "label_errors", 100.0)
    noisy.go("label_errors")
    holds(noisy.takeaway, "noisy", "other rows")
    (button,) = [button for button in noisy.at.button if button.key == "errors"]
    holds(button.label, "2 min")
    noisy.click("errors")
    (job,) = noisy.workspace().pieces.values()
    noisy.wait(lambda: not job.is_active)
    holds(noisy.takeaway, "look wrong")


def test_labels_that_cannot_be_taken_out_are_said(noisy, monkeypatch):
    def fails(*given):
        raise DataError("no row is left")

    noisy.go("label_errors")
    monkeypatch.setattr(inspection, "without", fails)
    noisy.run().click("mask errors")
    assert noisy.errors == ["no row is left"]


def test_a_single_row_is_not_judged(visitor, meka_arff):
    visitor.upload(("one.arff", meka_arff({"a": "0,1"}, ["1,0.5,1"]))).go("label_errors")
    holds(visitor.notices, "two instances")
