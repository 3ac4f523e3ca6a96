"""Label graphs side by side."""
