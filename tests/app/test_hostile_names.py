"""Names of labels and features are text: whatever a file calls them, no page runs or renders them."""

import pytest

NAMES = (
    "<img src=x onerror=window.broken=1>",
    "<script>window.broken=1</script>",
    "<b>bold</b>",
    "$\\frac{1}{2}$",
    "[link](javascript:window.broken=1)",
    '=HYPERLINK("http://x.org")',
    "+1 @home -2",
    "🙂 :material/home: :red[x]",
    "שלום עולם",
    "مرحبا",
)
OF_OTHER_DATA = ("lessons", "paper", "room", "label_dag", "poll", "scores")  # pages that show no name of these data
SPELLED = ("", "data", "dependence", "graphs", "trellis", "inspect")  # pages that spell every label


def quoted(name):
    return "'" + name.replace("\\", "\\\\").replace("'", "\\'") + "'"


@pytest.fixture
def hostile():
    """The bytes of an ARFF file of these labels, and as many features that are called alike."""
    lines = [f"@relation 'x: -C {len(NAMES)}'"]
    lines += [f"@attribute {quoted(name)} {{0,1}}" for name in NAMES]
    lines += [f"@attribute {quoted('feature ' + name)} numeric" for name in NAMES]
    lines.append("@data")
    for row in range(40):
        labels = [int((row * (j + 3)) % 7 < 3) for j in range(len(NAMES))]
        features = [(row * (j + 5)) % 11 for j in range(len(NAMES))]
        lines.append(",".join(map(str, labels + features)))
    return "\n".join(lines).encode()


@pytest.mark.browser
@pytest.mark.slow
def test_no_page_runs_or_renders_a_name(screen, hostile, views):
    page = screen.open("data")
    page.get_by_role("radio", name="Your files").click()
    screen.rest()
    name = "<b>x</b> =1+1.arff"
    page.locator("input[type=file]").set_input_files({"name": name, "mimeType": "text/plain", "buffer": hostile})
    page.get_by_text("L = 10").wait_for()
    screen.rest()
    for view in (view for view in views if not view.startswith(OF_OTHER_DATA)):
        screen.go(view)
        page.get_by_test_id("stSidebar").get_by_text("L = 10").wait_for()
        assert page.evaluate("window.broken") is None, view
        rendered = page.locator("b, img[src=x], a[href^=javascript], a[href*='x.org'], body script")
        assert rendered.count() == 0, f"{view}: {rendered.first.evaluate('e => e.outerHTML')}"
        if view in SPELLED or view.startswith(("trellis?view=By+hand", "inspect?inspected=CDT")):
            assert page.get_by_text("<b>bold</b>").count(), view
    assert not screen.console
