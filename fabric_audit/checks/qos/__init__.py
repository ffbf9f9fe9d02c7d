"""Classification on the way to the lossless queue."""
