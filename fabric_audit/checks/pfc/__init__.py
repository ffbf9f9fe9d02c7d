"""Priority-based flow control."""
