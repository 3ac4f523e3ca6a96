"""The lessons, and the frame that they share."""
