"""Whether label structure is worth it, and what to use."""
