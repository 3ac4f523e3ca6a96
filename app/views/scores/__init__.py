"""Score tables from elsewhere, ranked and tested."""
