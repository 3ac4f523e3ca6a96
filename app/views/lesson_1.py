"""Lesson 1."""

from lessons import many_labels, page

page.show(1, many_labels.LESSON)
