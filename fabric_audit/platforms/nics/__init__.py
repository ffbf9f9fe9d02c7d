"""RDMA NICs."""
