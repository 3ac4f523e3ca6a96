"""The views of the Trellis page: each shows one trellis in its own way, with `show`."""
