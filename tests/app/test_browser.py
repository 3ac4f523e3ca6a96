"""The dashboard in a real browser: what a person sees, clicks and waits for."""

import io
import json
import re
from dataclasses import replace

import pandas as pd
import pytest
from playwright.sync_api import Locator, Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeout
from seen import below_the_fold, colliding, illegible, long_winded, scrolls_sideways, violations

from trellislib import ClassifierChain, IndependentClassifiers, LeastSquares
from trellislib.data import simulate_label_dag
from trellislib.experiment import KFold, Store, run

LONG = 60_000  # milliseconds that training may take


def choose(page: Page, label: str, option: str) -> None:
    """Click one of the options that lie side by side."""
    group = page.get_by_role("radiogroup", name=label, exact=True)
    group.get_by_text(option, exact=True).click()
    expect(group.get_by_role("radio", name=option, exact=True)).to_be_checked()


def pick(page: Page, box: Locator, option: str) -> None:
    """Choose an option of a select box, again where a run of the page that was under way closed its list."""
    choice = page.get_by_role("option", name=option, exact=True)
    box.click()
    try:
        choice.click(timeout=5_000)
    except PlaywrightTimeout:
        box.click()
        choice.click()


def select_box(page: Page, label: str) -> Locator:
    return page.get_by_role("combobox", name=label, exact=True)


def cell_position(page: Page, row: int, column: int, n: int) -> dict[str, float]:
    """Return where a cell of a heat map of n x n cells lies, from the middle of the plot's drag layer."""
    layer = page.locator(".js-plotly-plot .nsewdrag").first
    expect(layer).to_be_visible()
    box = layer.bounding_box()
    assert box is not None
    side = min(box["width"], box["height"])
    left, top = box["x"] + (box["width"] - side) / 2, box["y"] + (box["height"] - side) / 2
    return {"x": left + side * (column + 0.5) / n, "y": top + side * (row + 0.5) / n}


@pytest.mark.slow
def test_a_person_walks_through_all_pages(screen):
    page = screen.open()

    # Start
    expect(page.get_by_role("heading", name="How do your labels depend on each other?")).to_be_visible()
    expect(page.get_by_text("53 of 91 label pairs are clearly dependent")).to_be_visible()
    expect(page.locator(".js-plotly-plot")).to_have_count(1)

    # Data
    screen.follow("Data")
    expect(page.get_by_text(re.compile(r"yeast has 2,417 instances, 103 features and 14 labels"))).to_be_visible()
    expect(page.get_by_text("Most frequent label sets")).to_be_visible()

    # Dependence: a click on a cell opens its pair, and so do the select boxes
    screen.follow("Dependence")
    choose(page, "Order of labels", "File")
    screen.rest()
    expect(page.locator(".js-plotly-plot g.xtick text").first).to_have_text("Class1")
    where = cell_position(page, row=2, column=6, n=14)
    page.mouse.move(where["x"], where["y"])
    page.mouse.click(where["x"], where["y"])
    expect(page.get_by_text(re.compile(r"Class3 and Class7 \w+|Class7 and Class3 \w+"))).to_be_visible()
    screen.rest()
    pick(page, select_box(page, "Other label"), "Class4")
    expect(page.get_by_text(re.compile(r"Class[37] and Class4 \w+"))).to_be_visible()
    screen.rest()

    # Trellis
    screen.follow("Trellis")
    slider = page.get_by_role("slider", name="Width")
    expect(slider).to_have_value("3")
    slider.focus()
    slider.press("ArrowRight")
    slider.press("ArrowRight")
    expect(slider).to_have_value("5")
    screen.rest()
    edges = page.get_by_test_id("stMetric").filter(has_text="Edges").get_by_test_id("stMetricValue")
    expect(edges).to_have_text("20")
    pick(page, select_box(page, "Parents"), "left-up-diagonal (3)")
    expect(edges).to_have_text("27")
    pick(page, select_box(page, "Parents"), "custom")
    page.get_by_role("button", name="Cells and more").click()
    expect(page.get_by_text("Tick the cells that are parents of the cell marked")).to_be_visible()
    expect(edges).to_have_text("20")
    box = page.get_by_role("checkbox", name="2 up", exact=True)
    box.focus()
    box.press("Space")
    expect(edges).to_have_text("24")
    pick(page, select_box(page, "Placement"), "Random")
    screen.rest()

    # Train: the trellis of the page before, three methods
    screen.follow("Train")
    expect(page.get_by_text("width 5, parents custom, random, seed 0")).to_be_visible()
    folds = page.get_by_role("spinbutton", name="Folds")
    folds.fill("2")
    folds.press("Enter")
    page.get_by_role("button", name=re.compile("^.*Train 3 methods in 2 folds on yeast")).click()
    expect(
        page.get_by_text(
            re.compile(
                r"\d+: IC, CC and CT on yeast, Automatic .*accuracy, CT: width 5, parents custom, random, seed 0, "
                r"2-fold: done in"
            )
        )
    ).to_be_visible(timeout=LONG)
    screen.rest()

    # A longer training goes on through a reload of the browser, and can be cancelled
    pick(page, select_box(page, "Base learner"), "Random forest")
    expect(select_box(page, "n_estimators")).to_be_visible()  # the page has taken it up
    screen.rest()
    page.get_by_role("button", name=re.compile("Train 3 methods")).click()
    expect(page.get_by_role("progressbar")).to_be_visible()
    expect(page.get_by_text(re.compile(r"C[CT]? on yeast, fit \d of 2"))).to_be_visible()
    page.reload()
    screen.rest()
    expect(page.get_by_role("progressbar")).to_be_visible()
    expect(
        page.get_by_text("on yeast, Random forest, decided for accuracy, CT: width 5, parents custom, random, seed 0")
    ).to_be_visible()
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("progressbar")).to_have_count(0)
    expect(
        page.get_by_text(
            re.compile(
                r"\d+: IC, CC and CT on yeast, Random forest, .*CT: width 5, parents custom, random, seed 0, "
                r"2-fold: cancelled"
            )
        )
    ).to_be_visible(timeout=LONG)
    screen.rest()

    # Compare: the table, the Python, the download
    screen.follow("Compare")
    chosen = page.get_by_role("group", name="Selected values").first
    expect(chosen).to_contain_text("IC, CC and CT on yeast, Automatic")
    number = re.search(r"(\d+): IC, CC and CT", chosen.inner_text())[1]
    table = page.get_by_role("table")
    expect(table.get_by_role("columnheader")).to_contain_text(["IC", "CC", "CT"])
    row = table.get_by_role("row").filter(has_text="Exact match")
    expect(row).to_contain_text("±")
    page.get_by_text("The same in Python").click()
    expect(page.get_by_text(f"results = Store().results([{number}])")).to_be_visible()
    page.locator(".st-key-save-yeast").get_by_role("button", name="Save").click()
    with page.expect_download() as started:
        page.locator(".st-key-yeast-fits-csv").get_by_role("button", name="CSV").click()
    assert started.value.suggested_filename == "yeast-fits.csv"
    fits = pd.read_csv(io.BytesIO(started.value.path().read_bytes()))
    assert fits["method"].value_counts().to_dict() == {"IC": 2, "CC": 2, "CT": 2}
    for mean in fits["exact_match"].groupby(fits["method"]).mean():
        expect(row).to_contain_text(f"{mean:.3f}")

    assert screen.console == []


@pytest.mark.slow
def test_a_chosen_pair_survives_other_clicks(screen):
    """Case B42."""
    page = screen.open("dependence")
    choose(page, "Order of labels", "File")
    screen.rest()
    expect(page.locator(".js-plotly-plot g.xtick text").first).to_have_text("Class1")
    where = cell_position(page, row=9, column=1, n=14)
    page.mouse.move(where["x"], where["y"])
    page.mouse.click(where["x"], where["y"])
    pair = page.get_by_text(re.compile(r"(Class10 and Class2|Class2 and Class10) \w+"))
    expect(pair).to_be_visible()
    screen.rest()
    page.get_by_role("button", name="More").click()
    choose(page, "Unit", "bits")
    page.keyboard.press("Escape")
    screen.rest()
    expect(pair).to_be_visible()
    screen.follow("Trellis")
    screen.follow("Dependence")
    expect(pair).to_be_visible()
    assert screen.console == []


@pytest.mark.slow
def test_a_tuned_trellis_is_in_the_address(screen):
    """A link to a tuned trellis shows the same to whoever opens it, though they have no part in the workspace."""
    page = screen.open("trellis")
    pick(page, select_box(page, "Placement"), "Random")
    pick(page, select_box(page, "Parents"), "left-up-diagonal (3)")
    slider = page.get_by_role("slider", name="Width")
    screen.run_by(lambda: slider.press("ArrowRight"))
    expect(slider).to_have_value("4")
    expect(page).to_have_url(re.compile("width=4"))
    captured = page.get_by_test_id("stMetric").filter(has_text="Captured").get_by_test_id("stMetricValue").first
    shown = captured.text_content()
    knobs = [knob for knob in page.url.split("?")[1].split("&") if not knob.startswith("workspace=")]

    page = screen.open(f"trellis?{'&'.join(knobs)}")
    expect(slider).to_have_value("4")
    expect(select_box(page, "Placement")).to_have_value("Random")
    expect(captured).to_have_text(shown or "nothing")
    assert screen.console == []


def test_a_file_is_dropped_and_used(screen):
    page = screen.open("data")
    choose(page, "Source", "Your files")
    screen.rest()
    content = "x,<b>sun</b>,$warm$\n0.5,1,0\n0.1,0,0\n0.9,1,1\n0.3,0,1\n"
    files = page.locator("input[type=file]")
    files.set_input_files({"name": "sky.csv", "mimeType": "text/csv", "buffer": content.encode()})
    expect(page.get_by_text("sky.csv does not say which of its 3 columns are labels.")).to_be_visible()
    page.get_by_role("button", name="Use this data").click()
    expect(page.get_by_text(re.compile("sky has 4 instances"))).to_be_visible()
    screen.rest()
    screen.follow("Dependence")
    expect(page.get_by_test_id("stMarkdown").filter(has_text="<b>sun</b>").first).to_be_visible()
    expect(page.locator(".js-plotly-plot g.xtick text").first).to_have_text(re.compile(r"^(<b>sun</b>|\$warm\$)$"))
    assert screen.console == []


@pytest.mark.slow
def test_everybody_can_use_every_view(screen, views):
    """What is looked for in `seen` is not found: light on a desk, and dark on a phone."""
    page = screen.open("lessons")
    found = {}
    for view in views:
        screen.go(view)
        for scheme in screen.as_light_and_dark():
            sideways = ["It scrolls sideways."] * scrolls_sideways(page)
            unseen = below_the_fold(page) if scheme == "light" else []  # on a desk
            found[view, scheme] = violations(page) + illegible(page) + colliding(page) + unseen + sideways
        found[view, "words"] = long_winded(page)
    assert {where: problems for where, problems in found.items() if problems} == {}
    assert screen.console == []


def test_everybody_can_use_the_scores(screen):
    page = screen.open("compare?data=simulate_label_dag~n_instances~200")
    page.get_by_role("button", name=re.compile("Train IC, CC, CT")).click()
    expect(page.get_by_role("table")).to_be_visible(timeout=LONG)
    screen.rest()

    for scheme in screen.as_light_and_dark():
        assert violations(page) == [], scheme
        assert not scrolls_sideways(page), scheme


@pytest.fixture
def on_many(screen, served_results):
    """A browser window, and results on several data sets of many methods with long names."""
    data = [simulate_label_dag(n_instances=60, n_labels=4, random_state=seed) for seed in range(4)]
    methods = {
        f"{name} with a penalty of {alpha:g}": method(LeastSquares(alpha=alpha))
        for name, method in (("Independent classifiers", IndependentClassifiers), ("Chain", ClassifierChain))
        for alpha in (0.1, 1.0, 10.0, 100.0, 1000.0)
    }
    named = [replace(one, name=f"a simulated set {letter}") for one, letter in zip(data, "abcd", strict=True)]
    run(named, methods, KFold(2), store=Store(served_results), title="a script")
    return screen


def answer_and_diagrams_are_seen(page: Page) -> bool:
    """Whether these need no scrolling."""
    seen = (page.get_by_role("heading", level=1), page.locator("[class*='st-key-scrolled-cliques']"))
    boxes = [locator.bounding_box() for locator in seen]
    return all(box["y"] + box["height"] <= 900 for box in boxes)


def test_everybody_can_use_many_data_sets(on_many):
    """The answer comes first; what is too wide for a phone scrolls in its own box, so that no texts collide."""
    page = on_many.open("compare")
    expect(page.get_by_role("heading", name="Who differs from whom")).to_be_visible()
    assert answer_and_diagrams_are_seen(page)
    page.get_by_text("The tests in numbers").click()
    on_many.rest()

    for scheme in on_many.as_light_and_dark():
        assert violations(page) == [], scheme
        assert not scrolls_sideways(page), scheme
    diagram = page.locator("[class*='st-key-scrolled-cliques']")
    expect(diagram).to_be_visible()
    assert diagram.evaluate("box => box.scrollWidth > box.clientWidth + 100")
    hint = "box => getComputedStyle(box, '::before').content"
    assert "Scroll sideways" in diagram.evaluate(hint)
    on_many.page.set_viewport_size({"width": 1600, "height": 900})
    assert diagram.evaluate(f"box => box.scrollWidth > box.clientWidth || ({hint})(box) === 'none'")
    assert on_many.console == []


def test_the_answer_and_the_diagrams_of_scores_are_seen_without_scrolling(on_many):
    assert answer_and_diagrams_are_seen(on_many.open("scores"))


def test_figures_are_json_that_a_browser_reads(screen):
    """No NaN in what is sent: every figure is drawn."""
    page = screen.open("dependence")
    expect(page.locator(".js-plotly-plot .heatmaplayer image")).to_be_attached()
    assert json.loads(page.evaluate("JSON.stringify(document.querySelector('.js-plotly-plot').data[0].zmin)")) == 0


# The trellis taken apart


def opened(screen, view: str, more: str = "") -> Page:
    """Open a view of the Trellis page with labels placed by Algorithm 1 as printed."""
    return screen.open(f"trellis?view={view.replace(' ', '+')}&placement=Hill+climbing{more}")


def cell(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=re.compile(rf"^{name}, row \d+, column \d+"))


def captured(page: Page) -> Locator:
    return page.get_by_test_id("stMetric").filter(has_text="Captured").get_by_test_id("stMetricValue").first


def middle(locator: Locator) -> tuple[float, float]:
    box = locator.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_label_is_dragged_onto_another_and_the_captured_dependence_changes(screen):
    page = opened(screen, "By hand")
    expect(captured(page)).to_have_text("1.18 nats")
    expect(cell(page, "Class9")).to_have_accessible_name("Class9, row 1, column 1")

    # Outside the lattice it goes back
    page.mouse.move(*middle(cell(page, "Class9")))
    page.mouse.down()
    page.mouse.move(1200, 700, steps=4)
    page.mouse.up()
    expect(page.get_by_text("Nothing has changed.")).to_be_visible()
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()

    page.mouse.move(*middle(cell(page, "Class9")))
    page.mouse.down()
    page.mouse.move(*middle(cell(page, "Class13")), steps=4)
    expect(page.get_by_text("Class9 is picked up")).to_be_visible()
    page.mouse.up()

    expect(cell(page, "Class9")).to_have_accessible_name("Class9, row 4, column 3, moved by hand")
    expect(cell(page, "Class13")).to_have_accessible_name("Class13, row 1, column 1, moved by hand")
    expect(captured(page)).to_have_text("1.07 nats")
    expect(page).to_have_url(re.compile("swaps=8-12"))
    page.get_by_role("button", name="Undo").click()
    expect(captured(page)).to_have_text("1.18 nats")
    expect(cell(page, "Class9")).to_have_accessible_name("Class9, row 1, column 1")
    assert screen.console == []


@pytest.mark.parametrize(
    "screen", [{"viewport": {"width": 390, "height": 844}, "has_touch": True}], indirect=True, ids=["touch"]
)
def test_a_label_is_dragged_by_touch(screen):
    page = opened(screen, "By hand")
    cell(page, "Class12").scroll_into_view_if_needed()
    session = page.context.new_cdp_session(page)
    start, end = middle(cell(page, "Class9")), middle(cell(page, "Class11"))
    for kind, at in (("touchStart", start), ("touchMove", start), ("touchMove", end), ("touchEnd", None)):
        points = [] if at is None else [{"x": at[0], "y": at[1]}]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    expect(cell(page, "Class9")).to_have_accessible_name("Class9, row 2, column 2, moved by hand")


def test_labels_are_swapped_by_keyboard(screen):
    page = opened(screen, "By hand")
    first = cell(page, "Class9")
    first.focus()
    first.press("Enter")
    expect(page.get_by_text("Class9 is picked up")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_text("Nothing has changed.")).to_be_visible()
    page.keyboard.press("Space")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    expect(cell(page, "Class11")).to_be_focused()
    page.keyboard.press("Enter")

    expect(cell(page, "Class9")).to_have_accessible_name("Class9, row 2, column 2, moved by hand")
    expect(cell(page, "Class9")).to_be_focused()
    expect(page.get_by_text(re.compile("^1 swap by hand "))).to_be_visible()
    assert screen.console == []


@pytest.mark.slow
def test_labels_are_swapped_by_name_and_the_link_shows_them(screen):
    page = opened(screen, "By hand")
    pick(page, select_box(page, "Swap"), "Class9")
    screen.rest()
    pick(page, select_box(page, "with"), "Class13")
    screen.rest()
    page.get_by_role("button", name="Swap", exact=True).click()
    expect(captured(page)).to_have_text("1.07 nats")
    expect(page).to_have_url(re.compile("swaps=8-12"))
    choose(page, "View", "Tune")
    screen.rest()
    expect(captured(page)).to_have_text("1.07 nats")
    expect(page).to_have_url(re.compile("swaps=8-12"))
    knobs = [knob for knob in page.url.split("?")[1].split("&") if not knob.startswith("workspace=")]

    page = screen.open(f"trellis?{'&'.join(knobs)}")
    expect(captured(page)).to_have_text("1.07 nats")
    assert screen.console == []


def test_a_clicked_label_has_its_surroundings_marked(screen):
    page = opened(screen, "CT and CDT")
    expect(page.get_by_text("CT predicts Class1 from its 2 parents")).to_be_visible()
    where = page.locator(".js-plotly-plot").nth(1).locator(".annotation").filter(has_text="Class13").first
    expect(where).to_be_visible()
    screen.click_middle(where)

    expect(page.get_by_text("CT predicts Class13 from its 2 parents")).to_be_visible()
    expect(select_box(page, "Label")).to_have_value("Class13")
    expect(page.locator(".js-plotly-plot").first.locator(".annotation").filter(has_text="● Class13")).to_be_visible()
    expect(page).to_have_url(re.compile("ct_label=Class13"))
    assert screen.console == []


def test_a_pattern_is_ticked_in_the_grid_by_keyboard_and_is_in_the_address(screen):
    page = screen.open("trellis")
    pick(page, select_box(page, "Parents"), "custom")
    page.get_by_role("button", name="Cells and more").click()
    box = page.get_by_role("checkbox", name="3 up, 3 right", exact=True)
    box.focus()
    box.press("Space")
    expect(page.get_by_role("textbox", name="Your own parent cells")).to_have_value("0,-1 -1,0 -3,3")
    expect(page.get_by_text("No label has these parents at width 3: 3 up, 3 right.")).to_be_visible()
    expect(page).to_have_url(re.compile("offsets=0%2C-1"))


def test_the_address_follows_the_view_after_an_own_pattern(screen):
    page = screen.open("trellis")
    pick(page, select_box(page, "Parents"), "custom")
    screen.rest()
    pick(page, select_box(page, "Parents"), "left-up-diagonal (3)")
    screen.rest()
    for view in ("Seeds", "By hand", "Step by step"):
        page.get_by_role("radio", name=view).click()
        screen.rest()
        expect(page).to_have_url(re.compile(view.replace(" ", r"\+")))
    expect(page).not_to_have_url(re.compile("Seeds"))


def test_axe_finds_nothing_in_the_pattern(screen):
    page = screen.open("trellis?pattern=custom")
    page.get_by_role("button", name="More").click()

    for scheme in screen.as_light_and_dark():
        assert violations(page) == [], scheme


@pytest.mark.parametrize("screen", [{"viewport": {"width": 390, "height": 844}}], indirect=True, ids=["phone"])
def test_the_menu_of_a_phone_closes_when_a_page_is_chosen(screen):
    page = screen.open("")
    page.get_by_test_id("stExpandSidebarButton").click()
    link = page.get_by_test_id("stSidebar").get_by_role("link", name="Data", exact=True)
    link.click()
    expect(page).to_have_url(re.compile("/data"))
    expect(link).not_to_be_in_viewport()
