"""Paths through the fabric."""
