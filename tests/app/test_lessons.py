"""The lessons: their framework, what holds of all of them, the first three, and a walk through each in a browser."""

import re

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import expect
from scipy.stats import f as f_distribution
from scipy.stats import friedmanchisquare
from seen import illegible, long_winded, scrolls_sideways, violations
from sentences import has_line
from views.lessons import chain, deciding, depth, independence, many_labels, structure, trellis, verdict
from views.lessons.frame import NUMBERS
from views.lessons.text import FOLDER, Answer, Content, LessonError, Live, Prose, Question, filled, parsed, read

from trellislib import ClassifierChain, IndependentClassifiers
from trellislib.data import packaged, simulate_shapes
from trellislib.experiment import folds
from trellislib.studies.chain_orders import chain_orders

FRONT = "---\ntitle: T\nquestion: Q?\npaper: P: Q\npage: data\nopens: Data\n---\n"
ASKED = ":::question why\nWhich of {both}?\n- One\n- Two\n:::\n"
LESSONS = {1: many_labels, 2: independence, 3: chain, 4: structure, 5: trellis, 6: verdict, 7: deciding, 8: depth}


def content(facts=("both",), live=("here",), questions=("why",)):
    return Content(
        lambda: dict.fromkeys(facts, "x"),
        dict.fromkeys(live, lambda: None),
        dict.fromkeys(questions, lambda: Answer("One", "It is.")),
        lambda: "",
    )


# The text


def test_a_text_is_read_into_its_blocks():
    asked = ASKED.replace("Two\n", "Two\n\nIt was\n\nthat.\n\n")
    text = parsed(7, FRONT + "Some {both}.\n\nMore.\n\n:::live here\n" + asked + "The end.\n")
    assert (text.number, text.title, text.paper, text.page) == (7, "T", "P: Q", "data")
    question = Question("why", "Which of {both}?", ("One", "Two"), "It was\n\nthat.")
    assert text.blocks == (Prose("Some {both}.\n\nMore."), Live("here"), question, Prose("The end."))


def test_a_figure_may_be_to_the_right_of_the_prose_before_it():
    text = parsed(7, FRONT + "One.\n:::live here right\n:::live there\n")
    assert text.blocks == (Prose("One."), Live("here", is_right=True), Live("there"))
    with pytest.raises(LessonError, match="got ':::live there right'"):
        parsed(7, FRONT + "One.\n:::live here\n:::live there right\n")


def test_screens_are_parted():
    text = parsed(7, FRONT + "One.\n:::screen\n:::live here\n:::screen\nThree.\n")
    assert text.screens == ((Prose("One."),), (Live("here"),), (Prose("Three."),))


@pytest.mark.parametrize(("words", "figures", "minutes"), [(130, 0, 1), (131, 0, 2), (260, 1, 3), (260, 4, 4)])
def test_minutes_are_those_of_words_and_figures(words, figures, minutes):
    live = "".join(f":::live f{number}\n" for number in range(figures))
    assert parsed(7, FRONT + "word " * words + "\n" + live).minutes == minutes


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("No front matter", "got no front matter"),
        (FRONT.replace("page: data\n", ""), "got front matter of"),
        (FRONT + ":::figure here\n", "got ':::figure here', but expected ':::live NAME'"),
        (FRONT + ":::live\n", "got ':::live', but expected"),
        (FRONT + ":::question why\nWhich?\n- One\n- Two\n", "got no end of question 'why'"),
        (FRONT + ":::question why\nWhich?\n- One\n:::\n", "expected a text and two options"),
        (FRONT + ":::question why\n- One\n- Two\n:::\n", "expected a text and two options"),
    ],
)
def test_what_is_no_lesson_is_refused(written, message):
    with pytest.raises(LessonError, match=re.escape(message)):
        parsed(1, written)


def test_a_lesson_that_has_no_file_is_refused(tmp_path):
    with pytest.raises(LessonError, match=r"Got 0 files .*lesson 9, .*expected"):
        read(9, tmp_path)


def test_facts_are_filled_in_as_they_are():
    assert filled("It is {value}.", {"value": "*2*"}) == r"It is \*2\*."
    assert filled("It is {value}.", {"value": "*2*"}, escape=False) == "It is *2*."


@pytest.mark.parametrize("text", ["{other}", "{", "}", "{}", "{Value}", "{value", "{{value}}"])
def test_no_brace_is_left(text):
    with pytest.raises(LessonError):
        filled(text, {"value": "2"})


@pytest.mark.parametrize(
    ("given", "what"),
    [
        (content(facts=()), "facts"),
        (content(facts=("both", "unused")), "facts"),
        (content(live=()), "live figures"),
        (content(questions=("why", "how")), "questions"),
    ],
)
def test_text_and_content_name_the_same(given, what):
    text = parsed(1, FRONT + ":::live here\n" + ASKED)
    text.check(content(), content().facts())
    with pytest.raises(LessonError, match=f"got the {what}"):
        text.check(given, given.facts())


@pytest.mark.parametrize("number", LESSONS)
def test_a_lesson_is_short(number):
    assert 250 <= read(number).n_words <= 510
    assert 3 <= read(number).minutes <= 6


# The pages


def test_the_overview_leads_to_every_lesson(visitor):
    lessons = visitor.go("lessons")
    assert lessons.title == "Lessons"
    for number in NUMBERS:
        assert read(number).question in lessons.text


@pytest.mark.parametrize("number", LESSONS)
def test_a_lesson_answers_its_questions(visitor, number, same_figures):
    lesson = visitor.go(f"lesson_{number}")
    text = read(number)
    assert lesson.title == text.title
    assert f"In the paper: {text.paper}." in lesson.captions
    figures = []
    for place, screen in enumerate(text.screens, 1):
        if len(text.screens) > 1:
            lesson.set("screen", place)
        figures += [figure for figure in lesson.figures if figure not in figures]  # one may be on two screens
        assert "{" not in lesson.text
        _answer(lesson, number, [block for block in screen if isinstance(block, Question)])
    same_figures(lesson, figures)


def _answer(lesson, number, questions):
    for question in questions:
        answer = LESSONS[number].LESSON.questions[question.name]()
        key = f"lesson {number} {question.name}"
        then = question.then.split("{")[0].split("*")[0]
        assert not then or then not in lesson.text
        lesson.set(key, answer.right)
        assert len(lesson.at.success) == 1
        assert then in lesson.text
        wrong, other = [option for option in (*lesson.widget(key).options, None) if option != answer.right][:2]
        lesson.set(key, wrong)
        assert not lesson.at.success
        assert answer.right not in lesson.notices  # there is a second try
        assert not then or then not in lesson.text
        lesson.set(key, other)
        if other:
            assert f"Not quite. The right answer is: {answer.right}" in lesson.notices
            assert then in lesson.text
        lesson.set(key, None)


def test_shapes_are_counted(visitor):
    lesson = visitor.go("lesson_1")
    Y = simulate_shapes(many_labels.N_INSTANCES, overlap=0.3, random_state=0).Y
    both = ((Y[:, 0] == 1) & (Y[:, 1] == 1)).sum()
    forward, backward = both / Y[:, 0].sum(), both / Y[:, 1].sum()
    assert forward > backward
    lesson.turn(2).set("lesson 1 implies", "From y1 to y2")
    reported = (
        f"{forward:.0%} of the shapes with y1 also have y2, and {backward:.0%} of the shapes with y2 also have y1"
    )
    assert reported in lesson.text
    assert "K = 2 values" in lesson.turn(1).text
    lesson.set("shape_values", 4)
    assert "K = 4 values" in lesson.text
    assert "There are 64 possible label vectors" in lesson.text


def test_a_lesson_has_its_controls_from_the_address(visit):
    lesson = visit(shape_values="3").go("lesson_1")
    lesson.at.query_params["shape_values"] = "3"
    lesson.run()
    assert lesson.widget("shape_values").value == 3
    assert "K = 3 values" in lesson.text


def test_what_independent_classifiers_miss_is_counted(visitor):
    lesson = visitor.go("lesson_2")
    text = f"{lesson.text}\n{lesson.turn(2).set('lesson 2 both_scores', 'Exact match').text}"
    data = packaged("yeast")
    train, test = next(iter(folds(data, 3, 0)))
    known = {row.tobytes() for row in data.Y}
    every_right = {}
    for name, method in (("IC", IndependentClassifiers()), ("CC", ClassifierChain())):
        predicted = method.fit(data.X[train], data.Y[train]).predict(data.X[test]).astype(data.Y.dtype)
        exact, hamming = (predicted == data.Y[test]).all(axis=1).mean(), (predicted == data.Y[test]).mean()
        assert re.search(rf"Exact match is .*{exact:.1%} for {name}.*Hamming score is .*{hamming:.1%} for {name}", text)
        every_right[name] = (predicted == data.Y[test]).all(axis=1)
        unseen = sum(row.tobytes() not in known for row in predicted)
        assert re.search(rf"{name} (predicts a set that no instance has|does so) for {unseen}\b", text)
        both = (predicted[:, 4] & predicted[:, 5]).sum()
        assert re.search(rf"{name} predicts both for {both}\b", text)
    alone = [(every_right[one] & ~every_right[other]).sum() for one, other in (("CC", "IC"), ("IC", "CC"))]
    has_line(text, "CC alone", "every label right", f"{alone[0]} test instances", f"IC alone in {alone[1]}")
    assert lesson.turn(1).widget("pair_1").options == [name for name in data.label_names if name != "Class5"]
    lesson.set("pair_0", "Class6")
    assert "have both Class6 and Class1." in lesson.text


def test_the_dependence_of_labels_is_described(visitor):
    lesson = visitor.go("lesson_2").set("pair_0", "Class9").set("pair_1", "Class10")
    data = packaged("yeast")
    test = next(iter(folds(data, 3, 0)))[1]
    phi = np.corrcoef(data.Y[test], rowvar=False)
    has_line(lesson.text, f"{phi[8, 9]:+.2f} in truth, undefined (a label is constant) for IC", "undefined", "CC")
    assert independence.against_truth(0.1, 0.2) == "not dependent enough"
    assert independence.against_truth(0.2, 0.1) == "too dependent"
    assert independence.against_truth(0.1, 0.1) == "as dependent as they are"


def test_a_knob_that_changes_what_is_right_does_not_call_an_answer_wrong(visitor):
    lesson = visitor.go("lesson_3").turn(2).set("lesson 3 downhill", "A quarter to a half")
    assert len(lesson.at.success) == 1
    lesson.set("chain_overlap", 0.3)  # where a tenth is inherited
    assert not lesson.at.success
    has_line(lesson.notices, "As", "knobs", "now", "Less than", "quarter", "over all orders")
    lesson.set("lesson 3 downhill", "Less than a quarter")
    assert len(lesson.at.success) == 1


def test_a_knob_that_changes_the_options_asks_again(visitor):
    key = "lesson 5 following"
    lesson = visitor.go("lesson_5").turn(2)
    offered = lesson.widget(key).options
    lesson.set(key, offered[0]).set("lattice_width", 1)
    assert lesson.widget(key).options != offered
    assert lesson.widget(key).value is None
    assert not lesson.at.success
    assert not lesson.at.info


@pytest.mark.parametrize("draw", [0, 7])
def test_all_orders_are_reported(visitor, draw):
    lesson = visitor.go("lesson_3")
    lesson.set("chain_draw", draw)
    data = simulate_shapes(chain.N_INSTANCES, overlap=0.5, random_state=draw)
    exact = {}
    for order in [(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)]:
        right = [
            (ClassifierChain(order=order).fit(data.X[train], data.Y[train]).predict(data.X[test]) == data.Y[test])
            for train, test in folds(data, 5, 0)
        ]
        exact[order] = np.vstack(right).all(axis=1).mean()
    best = max(exact, key=exact.__getitem__)
    worst = 100 * min(exact.values())
    has_line(lesson.text, "this draw", f"order {chain.in_words(best)}", "highest exact match", f"{exact[best]:.1%}")
    has_line(lesson.text, "lowest", f"{worst:.1f}%, {100 * exact[best] - worst:.1f} points less")
    every = pd.DataFrame(
        [chain_orders(simulate_shapes(400, overlap=0.5, random_state=i))["exact_match"] for i in range(10)]
    )
    ranked = friedmanchisquare(*every.to_numpy().T).statistic
    p = f_distribution.sf(9 * ranked / (10 * 5 - ranked), 5, 45)  # by Iman and Davenport
    has_line(lesson.text, "10 draws", f"p = {p:.3g}", "Iman", "Davenport", "order matters", "level", "0.10")
    front = max(exact, key=lambda order: every[[order]].to_numpy().mean())
    alone = sum((row == row.max()).sum() == 1 and every.columns[row.argmax()] == front for row in every.to_numpy())
    means = every.to_numpy().mean(axis=0)
    has_line(lesson.text, f"order {chain.in_words(front)} has the highest mean, {means.max():.1%}")
    has_line(lesson.text, f"lowest, {means.min():.1%}")
    has_line(lesson.text, "best order changes", f"{chain.in_words(front)} alone", f"{alone} of them")
    lesson.set("chain_overlap", 1.0)
    assert f"highest exact match, {exact[best]:.1%}" not in lesson.text


# In a browser


def play_with_keys(screen, page):
    """Lesson 5: the step of the address, then the next, the one before, and those that go by."""
    expect(page.get_by_text(re.compile("^Step 7 of 21: the cell in row 3, column 1"))).to_be_visible()
    page.evaluate("document.activeElement.blur()")  # in a field, a letter is a letter
    for key, number in (("n", 8), ("b", 7)):
        page.keyboard.press(key)
        expect(page.get_by_text(re.compile(f"^Step {number} of 21"))).to_be_visible()
        screen.rest()
    page.keyboard.press("p")
    expect(page.get_by_text(re.compile(r"^Step (8|9|\d\d) of 21"))).to_be_visible()
    page.keyboard.press("p")
    expect(page.get_by_role("button", name=re.compile("Play"))).to_be_visible()
    screen.rest()


def turn_with_arrows(screen, page):
    """Lesson 3: arrow keys lead to the next screen and back, and to none where they move a slider."""
    expect(page.get_by_role("radio", name="1 of 2")).to_be_checked()
    page.evaluate("document.activeElement.blur()")
    for key, screen_of_two in (("ArrowRight", 2), ("ArrowLeft", 1), ("ArrowRight", 2)):
        page.keyboard.press(key)
        expect(page.get_by_role("radio", name=f"{screen_of_two} of 2")).to_be_checked()
        screen.rest()
    page.get_by_role("radio", name="Less than a quarter").press("ArrowRight")
    expect(page.get_by_role("radio", name="2 of 2")).to_be_checked()
    page.get_by_role("radio", name="1 of 2").press("Space")
    screen.rest()


def take_most_data_sets(screen, page):
    """Lesson 6: the last stop of the slider, and times that are measured here."""
    page.get_by_role("radio", name="The difference is not significant").press("Space")
    expect(page.get_by_text("Right. Their average ranks")).to_be_visible()
    page.get_by_role("button", name=re.compile("^Next.*→")).press("Enter")
    expect(page.get_by_text("on these 9 data sets")).to_be_visible()  # the walk has moved it by one
    screen.rest()
    page.get_by_role("slider").press("End")
    expect(page.get_by_text("on these 40 data sets")).to_be_visible()
    screen.rest()
    page.get_by_role("radio", name="4 of 4").press("Space")
    page.get_by_role("radio", name="Measured here").press("Space")
    expect(page.get_by_text(re.compile("has the best average rank"))).to_be_visible()
    screen.rest()
    page.get_by_role("radio", name="1 of 4").press("Space")
    expect(page.get_by_role("radio", name="The difference is not significant")).to_be_checked()  # it is remembered
    screen.rest()


def go_to_rows(screen, page):
    """Lesson 7: another score, and the next row where answers differ."""
    page.get_by_role("radio", name="F1", exact=True).first.press("Space")
    expect(page.get_by_text(re.compile(r"The best answer for example F1 in row 1"))).to_be_visible()
    screen.rest()
    page.get_by_role("button", name="Next row where answers differ").press("Enter")
    expect(page.get_by_text(re.compile(r"The best answer for example F1 in row 3"))).to_be_visible()
    screen.rest()


OPENED = {5: "&lattice_width=2&step=7"}  # of which the slider makes 3
N_FIGURES = {3: 1, 5: 2, 6: 1, 7: 1}  # of the first screen
KEYS = {
    3: turn_with_arrows,
    5: play_with_keys,
    6: take_most_data_sets,
    7: go_to_rows,
}  # the screens of lesson 4 have a walk of their own


@pytest.mark.parametrize("number", NUMBERS)
def test_a_lesson_is_walked_by_keyboard(screen, number):
    page = screen.open(f"lesson-{number}?embed=true{OPENED.get(number, '')}")
    text = read(number)
    expect(page.get_by_role("heading", level=1)).to_have_text(text.title)
    expect(page.get_by_test_id("stSidebar")).to_have_count(0)
    expect(page.locator(".js-plotly-plot").first).to_be_visible()
    slider = page.get_by_test_id("stMain").get_by_role("slider")
    if slider.count():
        before = slider.first.input_value()
        slider.first.focus()
        screen.run_by(lambda: slider.first.press("ArrowRight"))
        expect(slider.first).not_to_have_value(before)
    if number in KEYS:
        KEYS[number](screen, page)
        expect(page.locator(".js-plotly-plot")).to_have_count(N_FIGURES[number])
    for group in page.get_by_test_id("stRadio").all():
        group.get_by_role("radio").last.press("Space")
        expect(group.get_by_role("radio").last).to_be_checked()
        screen.rest()
    questions = [block for block in text.screens[0] if isinstance(block, Question)]
    expect(page.get_by_text(re.compile(r"^(Right\.|Not quite)"))).to_have_count(len(questions))
    for scheme in screen.as_light_and_dark():
        assert not scrolls_sideways(page), scheme
        assert violations(page) == [], scheme
        assert illegible(page) == [], scheme
    assert long_winded(page) == []
    assert screen.console == []


def test_lessons_lead_to_one_another(screen):
    page = screen.open("lessons")
    assert violations(page) == []
    page.get_by_role("link", name=re.compile(re.escape(read(1).title))).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(read(1).title)
    screen.rest()
    page.get_by_role("link", name=re.compile(f"Next: {re.escape(read(2).title)}")).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(read(2).title)
    assert page.url.split("?")[0].endswith("/lesson-2")
    assert screen.console == []


def test_every_lesson_has_a_page():
    assert list(NUMBERS) == sorted(int(path.name[0]) for path in FOLDER.glob("[0-9]-*.md"))


def test_each_lesson_begins_at_its_first_screen(visitor):
    visitor.go("lesson_3").turn(2)
    assert visitor.go("lesson_4").widget("screen").value == 1
    assert visitor.turn(3).go("lesson_4").widget("screen").value == 3
