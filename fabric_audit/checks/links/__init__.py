"""Cables and both their ends."""
