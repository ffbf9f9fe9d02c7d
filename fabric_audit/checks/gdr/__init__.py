"""GPUDirect RDMA."""
