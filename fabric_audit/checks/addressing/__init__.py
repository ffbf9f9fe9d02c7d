"""Addresses of compute NICs."""
