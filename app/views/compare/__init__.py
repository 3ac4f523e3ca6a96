"""Scores, ranks, times and tests of trained methods."""
