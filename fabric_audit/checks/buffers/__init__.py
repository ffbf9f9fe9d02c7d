"""Headroom and thresholds of the lossless class."""
