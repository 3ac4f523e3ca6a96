"""Links: what the address says of the data, so that another browser shows the same."""

import re
from urllib.parse import parse_qs, urlsplit

import address
import pytest
import session
from playwright.sync_api import expect
from sources import FIRST, Source

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
    assert address.written(FIRST) is None


def test_an_upload_is_named():
    said = address.written(Source.of("load", source="my~own set.arff", labels=-3))

    assert said == "file~my~own set.arff"
    with pytest.raises(ValueError, match=r"to my~own set\.arff, an uploaded file: load it on Data"):
        address.read(said)


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
    with pytest.raises(ValueError, match="is not known here"):
        address.read(text)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("simulate_room~width~1000", r"width = 1000, but expected a number from 2 to"),
        ("simulate_room~width~3.5", r"width = 3.5, but"),
        ("simulate_room~width~True", r"width = True, but"),
        ("simulate_room~width~__import__('os')", r"width = __import__\('os'\), but"),
        pytest.param("simulate_room~width~" + "-" * 100_000 + "1", "width = -", id="many signs"),
        pytest.param("simulate_room~width~" + "9" * 10_000, "width = 9", id="many digits"),
        ("simulate_label_dag~alpha~nan", r"alpha = nan, but expected a number from -100.0 to 100.0"),
        ("simulate_label_dag~folder~3", r"folder = 3\."),
    ],
)
def test_an_address_of_a_simulation_that_no_form_would_give(text, named):
    with pytest.raises(ValueError, match=named):
        address.read(text)


def test_a_link_shows_the_same_data_to_a_stranger(visitor, visit):
    visitor.choose_packaged("solar-flare")
    said = visitor.at.query_params["data"]

    stranger = visit(data=said)

    assert stranger.loaded == visitor.loaded
    assert stranger.workspace() is not visitor.workspace()
    assert stranger.at.query_params["data"] == said


def test_a_link_to_simulated_data_makes_them_anew(visitor, visit):
    visitor.go("data")
    visitor.set("way", "Light-sensor room")
    next(button for button in visitor.at.button if button.label == "Simulate the room").click()
    visitor.run()

    stranger = visit(data=visitor.at.query_params["data"])

    assert stranger.workspace().dataset.digest == visitor.workspace().dataset.digest


def test_a_link_to_an_upload_says_which_file_to_load(small, visit):
    said = small.at.query_params["data"]

    stranger = visit(data=said)
    assert "small.arff, an uploaded file: load it on Data" in stranger.notices
    assert stranger.loaded.startswith("yeast")
    stranger.go("trellis")
    assert "small.arff" in stranger.notices  # until data are loaded
    assert stranger.at.query_params["data"] == said

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
    said = parse_qs(urlsplit(button.proto.url).query)
    assert said == {"data": ["file~small.arff"], "first-label": ["b"], "workspace": [stranger.workspace().token]}
    again = visit(**{name: value for name, (value,) in said.items()})
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
    monkeypatch.setattr(session, "_is_open", bool)

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

    assert "This would simulate 1,000,000,000 measurements, but at most 25,000,000 are made here" in visitor.notices
    assert visitor.loaded.startswith("yeast")


# In a browser


def token_of(page) -> str:
    return parse_qs(urlsplit(page.url).query)["workspace"][0]


@pytest.mark.slow
@pytest.mark.browser
def test_a_link_in_two_browsers_and_a_reload(screen, browser):
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

    beside = browser.new_context().new_page()
    beside.goto(page.url)
    expect(beside.get_by_test_id("stSidebar").get_by_text("solar-flare")).to_be_visible(timeout=60_000)
    expect(beside.get_by_role("slider", name="Width")).to_have_value(
        page.get_by_role("slider", name="Width").input_value()
    )
    expect(beside).to_have_url(re.compile("workspace=(?!" + re.escape(token) + ")"))
    beside.context.close()
    assert screen.console == []
