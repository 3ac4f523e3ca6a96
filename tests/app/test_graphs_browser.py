"""The Graphs page in a browser: a click on a label, the keyboard, files that are taken away, and what axe says."""

import json

from playwright.sync_api import Locator, Page, expect


def label_box(page: Page) -> Locator:
    return page.get_by_role("combobox", name="Label", exact=True)


def node(page: Page, chart: int, name: str) -> tuple[float, float]:
    """Return where a chart draws a label, by its name."""
    place = page.evaluate(
        """([chart, name]) => {
            const plot = document.querySelectorAll('.js-plotly-plot')[chart];
            for (const [trace, of] of plot.data.entries()) {
                const at = (of.text || []).indexOf(name);
                if (at < 0) continue;
                const box = plot.getBoundingClientRect(), {xaxis, yaxis} = plot._fullLayout;
                return [box.x + xaxis._offset + xaxis.d2p(of.x[at]), box.y + yaxis._offset + yaxis.d2p(of.y[at])];
            }
        }""",
        [chart, name],
    )
    assert place is not None, f"{name} is not drawn"
    return place


def test_a_click_on_a_label_shows_it_in_all_graphs_and_a_second_lets_it_go(screen):
    page = screen.open("graphs")
    expect(page.locator(".js-plotly-plot")).to_have_count(2)

    page.mouse.click(*node(page, 1, "Class5"))
    expect(page.get_by_role("heading", name="Class5", exact=True)).to_be_visible()
    screen.rest()
    expect(label_box(page)).to_have_value("Class5")
    assert "graph_label=Class5" in page.url
    opacities = page.evaluate(
        """() => [...document.querySelectorAll('.js-plotly-plot')].map(
            plot => plot.data.filter(of => of.text).map(of => of.opacity ?? 1))"""
    )
    assert [len(of_chart) for of_chart in opacities] == [2, 2]
    assert all(far < near == 1 for far, near in opacities)

    page.mouse.click(*node(page, 0, "Class2"))
    expect(page.get_by_role("heading", name="Class2", exact=True)).to_be_visible()
    screen.rest()
    page.mouse.click(*node(page, 0, "Class2"))
    expect(page.get_by_role("heading", name="Class2", exact=True)).to_have_count(0)
    screen.rest()
    assert "graph_label" not in page.url
    assert screen.console == []


def test_a_label_is_chosen_by_the_keyboard_and_an_address_shows_the_same(screen):
    page = screen.open("graphs?graphs=FS&graphs=Trellis&graph_mi=0.01")
    box = label_box(page)
    box.focus()
    box.press_sequentially("Class12")
    box.press("Enter")
    expect(page.get_by_role("heading", name="Class12", exact=True)).to_be_visible()
    screen.rest()
    text = page.get_by_test_id("stMarkdown").first.inner_text()

    address = page.url.split("/")[-1]
    page = screen.open(address)
    expect(page.get_by_role("heading", name="Class12", exact=True)).to_be_visible()
    assert page.get_by_test_id("stMarkdown").first.inner_text() == text
    expect(page.get_by_text("Trellis, ", exact=False).first).to_be_visible()


def test_a_graph_is_taken_away(screen):
    page = screen.open("graphs")
    page.get_by_role("button", name="Save").first.click()
    with page.expect_download() as waiting:
        page.get_by_role("button", name="JSON").first.click()
    drawing = json.loads(waiting.value.path().read_bytes())

    assert waiting.value.suggested_filename == "yeast-FS-graph.json"
    assert len(drawing["links"]) == 19
    assert drawing["directed"]


def test_a_point_chooses_its_pair(screen):
    page = screen.open("graphs?graph_view=Marginal+and+conditional")
    expect(page.locator(".js-plotly-plot")).to_have_count(3)
    place = page.evaluate(
        """() => {
            const plot = document.querySelector('.js-plotly-plot'), of = plot.data[1];
            const at = of.customdata.findIndex(pair => pair[0] === 11 && pair[1] === 12);
            const point = plot.querySelectorAll('.scatterlayer .trace')[1].querySelectorAll('path.point')[at];
            const box = point.getBoundingClientRect();
            return [box.x + box.width / 2, box.y + box.height / 2];
        }"""
    )
    page.mouse.click(*place)
    expect(page.get_by_role("heading", name="Class12 and Class13", exact=True)).to_be_visible()
    screen.rest()
    assert "graph_pair=Class12+and+Class13" in page.url
