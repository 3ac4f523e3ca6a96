"""The Data page in a browser: several files at once, mending, switching, and two people who share nothing."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect
from seen import scrolls_sideways, violations

PHONE = {"width": 390, "height": 844}
CSV = "x,z,sky,warm\n" + "".join(f"0.{n},{n % 5},{('blue', 'grey')[n % 2]},{n // 2 % 2}\n" for n in range(10, 30))
MEKA = "@relation 'rain: -C -2'\n@attribute x numeric\n@attribute wet {0,1}\n@attribute cold {0,1}\n@data\n" + "".join(
    f"0.{n},{n % 2},{n // 3 % 2}\n" for n in range(10, 30)
)


def file(name, content):
    return {"name": name, "mimeType": "application/octet-stream", "buffer": content.encode()}


def drop(screen, *files):
    screen.page.locator("input[type=file]").set_input_files([file(name, content) for name, content in files])


def loaded(page, name):
    return page.get_by_role("heading", name=f"Loaded: {name}", exact=True)


@pytest.mark.parametrize("screen", [{"color_scheme": "dark", "viewport": PHONE}], indirect=True, ids=["phone first"])
def test_several_files_are_dropped_and_mended_and_switched_between(screen):
    page = screen.open("data")
    box = page.get_by_test_id("stFileUploaderDropzone")
    for _ in screen.as_light_and_dark():
        expect(box).to_be_in_viewport()
        expect(page.get_by_text("yeast has 2,417 instances")).to_be_in_viewport()
    drop(screen, ("sky.csv", CSV), ("rain.arff", MEKA), ("empty.csv", ""))
    expect(loaded(page, "rain")).to_be_visible()
    expect(page.get_by_text("empty.csv: the file is empty")).to_be_visible()
    expect(page.get_by_text("sky.csv does not say which of its 4 columns are labels")).to_be_visible()
    screen.rest()
    for scheme in screen.as_light_and_dark():
        assert violations(page) == [], scheme
        assert not scrolls_sideways(page), scheme

    page.get_by_role("radio", name="blue", exact=True).click()
    screen.rest()
    page.get_by_role("button", name="Use this data", disabled=False).click()
    expect(loaded(page, "sky")).to_be_visible()
    screen.rest()

    page.get_by_role("button", name="Change label columns of sky").click()
    screen.rest()
    expect(page.get_by_text("sky.csv does not say which of its 4 columns are labels")).to_be_in_viewport()
    for scheme in screen.as_light_and_dark():
        assert violations(page) == [], scheme
        assert not scrolls_sideways(page), scheme
    expect(page.get_by_role("radio", name="blue", exact=True)).to_be_checked()
    page.get_by_role("radio", name="grey", exact=True).click()
    screen.rest()
    page.get_by_role("button", name="Use these choices").click()
    expect(page.get_by_role("button", name="Use these choices")).to_have_count(0)
    screen.rest()
    expect(page.get_by_text("Your 3 data sets")).to_be_visible()

    page.get_by_role("button", name="Load yeast").press("Enter")
    expect(loaded(page, "yeast")).to_be_visible()
    screen.rest()
    assert screen.console == []


def test_the_sidebar_switches_by_keyboard_on_any_page(screen):
    page = screen.open("data")
    drop(screen, ("rain.arff", MEKA))
    expect(loaded(page, "rain")).to_be_visible()
    screen.rest()
    screen.follow("Trellis")
    chooser = page.get_by_test_id("stSidebar").get_by_role("combobox")
    chooser.focus()
    chooser.press("ArrowDown")
    page.get_by_role("option", name="yeast").click()
    expect(page.get_by_test_id("stSidebar").get_by_text("L = 14")).to_be_visible()
    screen.rest()
    assert screen.console == []


def test_a_set_is_renamed_and_removed_and_brought_back_by_keyboard(screen):
    page = screen.open("data")
    drop(screen, ("rain.arff", MEKA))
    expect(loaded(page, "rain")).to_be_visible()
    screen.rest()
    page.get_by_role("button", name="Edit rain").press("Enter")
    name = page.get_by_role("textbox", name="Name", exact=True)
    expect(name).to_be_visible()
    screen.rest()
    for _ in range(3):  # past what loads the set
        page.keyboard.press("Tab")
        if name.evaluate("element => element === document.activeElement"):
            break
    expect(name).to_be_focused()
    expect(page.get_by_role("tooltip")).to_have_count(0)
    for scheme in screen.as_light_and_dark():
        assert violations(page) == [], scheme
        assert not scrolls_sideways(page), scheme
    name.fill("drizzle")
    name.press("Enter")
    expect(loaded(page, "drizzle")).to_be_visible()
    expect(name).to_have_count(0)

    page.get_by_role("button", name="Edit drizzle").press("Enter")
    page.get_by_test_id("stForm").get_by_role("button", name="Remove").press("Enter")
    expect(page.get_by_text("Removed drizzle.")).to_be_visible()
    expect(loaded(page, "yeast")).to_be_visible()
    screen.rest()
    expect(page.get_by_test_id("stForm")).to_have_count(0)
    page.get_by_role("button", name="Undo").press("Enter")
    expect(loaded(page, "drizzle")).to_be_visible()
    screen.rest()
    assert screen.console == []


def test_two_people_see_nothing_of_each_other(screen, browser, new_window):
    page = screen.open("data")
    drop(screen, ("secret.arff", MEKA))
    expect(loaded(page, "secret")).to_be_visible()
    screen.rest()
    query = parse_qs(urlsplit(page.url).query)
    (token,) = query["workspace"]
    assert len(token) >= 22

    other = new_window(browser)
    near = ("A" if token[0] != "A" else "B") + token[1:]
    for expected in ("", f"?workspace={near}", f"?workspace={token[:-1]}", "?data=file~secret.arff"):
        other.goto(f"{screen.address}/data{expected}")
        expect(loaded(other, "yeast")).to_be_visible(timeout=60_000)
        assert other.get_by_role("combobox", name="Loaded data set").count() == 0, expected
        assert other.get_by_text("wet").count() == 0, expected
    expect(other.get_by_text(re.compile(r"This link is to secret\.arff"))).to_be_visible()
    other.context.close()
    page.reload()
    expect(loaded(page, "secret")).to_be_visible(timeout=60_000)


def test_reading_a_large_file_can_be_stopped(screen, tmp_path):
    """The file is read elsewhere: a click ends that, and the page says so."""
    large = tmp_path / "large.csv"  # of texts that are all different, which take some ten seconds
    with large.open("w") as file:
        file.write(",".join(f"c{n}" for n in range(12)) + "\n")
        file.writelines(",".join(f"word {n} of {row}" for n in range(12)) + "\n" for row in range(60_000))
    page = screen.open("data")
    page.get_by_text("Your files", exact=True).click()
    screen.rest()
    page.locator("input[type=file]").set_input_files(large)
    page.get_by_role("button", name="Stop reading").click()
    expect(page.get_by_text("large.csv: reading was stopped.")).to_be_visible()
    screen.rest()
    expect(page.get_by_role("button", name="Stop reading")).to_have_count(0)
    assert screen.console == []
