"""Methods trained side by side."""
