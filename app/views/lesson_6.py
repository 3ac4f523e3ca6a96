"""Lesson 6."""

from lessons import page, verdict

page.show(6, verdict.LESSON)
