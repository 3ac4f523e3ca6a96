"""Lesson 2."""

from lessons import independence, page

page.show(2, independence.LESSON)
