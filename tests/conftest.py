"""What holds for all tests."""

from hypothesis import settings

settings.register_profile("any machine", deadline=None)  # a slow machine breaks no property
settings.load_profile("any machine")
