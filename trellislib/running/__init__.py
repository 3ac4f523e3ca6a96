"""How work is run: memory, processes, threads, progress, and checks of arguments."""
