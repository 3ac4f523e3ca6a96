"""Data sets by name: those known to the field, from a folder, a download or an installed package."""
