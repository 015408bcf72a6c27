"""Slow twins of the package, written from the rules alone. They import nothing of it."""
