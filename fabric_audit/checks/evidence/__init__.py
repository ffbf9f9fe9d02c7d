"""Whether the evidence is there, understood and honest."""
