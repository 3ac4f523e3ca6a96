"""What a visit holds: data, knobs, jobs, results, and the address that says which."""
