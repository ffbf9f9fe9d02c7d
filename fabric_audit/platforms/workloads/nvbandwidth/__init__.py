"""nvbandwidth: copies between a host's CPUs and GPUs."""
