"""Polls: who is counted, what is kept, and for how long; and two visitors who meet in one."""

import re
import time
from urllib.parse import parse_qs

import pytest
from playwright.sync_api import expect
from seen import scrolls_sideways, violations
from sentences import holds
from state import address
from state import polls as module
from state.polls import Polls

PHONE = {"width": 390, "height": 844}


@pytest.fixture
def held():
    return Polls()


def test_a_voter_is_counted_once_and_may_change(held):
    poll = held.get(held.ask("Clear?", ["Yes", " No ", ""]))
    for voter, answer in (("a", "Yes"), ("b", "Yes"), ("a", "No")):
        poll.vote(voter, answer)

    assert poll.counts() == {"Yes": 1, "No": 1}
    assert poll.vote_of("a") == "No"
    assert poll.vote_of("c") is None


def test_codes_cannot_be_guessed_and_stay_for_the_next_question(held):
    codes = {held.ask("Clear?", ["Yes", "No"]) for _ in range(3)}
    assert len(codes) == 3
    assert all(len(code) * 6 >= 128 for code in codes)  # 64 characters are possible

    code = codes.pop()
    held.get(code).vote("a", "Yes")
    assert held.ask("And now?", ["Yes", "No"], code) == code
    assert held.get(code).counts() == {"Yes": 0, "No": 0}


def test_votes_end_when_it_closes_and_then_the_counts_are_shown(held):
    poll = held.get(held.ask("Clear?", ["Yes", " No "], right="No"))
    poll.vote("a", "Yes")
    poll.close()
    for voter in "ab":
        poll.vote(voter, "No")

    assert poll.counts() == {"Yes": 1, "No": 0}
    assert poll.is_shown
    assert poll.right == "No"
    assert held.get(held.ask("Clear?", ["Yes", "No"], right="Perhaps")).right == ""


def test_nothing_is_left_of_a_poll_that_ends(held):
    code = held.ask("Clear?", ["Yes", "No"])
    held.end(code)

    assert held.get(code) is None
    held.end(code)


def test_a_poll_goes_an_hour_after_its_presenter(held, monkeypatch):
    code, left = held.ask("Clear?", ["Yes", "No"]), held.ask("Left?", ["Yes", "No"])
    now = time.monotonic()
    monkeypatch.setattr(module.time, "monotonic", lambda: now + 3500)
    held.get(code).watch()
    monkeypatch.setattr(module.time, "monotonic", lambda: now + 3700)

    assert held.get(code) is not None
    assert held.get(left) is None


def test_polls_and_votes_are_bounded(held, monkeypatch):
    monkeypatch.setattr(module, "MOST_POLLS", 2)
    monkeypatch.setattr(module, "MOST_VOTES", 2)
    code, _ = (held.ask("Clear?", ["Yes", "No"]) for _ in range(2))
    with pytest.raises(ValueError, match="2 polls"):
        held.ask("Clear?", ["Yes", "No"])
    held.ask("Again?", ["Yes", "No"], code)  # in place of its own

    poll = held.get(code)
    for voter in "abc":
        poll.vote(voter, "Yes")
    poll.vote("a", "No")
    assert poll.counts() == {"Yes": 1, "No": 1}
    assert not poll.admits("c")


@pytest.mark.parametrize(
    ("question", "answers", "named"),
    [
        (" ", ["Yes", "No"], ("question", "0")),
        ("x" * 301, ["Yes", "No"], ("question", "301")),
        ("Clear?", ["Yes", ""], ("1 answer", "2 to 5")),
        ("Clear?", list("abcdef"), ("6 answers", "2 to 5")),
        ("Clear?", ["Yes", "Yes "], ("Yes", "2 times")),
        ("Clear?", ["Yes", "x" * 121], ("xxx", "121")),
    ],
)
def test_a_question_that_cannot_be_asked_is_said_to_be_so(held, question, answers, named):
    with pytest.raises(ValueError) as error:
        held.ask(question, answers)
    assert all(name in str(error.value) for name in named)


def ask(presenter, question, *answers):
    """Ask a class a question; return the code of the poll, as the link has it."""
    presenter.go("poll").widget("poll_question").set_value(question)
    presenter.widget("poll_answers").set_value("\n".join(answers))
    presenter.click("ask")
    (link,) = [box.value for box in presenter.at.code if "poll=" in box.value]
    return link.partition("poll=")[2]


def choose(voter, answer):
    (ballot,) = voter.at.radio
    ballot.set_value(answer)
    return voter.run()


def bars(visitor, unescaped):
    return [unescaped(bar.proto.text) for bar in visitor.at.get("progress")]


def test_two_visitors_vote_and_see_the_counts_when_they_are_shown(visit, unescaped):
    presenter = visit(present="1")
    code = ask(presenter, "Is *this* clear?", "Yes", "No")
    first, second = visit(poll=code), visit(poll=code)
    assert unescaped(first.title) == "Is *this* clear?"
    assert list(first.at.radio[0].options) == ["Yes", "No"]
    assert not first.at.sidebar.children

    choose(first, "Yes")
    choose(second, "Yes")
    choose(second, "No")
    holds(first.takeaway, "counted", "change")
    assert "2 votes" in presenter.run().text
    assert not bars(presenter, unescaped) + bars(first.run(), unescaped)

    presenter.click("turn counts")
    expected = ["Yes: 1 (50%)", "No: 1 (50%)"]
    assert bars(presenter, unescaped) == bars(first.run(), unescaped) == expected
    assert not bars(presenter.click("turn counts"), unescaped)

    presenter.click("close poll")
    assert bars(presenter, unescaped) == bars(first.run(), unescaped) == expected
    holds(first.takeaway, "Voting is closed")
    assert "reveal" not in {button.key for button in presenter.at.button}, "no answer is said to be right"

    presenter.click("end poll")
    holds(first.run().takeaway, "No question")
    assert not first.at.radio

    assert ask(presenter, "And now?", "Yes", "No") == code
    assert unescaped(first.run().title) == "And now?"
    assert first.at.radio[0].value is None


def test_the_presenter_finds_a_poll_again_and_nobody_else_does(visit):
    presenter = visit()
    code = ask(presenter, "Clear?", "Yes", "No")
    back = visit(workspace=presenter.workspace().token).go("poll")
    assert back.title == "Clear?"
    assert back.workspace().poll == code
    assert visit().go("poll").workspace().poll == ""


def test_a_question_that_is_not_one_is_not_asked(visitor):
    visitor.go("poll").widget("poll_answers").set_value("Yes")
    visitor.click("ask")
    holds(visitor.errors[0], "1 answer", "2 to 5")


def test_a_lesson_on_the_stage_hands_over_its_question(visit):
    lesson = visit(present="1").go("lesson-1").turn(2)
    (link,) = [link.proto for link in lesson.at.get("page_link") if link.proto.label == "Ask the class"]
    asked = parse_qs(link.query_string)
    assert "Equally both ways" in asked["poll_answers"][0].splitlines()
    answers = asked["poll_answers"][0].splitlines()
    assert asked["poll_right"][0] not in answers, "the class sees the address"
    assert address.unveiled(asked["poll_right"][0]) in answers


def test_the_right_answer_is_revealed_when_the_presenter_wants_it(visit, unescaped):
    presenter = visit(present="1").go("poll")
    presenter.widget("poll_answers").set_value("Yes\nNo")
    presenter.run().set("poll_right", "No").click("ask")
    code = presenter.workspace().poll
    first, second = visit(poll=code), visit(poll=code)
    choose(first, "Yes")
    choose(second, "No")
    presenter.click("reveal")

    assert bars(presenter.run(), unescaped) == bars(first.run(), unescaped) == ["Yes: 1 (50%)", "✓ No: 1 (50%)"]
    holds(first.takeaway, "not right", "No")
    holds(second.run().takeaway, "is right")


def test_a_class_answers_on_its_phones(screen):
    page = screen.open("lesson-1?screen=2+of+2&present=1")
    page.get_by_role("link", name="Ask the class").click()
    expect(page.get_by_role("textbox", name="Question")).to_have_value(re.compile("y1 and y2"))
    page.get_by_role("button", name="Ask", exact=True).click()
    expect(page.get_by_text("0 votes")).to_be_visible()
    link = page.get_by_test_id("stCode").inner_text().strip()

    phone = page.context.new_page()
    try:
        phone.set_viewport_size(PHONE)
        phone.goto(link)
        phone.get_by_text("Equally both ways").click()
        expect(page.get_by_text("1 vote")).to_be_visible()  # by itself
        expect(phone.get_by_text("counted")).to_be_visible()
        page.get_by_role("button", name="Show counts").click()
        expect(phone.get_by_text("Equally both ways: 1 (100%)")).to_be_visible()
        expect(page.get_by_text("Equally both ways: 1 (100%)")).to_be_in_viewport(ratio=1)
        expect(phone.get_by_test_id("stSidebar")).to_have_count(0)
        assert not scrolls_sideways(phone)
        assert violations(phone) + violations(page) == []

        page.get_by_role("button", name="Show the right answer").click()
        expect(page.get_by_text("✓")).to_be_visible()
        expect(phone.get_by_text("✓")).to_be_visible()
        expect(phone.get_by_role("radio").first).to_be_disabled()
        page.get_by_role("button", name="New question").click()
        expect(phone.get_by_text("No question is open")).to_be_visible()
    finally:
        phone.close()
    page.keyboard.press("PageUp")
    expect(page.get_by_role("heading", level=1)).to_have_text("One label, many labels, many values")
    assert screen.console == []
