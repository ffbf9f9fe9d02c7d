"""Collectives, measured."""
