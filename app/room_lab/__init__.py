"""The Room page: a board to play on, its state, what methods make of it, and its tables."""
