"""The trellis: tuned, taken apart, scored."""
