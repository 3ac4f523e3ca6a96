"""The room of light sensors: the posterior of people given a reading, decisions, estimates, and their comparison."""
