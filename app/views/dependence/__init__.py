"""What every pair of labels tells about each other."""
