"""Raw evidence on disk: bytes as received, a journal of what was asked, a manifest of what was meant."""
