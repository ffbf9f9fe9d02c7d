"""Marking and congestion control."""
