"""What is wrong with a model, its file, or the rows that it is asked about."""


class ModelError(ValueError):
    """A model that cannot be kept, read or asked; one sentence that names the file or the value and what to do."""
