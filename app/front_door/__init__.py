"""The parts of the Start page: the way from data to scores, and the runs of late."""
