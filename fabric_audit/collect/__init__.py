"""Runs a plan through transports into a capture: the only threads, and nothing that judges."""
