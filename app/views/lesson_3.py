"""Lesson 3."""

from lessons import chain, page

page.show(3, chain.LESSON)
