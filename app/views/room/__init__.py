"""The room of light sensors."""
