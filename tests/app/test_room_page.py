"""The Room page: a board to play on, and the estimate of each method from the same reading."""

import base64
import json
import re
from types import SimpleNamespace

import numpy as np
import pytest
from playwright.sync_api import expect
from sentences import has_line, holds
from views.room import tables
from views.room.board import Action, read_action
from views.room.estimates import ORDER, TRUTH, scores
from views.room.setting import Asked, Knobs, in_words, is_foreseen, read, scenes_of, written
from views.room.state import (
    NOBODY,
    Body,
    StateError,
    bodies_of,
    person_at,
    read_layout,
    read_people,
    tiles_of,
    toggled,
    with_moved,
    with_sensor,
    without_sensor,
    written_layout,
    written_people,
)

from trellislib.data.room import Room
from trellislib.data.room_files import written_room
from trellislib.data.room_scenes import paper_scenes
from trellislib.labels.matrices import dense
from trellislib.room.decisions import BestDecisions

ROOM = Room.default(10, 3)


# People as a text


def test_people_are_blocks_around_the_touched_tile_inside_the_room():
    assert person_at(3, 4, 10) == Body(3, 4, 1, 1)
    assert person_at(0, 19, 20) == Body(0, 18, 2, 2)
    assert person_at(50, 99, 100) == Body(45, 90, 10, 10)


def test_a_touched_tile_gets_a_person_or_loses_the_one_on_it():
    one = toggled((), 5, 5, 20)
    assert one == (Body(4, 4, 2, 2),)
    assert toggled(one, 4, 5, 20) == ()
    assert toggled(one, 6, 5, 20) == (*one, Body(5, 4, 2, 2))


def test_bodies_are_written_and_read_back():
    bodies = (Body(2, 3, 2, 2), Body(0, 18, 2, 2), Body(4, 5, 2, 12))
    assert written_people(bodies, 20) == "3-4,1-19,5-6-2x12"
    assert read_people("3-4,1-19,5-6-2x12", 20) == bodies
    assert written_people((), 20) == NOBODY
    assert read_people(NOBODY, 20) == ()


@pytest.mark.parametrize("text", ["3", "0-1", "20-20", "1-1-0x3", "x-y", "<b>", "1-1,,2-2", ",".join(["1-1"] * 21)])
def test_a_text_that_names_no_people_is_refused(text):
    with pytest.raises(StateError, match=r"^Got .*, but expected .*\.$"):
        read_people(text, 20)


@pytest.mark.parametrize("width", [10, 20])
def test_any_scene_is_bodies_that_are_the_same_tiles(width):
    for tiles in scenes_of(width, "people").drawn(50, 0).toarray():
        bodies = bodies_of(tiles, width)
        np.testing.assert_array_equal(tiles_of(bodies, width), tiles)
        assert read_people(written_people(bodies, width), width) == bodies


def test_a_scene_of_the_paper_is_a_rectangle_and_a_square():
    (tiles,) = paper_scenes(Room.default(100)).drawn(1, 0).toarray()
    assert sorted((body.height, body.width) for body in bodies_of(tiles, 100)) == [(2, 2), (2, 12)]


# The layout as a text


def test_a_layout_is_written_and_read_back():
    moved = with_moved(with_moved(ROOM, "sensor", 1, 4.25, 9), "light", 0, 1, 0)
    assert written_layout(moved) == "1,0 7.5,0 10,5 4.25,9 0,5"
    again = read_layout(written_layout(moved), ROOM)
    np.testing.assert_array_equal(again.sensors, moved.sensors)
    np.testing.assert_array_equal(again.light, moved.light)
    assert ROOM.sensors[1].tolist() == [5, 10]  # which was not changed


@pytest.mark.parametrize("text", ["1,1 2,2", "1,1 2,2 3", "1,1 2,2 11,3", "1,1 2,2 -1,3", "a,b c,d e,f", "1,1 " * 203])
def test_a_text_that_is_no_layout_is_refused(text):
    with pytest.raises(StateError, match=r"^Got .*, but expected .*\.$"):
        read_layout(text, ROOM)


def test_sensors_come_and_go():
    assert with_sensor(ROOM, 9.9, 3.0).sensors[-1].tolist() == [10, 3]
    assert with_sensor(ROOM, 4.0, 9.8).sensors[-1].tolist() == [4, 10]
    x, y = with_sensor(ROOM, None, None).sensors[-1].tolist()
    # The corners at the top are sqrt(50) away from their nearest two sensors, and those below 5 from one.
    assert min(np.hypot(*(ROOM.sensors - [x, y]).T)) >= 4.75
    assert without_sensor(ROOM, 0).sensors.tolist() == [[5, 10], [0, 5]]


# Actions that a browser sends


@pytest.mark.parametrize(
    ("sent", "action"),
    [
        (["tile", 9, 0], Action("tile", row=9, column=0)),
        (["sensor", 2, 3.5, 10], Action("sensor", 2, 3.5, 10.0)),
        (["light", 1, 0, 0], Action("light", 1, 0.0, 0.0)),
        (["add", None, None], Action("add")),
        (["add", 1, 2.5], Action("add", x=1, y=2.5)),
        (["remove", 0], Action("remove", 0)),
    ],
)
def test_an_action_is_read(sent, action):
    assert read_action(sent, ROOM) == action


@pytest.mark.parametrize(
    "sent",
    [
        None,
        [],
        "tile",
        ["tile"],
        ["tile", 10, 0],
        ["tile", -1, 0],
        ["tile", 1.0, 0],
        ["tile", True, 0],
        ["sensor", 3, 1, 1],
        ["sensor", 0, 11, 1],
        ["sensor", 0, float("nan"), 1],
        ["sensor", 0, "1", 1],
        ["light", 2, 1, 1],
        ["add", None, 1],
        ["remove", 3],
        ["remove"],
        [["tile"], 1, 1],
        {"what": "tile"},
    ],
)
def test_what_is_no_action_is_ignored(sent):
    assert read_action(sent, ROOM) is None


def test_the_last_sensor_cannot_be_removed():
    assert read_action(["remove", 0], Room.default(10, 1)) is None


def test_other_pages_simulate_the_room_of_the_paper_and_load_a_file_of_others():
    knobs = Knobs(width=20, scenes="paper", n_training=500, seed=3)
    assert knobs.differs == ""
    assert dict(knobs.source.arguments) == {
        "n_instances": 500,
        "width": 20,
        "n_sensors": 30,
        "n_measurements": 1,
        "random_state": 3,
    }
    other = Knobs(width=20, layout="0,0 1,0 5,5", noise=0.0)
    holds(other.differs, "layout, scenes and noise", "differ", "the paper's")
    assert dict(other.source.arguments) == {"source": "Room-20-x-20-data.arff"}
    holds(Knobs(scenes="paper", layout="0,0 1,0 5,5").differs, "layout differs", "the paper's")
    assert "scenes" not in Knobs(scenes="paper", layout="0,0 1,0 5,5").differs


@pytest.mark.parametrize(
    ("scenes", "people", "is_so"),
    [
        ("people", "3-4", True),
        ("people", "1-1,2-2,9-9", True),
        ("people", "1-1,1-3,1-5,1-7", False),
        ("people", "3-4-2x5", False),
        ("people", NOBODY, False),
        ("paper", "3-4", False),
        ("paper", "1-1,19-19", True),
    ],
)
def test_whether_people_are_one_of_the_scenes_to_learn_from(scenes, people, is_so):
    asked = Asked(Knobs(width=20, scenes=scenes), read_people(people, 20), 0)
    assert is_foreseen(asked) is is_so


def test_people_in_the_shadow_are_counted():
    # The only sensor looks up the left edge's lower half; W = 10.
    knobs = Knobs(width=10, layout="2.5,0 7.5,0 5,10")
    asked = Asked(knobs, read_people("1-5,10-1,1-1,1-1-1x5", 10), 0)
    assert (asked.n_hidden, asked.n_partial) == (2, 1)


# The page


@pytest.fixture
def small_room(visit):
    """A room of 10 x 10 with one person in its middle."""
    return visit(room_w="10", room_people="5-5", room_n="500").go("room")


def estimates_of(page):
    """Return whose pictures the page shows."""
    (chart,) = page.figures
    return [one["name"] for one in chart["data"] if one["type"] == "heatmap" and one["name"] != "decided"]


def test_the_first_view_is_full(visitor, same_figures):
    page = visitor.go("room")
    assert page.title == "Where are the people?"
    holds(page.takeaway, "2 people", "MAP, IC, CT, CDT and the optimum find 1", "best accuracy, 0.500")
    table = page.table("People found ↑")
    assert table.loc[["MAP", "Nobody"], "People found ↑"].tolist() == [1, 0]
    holds(page.takeaway, "nobody", f"{table.at['Nobody', 'Hamming ↑']:.3f}")
    wrong = table[["Empty tiles marked ↓", "Occupied tiles missed ↓"]].sum(axis=1)
    others = table.index != "Optimum"  # which decides for the Hamming score on its own
    np.testing.assert_allclose(table["Hamming ↑"][others], 1 - wrong[others] / 100)
    has_line(said(page), "MAP", "Algorithm 3", "paper")
    assert estimates_of(page) == [TRUTH, *ORDER]
    assert page.table("expected")["sensor"].tolist() == list(range(1, 31))
    same_figures(page)


def said(page):
    """Return the texts under the figure."""
    return [one.value.replace("\\", "") for one in page.at.markdown]


def test_expected_probabilities_are_those_of_the_sensor_model(small_room):
    table = small_room.table("expected")
    room = Room.default(10)
    tiles = tiles_of([Body(4, 4, 1, 1)], 10)
    np.testing.assert_array_equal(table["occupied"], room.zones() @ tiles)
    assert set(table["expected"]) == {0.01, 0.85}


def test_resample_draws_another_reading_and_the_same_one_again_by_its_number(small_room):
    before = small_room.table("expected")["reading"].tolist()
    other = next(
        reading
        for reading in (small_room.click("resample").table("expected")["reading"].tolist() for _ in range(20))
        if reading != before
    )
    assert other != before
    assert small_room.set("room_reading", 0).table("expected")["reading"].tolist() == before


def test_a_room_without_people_and_errors_detects_nothing(visit):
    page = visit(room_w="10", room_people=NOBODY, room_fp="0.0", room_n="500").go("room")
    assert page.table("expected")[["reading", "expected", "occupied"]].to_numpy().max() == 0
    has_line(said(page), "learn", "other scenes")
    assert "Nobody is in the room" in page.takeaway


@pytest.mark.parametrize(
    ("name", "value", "parts"),
    [
        ("room_people", "99-99", ("'99-99'", "10 x 10")),
        ("room_layout", "1,1 <b>", ("'<b>'", "from 0 to 10")),
    ],
)
def test_errors_in_an_address_are_reported(visit, name, value, parts):
    page = visit(room_w="10", room_n="500", **{name: value}).go("room")
    assert estimates_of(page) == [TRUTH, *ORDER]
    (warning,) = page.warnings
    assert all(part in warning for part in parts)


def test_the_layout_is_saved_and_shown_again(small_room, downloads):
    moved = with_moved(Room.default(10, 5, 0.2, 0.05), "sensor", 0, 3, 9)
    small_room.set("room json", written_room(moved)).click("show room")
    assert len(small_room.table("expected")) == 5
    saved = json.loads(downloads["save room"]())
    assert saved["sensors"][0] == [3, 9]
    assert (saved["false_negative"], saved["false_positive"]) == (0.2, 0.05)
    assert small_room.click("default layout").table("expected").shape[0] == 30


@pytest.mark.parametrize("text", ["", "{", "[]", '{"width": 10}', "nonsense"])
def test_a_text_that_is_no_room_is_refused(small_room, text):
    small_room.set("room json", text).click("show room")
    (error,) = small_room.errors
    assert error.startswith(("Got", "The", "room"))
    assert estimates_of(small_room) == [TRUTH, *ORDER]


def test_a_large_room_is_trained_when_asked_and_shows_what_needs_no_training(visit):
    page = visit(room_w="100", room_n="50000", room_scenes="as in the paper").go("room")
    assert estimates_of(page) == [TRUTH, "Optimum", "MAP"]
    (button,) = [button for button in page.at.button if button.key == "train room"]
    assert re.fullmatch(r"Train IC, CT and CDT on 50,000 scenes, about .+", button.label)


def test_the_papers_room_can_be_used_on_all_pages(visit):
    page = visit(room_w="10", room_scenes="as in the paper", room_n="500").go("room").click("use room")
    has_line(page.loaded, "Room 10 x 10", "N = 500")
    assert page.at.button(key="use room").disabled


def test_any_other_room_can_be_used_on_all_pages_and_loaded_again_from_its_file(small_room, downloads, visit):
    page = small_room.click("use room")
    assert page.loaded.startswith("Room 10 x 10: N = 500 · D = 30 · L = 100")
    assert page.at.button(key="use room").disabled
    used = page.workspace().dataset
    name = f"{used.name}-data".replace(" ", "-") + ".arff"
    assert dict(page.workspace().source.arguments)["source"] == name
    page.go("data")
    content = downloads[f"{used.name}-data meka"]()
    again = visit().upload((name, content))
    assert again.workspace().dataset.label_names == used.label_names
    np.testing.assert_array_equal(dense(again.workspace().dataset.Y), used.Y.toarray())
    np.testing.assert_array_equal(again.workspace().dataset.X, used.X)


def test_another_room_of_the_same_size_can_be_used_after_one(small_room):
    small_room.click("use room").set("room_seed", 1)
    assert not small_room.at.button(key="use room").disabled


def test_a_sampled_optimum_has_the_effective_size_of_its_sample(visit):
    page = visit(room_w="20", room_n="500", room_people="10-10").go("room")
    assert re.search(r"a sample of 198,829 scenes. Effective sample size \d+: \w+", "".join(said(page)))
    has_line(said(visit().go("room")), "optimum weighs all 166,750 scenes")


def test_the_optimum_decides_for_each_score_what_is_best_for_it_of_a_scene_without_noise(visit):
    page = visit(room_w="10", room_n="500", room_people="5-5,9-2", room_reading="1").go("room")
    row = page.table("People found ↑").loc["Optimum"]
    room = Room.default(10)
    observed = page.table("expected")["reading"].to_numpy()
    truth = tiles_of(read_people("5-5,9-2", 10), 10)
    (best,) = BestDecisions(room, scenes_of(10, "people")).of(observed[None])
    assert row["Hamming ↑"] == (best["hamming_score"][0] == truth).mean()
    decided = best["accuracy"][0]
    assert row["Accuracy ↑"] == (decided & truth).sum() / (decided | truth).sum()
    assert row["Empty tiles marked ↓"] == (decided > truth).sum()
    assert (decided.sum(), best["hamming_score"].sum()) == (2, 0)  # no tile is more probable than not


def test_people_found_where_no_sensor_looks_are_counted():
    # The only sensor looks up the left edge's lower half; W = 10.
    asked = Asked(Knobs(width=10, layout="2.5,0 7.5,0 5,10"), read_people("1-5,10-1", 10), 0)
    nothing = np.zeros((1, 100), dtype=np.int8)
    best = {"accuracy": nothing, "hamming_score": nothing}
    table = scores({"Optimum": nothing[0], "IC": asked.tiles}, best, asked)
    assert table["n_found"].to_dict() == {"Optimum": 0, "IC": 2, "Nobody": 0}
    assert table["n_guessed"].to_dict() == {"Optimum": 0, "IC": 1, "Nobody": 0}


AT_HALF = "as the paper does"


def found_by(page):
    """Return how many people IC, CT and CDT find."""
    return page.table("People found ↑").loc[["IC", "CT", "CDT"], "People found ↑"]


def test_methods_that_decide_for_accuracy_find_people(visit):
    people = {"room_w": "10", "room_n": "500", "room_people": "5-5,9-2"}
    page = visit(**people).go("room")
    assert found_by(page).sum() > found_by(visit(**people, room_decide=AT_HALF).go("room")).sum()
    drawn = [one["z"]["bdata"] for one in page.figures[0]["data"] if one["name"] == "decided"]
    solid = [np.nansum(np.frombuffer(base64.b64decode(of_tiles), "f4")) for of_tiles in drawn]
    table = page.table("People found ↑").loc[list(ORDER)]
    hits = 2 - table["Occupied tiles missed ↓"]
    assert solid == [2, *(hits + table["Empty tiles marked ↓"])]
    has_line(said(page), "IC, CT and CDT", "accuracy", "MAP at 1/2")


def test_an_address_names_how_tiles_are_decided(visit):
    page = visit(room_w="10", room_n="500", room_decide=AT_HALF).go("room")
    has_line(said(page), "above 1/2")
    assert "decide=None" in page.flat_code


@pytest.mark.parametrize(
    ("rows", "more"),
    [
        ("500", {}),
        ("500", {"room_decide": AT_HALF, "room_learner": "least squares"}),
        ("200", {"room_learner": "automatic"}),
        ("50000", {}),
    ],
)
def test_the_same_in_python_gives_the_same_scores(visit, monkeypatch, rows, more):
    page = visit(room_w="100" if rows == "50000" else "10", room_n=rows, room_reading="2", **more).go("room")
    shown = {}
    monkeypatch.setattr(
        "trellislib.figures.room_estimates_figure",
        lambda *given, captions, decided: shown.update(captions) or SimpleNamespace(show=int),
    )
    exec(page.code, {})
    table = page.table("People found ↑").drop("Nobody")
    assert shown == {
        name: (f"Hamming {row['Hamming ↑']:.3f}", f"accuracy {row['Accuracy ↑']:.3f}") for name, row in table.iterrows()
    }


# Undo, and A and B


def people_of(page):
    return page.at.session_state["room_people"]


@pytest.mark.parametrize("button", ["clear room", "draw scene"])
def test_people_that_were_cleared_come_back(small_room, button):
    assert small_room.at.button(key="undo room").disabled
    small_room.click(button)
    assert people_of(small_room) != "5-5"
    small_room.click("undo room")
    assert people_of(small_room) == "5-5"
    assert small_room.at.button(key="undo room").disabled


def test_a_layout_that_was_replaced_comes_back(small_room):
    before = written_room(with_moved(Room.default(10, 5, 0.2, 0.05), "sensor", 0, 3, 9))
    small_room.set("room json", before).click("show room").click("default layout")
    assert len(small_room.table("expected")) == 30
    assert len(small_room.click("undo room").table("expected")) == 5
    small_room.set("room_d", 12).click("undo room")
    assert (len(small_room.table("expected")), small_room.at.session_state["room_d"]) == (5, 30)


def test_people_come_back_with_their_width(small_room):
    small_room.set("room_w", "20").click("undo room")
    assert (small_room.at.session_state["room_w"], people_of(small_room)) == ("10", "5-5")


def test_a_setting_is_compared_with_a_pinned_one(small_room):
    before = small_room.table("People found ↑")
    page = small_room.click("pin room").set("room_noise", 5.0)
    holds(page.takeaway, "noise 5% instead of 1%", "best accuracy")
    first, second = page.figures
    assert [one["name"] for one in first["data"]] == [one["name"] for one in second["data"]]
    notes = [note["text"] for note in first["layout"]["annotations"]]
    assert f"<b>IC</b><br>Hamming {before.at['IC', 'Hamming ↑']:.3f}" in notes[ORDER.index("IC") + 1]
    holds(page.set("room_noise", 1.0).takeaway, "same setting")
    assert len(page.click("pin room").figures) == 1
    holds(page.takeaway, "one person")


def test_a_link_opens_with_the_pinned_setting(visit):
    asked = Asked(Knobs(n_training=500, decide_for=AT_HALF), read_people("5-5", 10), 3)
    page = visit(room_a=written(asked), room_n="500", room_people="5-5").go("room")
    assert len(page.figures) == 2
    holds(page.takeaway, f"decisions for accuracy instead of {AT_HALF}", "another reading")


def test_a_setting_is_written_and_read_back():
    layout = written_layout(with_moved(ROOM, "sensor", 0, 3, 9))
    knobs = Knobs(20, 12, layout, 0.2, 0.03, "paper", 500, 3, 0.5, "hill-climbing", 500, 7, AT_HALF, "auto")
    for asked in (Asked(knobs, read_people("3-4,1-19-2x1", 20), 2), Asked(Knobs(), (), 0)):
        assert read(written(asked)) == asked
    assert written(Asked(Knobs(), (), 0)) == "people~nobody~reading~0"
    assert in_words(Asked(knobs, (), 0)).keys() == in_words(Asked(Knobs(), (), 0)).keys()


@pytest.mark.parametrize(
    "text",
    [
        "width~11~people~nobody",
        "noise~nan~people~nobody",
        "n_sensors~1000~people~nobody",
        "learner~x~people~nobody",
        "other~1~people~nobody",
        "layout~1,1~people~nobody",
        "people~99-99",
        "reading~-1~people~nobody",
        "nonsense",
    ],
)
def test_a_text_that_is_no_setting_is_refused(text):
    with pytest.raises(StateError, match=r"^Got .*"):
        read(text)


# The paper's tables


def test_tables_stop_when_they_are_cancelled_and_are_shown_when_they_are_done(visit, monkeypatch):
    monkeypatch.setattr(tables, "SHARES", {"a tenth": 0.002, "all": 1.0})
    page = visit(room_view="The paper's tables").go("room")
    has_line(page.takeaway, "paper", "W = 20")
    page.click("run table 20")
    job = page.workspace().job(("room table", 20, 0.002))
    page.wait(lambda: not job.is_active)
    assert re.search(r"W = 20, on 4 rows, .*accuracy .* 0\.", page.takeaway)
    assert page.table("Hamming ↑ here")["Hamming ↑ here"].notna().all()


# In a browser


def test_people_and_sensors_are_moved_by_mouse_and_keyboard(screen):
    page = screen.open("room?room_w=10&room_people=nobody&room_n=500")
    wall, people, sensors = page.locator(".wall"), page.locator(".person"), page.locator(".sensor")
    expect(people).to_have_count(0)
    screen.click_middle(wall)
    expect(people).to_have_count(1)
    wall.focus()
    page.keyboard.press("ArrowUp")
    expect(page.locator(".status")).to_contain_text("nobody here")
    page.keyboard.press("Space")
    expect(people).to_have_count(2)
    expect(wall).to_be_focused()
    page.keyboard.press("Space")
    expect(people).to_have_count(1)
    sensors.nth(3).focus()
    page.keyboard.press("ArrowLeft")
    expect(sensors.nth(3)).to_have_attribute("aria-label", re.compile("Sensor 4 at 9.75, 3.5"))
    expect(sensors.nth(3)).to_be_focused()
    page.keyboard.press("Delete")
    expect(sensors).to_have_count(29)
    page.get_by_role("button", name="Add a sensor").click()
    expect(sensors).to_have_count(30)
    screen.rest()
    assert screen.console == []


def test_a_sensor_is_dragged(screen):
    page = screen.open("room?room_w=10&room_people=5-5&room_n=500")
    sensor = page.locator(".sensor").nth(14)
    box = sensor.locator(".dot").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y + 60, steps=4)
    page.mouse.up()
    expect(sensor).not_to_have_attribute("aria-label", re.compile(r"at 5\.5, 10:"))
    expect(page).to_have_url(re.compile("room_layout="))


def test_every_click_gives_new_estimates(screen):
    page = screen.open("room?room_people=5-5")
    page.locator(".js-plotly-plot").wait_for()
    caption = page.locator(".js-plotly-plot .annotation").filter(has_text="MAP").first
    at = page.locator(".wall").bounding_box()
    for n in range(3):
        before = caption.text_content()
        screen.page.locator(".wall").click(position={"x": 60 + 90 * n, "y": 200})
        expect(caption).not_to_have_text(before)
        screen.rest()
    page.get_by_role("button", name="Clear the room").click()
    expect(page.get_by_text("Nobody is in the room")).to_be_visible()  # a shorter sentence than before
    screen.rest()
    assert page.locator(".wall").bounding_box() == at
    assert screen.console == []


def test_board_and_maps_fit_the_screen_and_grow_with_it(screen):
    page = screen.open("room?room_people=5-5")
    shown = page.locator(".wall"), page.locator(".st-key-estimates .js-plotly-plot")
    sides = []
    for width, height in ((1280, 720), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        screen.rest()
        boxes = [one.bounding_box() for one in shown]
        assert all(box["y"] + box["height"] <= height for box in boxes)
        sides.append([box["height"] for box in boxes])
    assert all(large > 1.2 * small for small, large in zip(*sides, strict=True))
