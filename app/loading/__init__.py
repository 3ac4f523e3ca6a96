"""The ways to a data set. One that cannot be made leaves what is loaded in place."""
