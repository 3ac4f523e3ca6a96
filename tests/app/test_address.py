"""Links: what the address says of the data, so that another browser shows the same."""

import contextlib
import itertools
import json
import re
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from playwright.sync_api import expect
from sentences import has_line
from state import address, results_store
from state.choices import Choices
from state.linked import MOST_CHARACTERS, PARTS, Linked
from state.sources import BOUNDS, Source, first

from trellislib.data import DataError, Table

SOURCES = [
    Source.of("packaged", name="solar-flare"),
    Source.of("simulate_room", n_instances=200, width=3, n_sensors=5, n_measurements=1, random_state=7),
    Source.of("simulate_label_dag", n_instances=80, n_labels=5, alpha=0.25, sigma2=5.0, delta=-0.5, random_state=0),
    Source.of("obtain", key="flags"),
]


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.function)
def test_an_address_is_read_as_it_was_written(source):
    assert address.read(address.written(source)) == source


def test_what_is_loaded_first_needs_no_address():
    assert address.written(first()) is None


def test_an_upload_is_named():
    link_text = address.written(Source.of("load", source="my~own set.arff"))

    assert link_text == "file~my~own set.arff"
    with pytest.raises(ValueError, match=r"my~own set\.arff, .*uploaded file. Load .*Data"):
        address.read(link_text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no-such-set",
        "load~source~/etc/passwd",
        "obtain~key~no-such-set",
        "obtain~folder~/etc~key~flags",
        "packaged~name~nothing",
        "fetch~key~flags",
        "simulate_room~width",
        "yeast~width~3",
    ],
)
def test_an_address_of_nothing_known(text):
    with pytest.raises(ValueError, match="does not exist here"):
        address.read(text)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("simulate_room~width~1000", r"width = 1000, .*expected .*number .*2"),
        ("simulate_room~width~3.5", r"width = 3.5, but"),
        ("simulate_room~width~True", r"width = True, but"),
        ("simulate_room~width~__import__('os')", r"width = __import__\('os'\), but"),
        pytest.param("simulate_room~width~" + "-" * 100_000 + "1", "width = -", id="many signs"),
        pytest.param("simulate_room~width~" + "9" * 10_000, "width = 9", id="many digits"),
        ("simulate_label_dag~alpha~nan", r"alpha = nan, .*expected .*number .*-100.0 .*100.0"),
        ("simulate_label_dag~folder~3", r"folder = 3\."),
    ],
)
def test_an_address_of_a_simulation_that_no_form_would_give(text, named):
    with pytest.raises(ValueError, match=named):
        address.read(text)


def test_a_link_shows_the_same_data_to_a_stranger(visitor, visit):
    visitor.choose_packaged("solar-flare")
    link_text = visitor.at.query_params["data"]

    stranger = visit(data=link_text)

    assert stranger.loaded == visitor.loaded
    assert stranger.workspace() is not visitor.workspace()
    assert stranger.at.query_params["data"] == link_text


def test_a_link_to_simulated_data_makes_them_again(visitor, visit):
    visitor.go("data")
    visitor.set("way", "Light-sensor room")
    next(button for button in visitor.at.button if button.label == "Simulate the room").click()
    visitor.run()

    stranger = visit(data=visitor.at.query_params["data"])

    assert stranger.workspace().dataset.digest == visitor.workspace().dataset.digest


def test_a_link_to_an_upload_names_which_file_to_load(small, visit):
    link_text = small.at.query_params["data"]

    stranger = visit(data=link_text)
    has_line(stranger.notices, "small.arff", "uploaded file", "Load", "Data")
    assert stranger.loaded.startswith("yeast")
    stranger.go("trellis")
    assert "small.arff" in stranger.notices  # until data are loaded
    assert stranger.at.query_params["data"] == link_text

    stranger.choose_packaged("movies")
    assert stranger.notices == ""
    assert stranger.at.query_params["data"] == "movies"


def test_a_link_to_an_upload_is_opened_again_when_the_file_is_loaded(visit, meka_arff):
    stranger = visit(**{"data": "file~small.arff", "first-label": "b"}).go("dependence").go("data")
    rows = [f"{n % 2},{n // 2 % 2},{n % 3 % 2},0.{n},1" for n in range(24)]
    assert stranger.widget("way").value == "Your files"
    stranger.upload(("small.arff", meka_arff(dict.fromkeys("abc", "0,1"), rows)))

    assert stranger.loaded.startswith("small")
    (button,) = stranger.at.get("link_button")
    link_text = parse_qs(urlsplit(button.proto.url).query)
    assert link_text == {"data": ["file~small.arff"], "first-label": ["b"], "workspace": [stranger.workspace().token]}
    again = visit(**{name: value for name, (value,) in link_text.items()})
    assert again.loaded == stranger.loaded
    assert again.go("dependence").widget("first-label").value == 1


def test_a_workspace_that_went_on_is_left_alone(visitor, visit):
    """A link shows what it was a link to, though its sender has loaded other data since."""
    visitor.choose_packaged("solar-flare")
    token = visitor.at.query_params["workspace"]

    again = visit(token, data="movies")

    assert again.loaded.startswith("movies")
    assert visitor.run().loaded.startswith("solar-flare")
    assert again.workspace() is not visitor.workspace()


def test_a_reload_finds_its_workspace(visitor, visit):
    visitor.choose_packaged("solar-flare")

    again = visit(visitor.at.query_params["workspace"], data=visitor.at.query_params["data"])

    assert again.workspace() is visitor.workspace()


def test_who_opens_an_open_link_gets_a_copy(visitor, visit, monkeypatch):
    visitor.choose_packaged("solar-flare")
    visitor.workspace().holder = "a session that a browser shows"
    monkeypatch.setattr("state.registry.is_open", bool)

    other = visit(visitor.at.query_params["workspace"], data="solar-flare")
    assert other.loaded == visitor.loaded
    assert other.workspace() is not visitor.workspace()
    assert other.workspace().token != visitor.workspace().token

    other.choose_packaged("movies")
    assert visitor.run().loaded.startswith("solar-flare")


def test_the_foot_has_the_link_without_the_workspace(visitor):
    visitor.choose_packaged("solar-flare")
    (link,) = [box.value for box in visitor.at.code if box.language != "python"]

    assert "data=solar-flare" in link
    assert "workspace" not in link


def test_an_address_cannot_ask_for_endless_work(visit):
    huge = "simulate_room~n_instances~50000~width~100~n_sensors~200~n_measurements~100"
    visitor = visit(data=huge)

    has_line(visitor.notices, "This", "simulate 1,000,000,000 measurements", "most 25,000,000", "possible")
    assert visitor.loaded.startswith("yeast")


# Choices in a link

CSV = b"x,z,sunny,warm\n0.5,1.5,1,0\n0.1,2.5,0,0\n0.9,0.5,1,1\n0.3,1.0,0,1\n"
WORDS = b"x,z,sky,roof,warm\n1,5,azure,azure,1\n2,5,grey,grey,0\n3,5,azure,grey,1\n4,5,grey,grey,0\n"
LONG = b"id,x,label\n" + b"a,5,sea\na,5,sky\nb,6,sea\nc,7,sky\nc,7,sea\nd,8,sand\nd,8,sea\n"
TAGS = b"x,tags\n0.5,sea|sky\n0.1,sky\n0.2,\n0.7,boat|sea|sky\n0.8,boat|sky\n"
VALUES = b"x,z,sunny,warm\n0,1,1,0\n1,2,0,0\n0,0,1,1\n1,1,0,1\n"
GAPS = b"x,a,b\n" + b"1,1,0\n2,,1\n3,0,\n4,,\n5,0,1\n6,1,1\n"
SKY = Table(
    "sky.csv",
    ("x", "z", "sunny", "roof", "warm"),
    (None, None, None, ("azure", "grey"), None),
    np.array([[0, 1, 1, 0, 0], [1, 2, 0, 1, 0], [0, 3, 1, 1, 1]]),
)


def link_of(visitor):
    """Return the address of the data as the foot of the page has it."""
    (link,) = [box.value for box in visitor.at.code if box.language != "python"]
    return parse_qs(urlsplit(link).query)["data"][0]


@pytest.mark.parametrize(
    ("content", "answers", "link_text", "noticed"),
    [
        (CSV, {"label_count": 1}, '{"labels":-1}', "made with 1 label: the last columns"),
        (
            VALUES,
            {"label_choice": "the first columns", "first_count": 3},
            '{"labels":3}',
            "made with 3 labels: the first columns",
        ),
        (
            CSV,
            {"label_choice": "chosen by name", "label_names": ["sunny", "warm"]},
            '{"labels":-2}',
            "made with 2 labels",
        ),
        (
            CSV,
            {"label_choice": "chosen by name", "label_names": ["warm", "sunny"]},
            '{"labels":["warm","sunny"]}',
            "made with 2 labels: warm and sunny",
        ),
        (LONG, {}, '{"long":["id","label"]}', "made with the labels that column label names for each id"),
        (CSV, {"read_as_categories": ["x"]}, '{"labels":-2,"kinds":{"x":"categories"}}', "made with 2 labels"),
        (TAGS, {"separator": ";"}, '{"split":["tags",";"]}', "made with the labels that column tags lists"),
        (GAPS, {"label_count": 2, "missing_labels": "masked"}, '{"labels":-2,"missing_labels":"masked"}', "2 labels"),
        (
            CSV,
            {"label_count": 1, "leave_out": ["z"], "drop_constant": True},
            '{"labels":-1,"leave_out":["z"],"drop_constant":true}',
            "1 label",
        ),
    ],
)
def test_the_choices_go_with_the_link(visitor, visit, content, answers, link_text, noticed):
    visitor.upload(("sky.csv", content)).answer(**answers).click("accept")
    assert link_of(visitor) == f"file~sky.csv~{link_text}"

    stranger = visit(data=link_of(visitor)).go("trellis")
    assert noticed in stranger.notices
    stranger.upload(("sky.csv", content))
    assert noticed in stranger.notices, "until it is used"
    stranger.click("accept")

    assert stranger.workspace().dataset.digest == visitor.workspace().dataset.digest
    assert stranger.notices == ""
    assert [button.label for button in stranger.at.get("link_button")] == ["Open what the link showed"]
    assert link_of(stranger) == link_of(visitor)


def test_the_value_that_is_relevant_goes_with_the_link_by_its_place(visitor, visit):
    """What cells hold is nobody's business."""
    visitor.upload(("sky.csv", WORDS)).answer(label_choice="the last columns", label_count=3)
    visitor.question("relevant ('azure', 'grey')").set_value("azure")
    visitor.run().click("accept")
    assert link_of(visitor) == 'file~sky.csv~{"labels":-3,"relevant":[0]}'

    stranger = visit(data=link_of(visitor)).upload(("sky.csv", WORDS)).click("accept")
    assert stranger.workspace().dataset.label_values == (("grey", "azure"), ("grey", "azure"), ("0", "1"))
    assert stranger.workspace().dataset.digest == visitor.workspace().dataset.digest


def test_a_file_that_leaves_no_question_is_asked_about_where_the_link_has_choices(visit, meka_arff):
    content = meka_arff({"a": "0,1", "b": "0,1"}, ["1,0,0.5,1", "0,0,0.1,0", "0,1,0.2,1"])
    stranger = visit(data='file~small.arff~{"labels":1}').upload(("small.arff", content))
    assert stranger.loaded.startswith("yeast")
    assert stranger.question("label choice").value == "the first columns"

    assert stranger.click("accept").workspace().dataset.label_names == ("a",)


def test_the_form_begins_with_the_choices_of_the_link_only_for_its_file(visit):
    stranger = visit(data='file~sky.csv~{"labels":-1}').upload(("rain.csv", CSV))
    assert stranger.question("label count").value == 2, "as proposed"

    stranger.choose_packaged("movies").upload(("sky.csv", CSV))
    pending = {upload.title: upload.number for upload in stranger.workspace().dropped.pending}
    stranger.set("pending", pending["sky.csv"])
    assert stranger.widget(f"label count {pending['sky.csv']}").value == 1, "also after a look at other data"


@pytest.mark.parametrize(
    ("link_text", "named"),
    [
        ('{"labels":["wrm"]}', "wrm"),
        ('{"labels":-9}', "9"),
        ('{"leave_out":["y"],"labels":-1}', "y"),
        ('{"labels":-1,"relevant":[0]}', "relevant values of other labels"),
        ('{"split":["tags","|"]}', "tags"),
        ('{"drop_constant":true}', "label"),
    ],
)
def test_choices_of_another_file_of_the_same_name_are_left_aside_with_a_note(visit, link_text, named):
    stranger = visit(data=f"file~sky.csv~{link_text}").upload(("sky.csv", CSV))

    (error,) = stranger.errors
    assert error.startswith("sky.csv: ")
    assert named in error
    has_line(error, "The link", "made", "another sky.csv", "choices", "ignored")
    assert stranger.question("label count").value == 2
    assert "sky.csv" in stranger.notices
    assert stranger.click("accept").workspace().dataset.label_names == ("sunny", "warm")


@pytest.mark.parametrize(
    "link_text",
    [
        "{}garbage}",
        '{"labels":true}',
        '{"labels":0}',
        '{"labels":-7.0}',
        '{"labels":1e400}',
        '{"labels":NaN}',
        '{"labels":[]}',
        '{"labels":"/etc/passwd"}',
        '{"labels":[["a"]]}',
        '{"labels":["\\ud800"]}',
        '{"labels":-1,"split":["a","|"]}',
        '{"long":["a","b"],"split":["a","|"]}',
        '{"split":["a"]}',
        '{"kinds":{"x":"colours"}}',
        '{"relevant":{"a":"b"}}',
        '{"relevant":[true]}',
        '{"relevant":[2]}',
        '{"missing_labels":"none"}',
        '{"text":1}',
        '{"drop_constant":1}',
        '{"n_labels":9,"labels":2}',
        '{"folder":"/"}',
        '{"a":' * 200 + "1" + "}" * 200,
        '{"labels":' + "[" * 1400 + "}",
        '{"labels":-' + "9" * 1400 + "}",
        '{"labels":["' + "a" * MOST_CHARACTERS + '"]}',
    ],
)
def test_choices_that_no_link_would_hold_are_left_aside(link_text):
    with pytest.raises(ValueError, match=r"sky\.csv, .*uploaded file. .*; .*link cannot .*read"):
        address.read(f"file~sky.csv~{link_text}")
    assert address.linked(f"file~sky.csv~{link_text}") == ("sky.csv", Linked({}))


def test_the_page_notes_that_choices_were_left_aside_and_proposes(visit):
    stranger = visit(data='file~sky.csv~{"labels":"/etc/passwd"}')
    has_line(stranger.notices, "choice of labels", "link cannot", "read")

    assert stranger.upload(("sky.csv", CSV)).question("label count").value == 2


def test_of_names_too_long_for_a_link_there_is_their_number(visitor, visit):
    names = [f"label {n} <b>" for n in range(0, 400, 2)]
    table = Table("sky.csv", tuple(f"label {n} <b>" for n in range(400)), (None,) * 400, np.eye(400))
    linked = Linked.of(Choices(tuple(names), leave_out=("label 1 <b>",)), table)
    assert linked.text == '{"n_labels":200}'

    with pytest.raises(DataError, match=r"sky\.csv: .*link .*not name .*200 labels"):
        linked.choices(table)
    stranger = visit(data=f"file~sky.csv~{linked.text}")
    has_line(stranger.notices, "made", "200 labels", "names", "long", "link")
    stranger.upload(("sky.csv", CSV))
    assert not stranger.errors
    assert "200 labels" in stranger.notices


@pytest.mark.parametrize(
    ("choices", "names"),
    [
        (Choices(-2), False),
        (Choices(("roof", "warm")), False),
        (Choices(("x", "z")), False),
        (Choices(("roof", "warm"), relevant={"roof": "azure"}), False),
        (Choices(("sunny", "roof")), True),
        (Choices(-1, leave_out=("x",)), True),
        (Choices(split=("roof", "|")), True),
    ],
)
def test_a_link_has_names_only_where_a_number_does_not_do(choices, names):
    linked = Linked.of(choices, SKY)

    assert linked.has_names == names
    assert names or not any(name in linked.text for name in ("sunny", "roof", "warm"))
    assert "azure" not in linked.text
    assert linked.choices(SKY).made(SKY).digest == choices.made(SKY).digest


def test_of_what_is_by_default_a_link_holds_nothing():
    assert Linked.of(Choices(), SKY).text == ""
    assert Linked.read("").parts == {}


def test_the_foot_shows_what_goes_with_the_link(visitor):
    visitor.upload(("sky.csv", CSV)).click("accept")
    asked = ". Whoever opens it is asked for the file sky.csv."
    has_line(visitor.captions, "link holds", "knobs", "choices", "labels", f"features{asked}")

    visitor.upload(("sky.csv", CSV[:-1])).answer(label_choice="chosen by name", label_names=["sunny"]).click("accept")
    has_line(visitor.captions, "choices", "labels", "features", "names", f"columns{asked}")


def test_every_choice_goes_with_a_link():
    assert list(PARTS) == list(Choices.__dataclass_fields__)


NAMES = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)


@given(st.lists(NAMES, min_size=1, max_size=4), NAMES, NAMES)
def test_any_names_come_back(labels, file, column):
    """Also those that look like parts of an address."""
    for parts in ({"labels": labels, "leave_out": [column]}, {"split": [column, file]}, {"labels": 3}, {}):
        linked = Linked(parts)
        link_text = address.written(Source("load", (("source", file),), linked=linked.text))
        assert address.linked(link_text) == (file, linked)


def test_a_name_that_looks_like_choices():
    link_text = address.written(Source.of("load", source='a~{"labels":3}'))

    assert address.linked(link_text) == ('a~{"labels":3}', Linked({}))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from([*PARTS, "n_labels", "a"]), inner),
    max_leaves=8,
)
STARTS = st.sampled_from(
    ["file~sky.csv~", "chosen~sky~", "folder~sky~", "packaged~name~", "", *(f"{f}~" for f in BOUNDS)]
)


@given(STARTS, st.text() | JSON.map(json.dumps))
def test_whatever_an_address_holds_there_is_a_source_or_a_sentence(start, text):
    """Any other error fails the test."""
    with contextlib.suppress(ValueError):
        assert isinstance(address.read(start + text), Source)
    assert all(map(PARTS.__contains__, set(address.linked(start + text)[1].parts) - {"n_labels"}))


# The folder of data sets


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "rain.csv").write_bytes(WORDS)
    monkeypatch.setenv("TRELLIS_DATA", str(tmp_path))
    return tmp_path


def test_a_link_to_a_set_of_the_folder_makes_it_by_its_choices(visitor, visit, folder, monkeypatch):
    visitor.choose_source("Folder").set("folder set", "rain").click("load folder")
    visitor.answer(label_choice="the last columns", label_count=3)
    visitor.question("relevant ('azure', 'grey')").set_value("grey")
    visitor.run().click("accept")
    assert link_of(visitor) == 'chosen~rain~{"labels":-3,"relevant":[1]}'
    has_line(visitor.captions, "link holds", "knobs", "choices", "labels", "features")

    stranger = visit(data=link_of(visitor))
    assert stranger.loaded == visitor.loaded
    assert stranger.notices == ""
    assert stranger.workspace().dataset.digest == visitor.workspace().dataset.digest
    assert link_of(stranger) == link_of(visitor)
    assert stranger.go("data").code == visitor.code
    monkeypatch.chdir(folder)
    found = {}
    exec(stranger.code, found)
    assert found["data"].digest == visitor.workspace().dataset.digest


def test_links_with_other_choices_are_other_sets(visit, folder):
    one, other = (visit(data=f'chosen~rain~{{"labels":-1,"leave_out":["{name}"]}}').workspace() for name in "xz")

    assert one.dataset.feature_names != other.dataset.feature_names
    (folder / "rain.csv").write_bytes(WORDS + b"5,5,grey,grey,1\n")
    assert visit(data='chosen~rain~{"labels":-1,"leave_out":["x"]}').workspace().dataset.n_instances == 5


@pytest.mark.parametrize(
    ("link_text", "why"),
    [
        ("", "choose the same."),
        ("~{}", "choose the same."),
        ('~{"labels":["wet"]}', "made with 1 label: wet. rain.csv: there is no column 'wet'"),
        ('~{"n_labels":200}', "made with 200 labels, whose names are too long for a link"),
        ('~{"labels":"rain.csv"}', "the choice of labels in the link cannot be read"),
    ],
)
def test_a_set_of_the_folder_that_a_link_does_not_make_is_asked_about(visit, folder, link_text, why):
    stranger = visit(data=f"chosen~rain{link_text}")

    assert stranger.loaded.startswith("yeast")
    has_line(stranger.notices, "This link", "rain", "choices of labels", "Load", "Data", "choose", "same")
    assert why in stranger.notices
    stranger.choose_source("Folder").set("folder set", "rain").click("load folder")
    has_line(stranger.text, "rain.csv", "not say", "5 columns", "labels")


# In a browser


def token_of(page) -> str:
    return parse_qs(urlsplit(page.url).query)["workspace"][0]


def test_a_link_in_two_browsers_and_a_reload(screen, browser, new_window):
    """A reload leads back to the workspace; whoever opens the link beside it gets a copy with the same data."""
    page = screen.open("?data=solar-flare")
    loaded = page.get_by_test_id("stSidebar").get_by_text("solar-flare")
    expect(loaded).to_be_visible()
    screen.follow("Trellis")
    page.get_by_role("slider", name="Width").press("ArrowRight")  # from here on the server keeps it
    screen.rest()
    expect(page).to_have_url(re.compile("workspace="))
    token = token_of(page)

    page.reload()
    screen.rest()
    assert token_of(page) == token

    beside = new_window(browser)
    beside.goto(page.url)
    expect(beside.get_by_test_id("stSidebar").get_by_text("solar-flare")).to_be_visible(timeout=60_000)
    expect(beside.get_by_role("slider", name="Width")).to_have_value(
        page.get_by_role("slider", name="Width").input_value(), timeout=60_000
    )
    expect(beside).to_have_url(re.compile("workspace=(?!" + re.escape(token) + ")"))
    beside.context.close()
    assert screen.console == []


@pytest.mark.parametrize("view", ["train", "lesson_6", "trellis", "room", "graphs"])
def test_values_that_are_infinite_or_no_number_fall_back_to_the_default(visit, view):
    """All at once: a page takes those that it knows."""
    knobs = ("folds", "train_seed", "verdict_draw", "width", "seed", "noise", "sensors", "edges", "share", "frequency")
    wrong = dict(zip(knobs, itertools.cycle(["inf", "-Infinity", "nan", "1e999", "-inf"]), strict=False))
    visitor = visit(**wrong).go(view)
    assert not visitor.at.exception
    assert visitor.title


@pytest.mark.parametrize("zone", ["Etc/Unknown", "US/Pacific-New", "GMT+0300", "../../etc/passwd", "America", ""])
def test_a_time_zone_that_is_unknown_is_taken_for_utc(zone):
    assert results_store.moment("2026-11-30T22:11:20+00:00", zone) == "30 Nov 2026, 22:11 UTC"
