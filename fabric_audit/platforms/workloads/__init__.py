"""Programs that make or record traffic."""
