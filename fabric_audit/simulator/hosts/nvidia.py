"""nvidia-smi of a simulated host."""

from fabric_audit.simulator.fabric import Host

_HEADER = "\x1b[4m"
_END = "\x1b[0m"


def smi(host: Host, arguments: tuple[str, ...]) -> tuple[str, str, int]:
    """(stdout, stderr, exit status) of nvidia-smi."""
    if not host.gpus:
        return "", "No devices were found\n", 6
    if arguments[:1] == ("topo",) and "-m" in arguments:
        return topology(host), "", 0
    query = next((a.partition("=")[2] for a in arguments if a.startswith("--query-gpu=")), "")
    if query:
        return _query(host, query.split(",")), "", 0
    return (
        "",
        f"Invalid combination of input arguments. Please run 'nvidia-smi -h' for help: {' '.join(arguments)}\n",
        2,
    )


def topology(host: Host) -> str:
    """The matrix of `nvidia-smi topo -m`: TAB separated, its header underlined even in a pipe (driver 550)."""
    gpus = [f"GPU{n}" for n in range(host.gpus)]
    nics = [f"NIC{n}" for n in range(len(host.nics))]
    header = "\t".join(["", *gpus, *nics, "CPU Affinity", "NUMA Affinity", "GPU NUMA ID"])
    lines = [f"{_HEADER}{header}{_END}"]
    for a in range(host.gpus):
        cells = [_gpu_cell(host, a, b) for b in range(host.gpus)]
        cells += [_nic_cell(host, a, b) for b in range(len(host.nics))]
        numa = host.nics[a].numa
        lines.append("\t".join([f"GPU{a}", *cells, f"{numa * 56}-{numa * 56 + 55}", str(numa), "\tN/A"]))
    for a in range(len(host.nics)):
        cells = [_nic_cell(host, b, a) for b in range(host.gpus)]
        cells += [" X " if b == a else "SYS" for b in range(len(host.nics))]
        lines.append("\t".join([f"NIC{a}", *cells, "", ""]))
    lines += ["", "Legend:", "", "  X    = Self", ""]
    lines += ["NIC Legend:", "", *(f"  NIC{n}: {nic.device}" for n, nic in enumerate(host.nics)), ""]
    return "\n".join(lines) + "\n"


def _gpu_cell(host: Host, a: int, b: int) -> str:
    if a == b:
        return " X "
    low, high = min(a, b), max(a, b)
    return host.nvlink_faults.get((low, high), f"NV{host.nvlinks}")


def _nic_cell(host: Host, gpu: int, nic: int) -> str:
    if gpu == nic:
        return "PIX"
    return "NODE" if host.nics[gpu].numa == host.nics[nic].numa else "SYS"


def _query(host: Host, fields: list[str]) -> str:
    rows = [", ".join(fields)]
    for index in range(host.gpus):
        known = {
            "index": str(index),
            "uuid": f"GPU-00000000-0000-4000-8000-{sum(host.name.encode()):06d}{index:06d}",
            "pci.bus_id": f"00000000:{0x1B + 0x10 * (index % 14):02X}:00.0",
            "driver_version": "550.90.07",
            "name": host.gpu_model,
        }
        rows.append(", ".join(known.get(field, "[N/A]") for field in fields))
    return "\n".join(rows) + "\n"
