"""Faults of what jobs are told on a host: /etc/nccl.conf."""

from fabric_audit.simulator.fabric import Host
from fabric_audit.simulator.faults.model import Change, Fault, Plot


def _says(name: str) -> Change:
    def change(host: Host, plot: Plot) -> None:
        if plot.size == "unset":
            del host.nccl_conf[name]
        else:
            host.nccl_conf[name] = plot.size

    return change


FAULTS = (
    Fault("nccl-class", "host", "NCCL does not send in the lossless class", _says("NCCL_IB_TC"), ("0", "unset")),
    Fault("nccl-gdr-level", "host", "NCCL may not use GPUDirect RDMA", _says("NCCL_NET_GDR_LEVEL"), ("LOC", "0")),
    Fault("nccl-misspelt", "host", "a setting of NCCL means nothing", _says("NCCL_NET_GDR_LEVEL"), ("pix", "PBX")),
    Fault("nccl-nics", "host", "NCCL is told to use one NIC alone", _says("NCCL_IB_HCA"), ("=mlx5_0", "unset")),
)
