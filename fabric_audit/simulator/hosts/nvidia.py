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
    if arguments[:2] == ("topo", "-p2p"):
        return _peer_access(host), "", 0
    if arguments[:2] == ("-q", "-x"):
        return _details(host), "", 0
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
        return "NODE" if gpu in host.far else "PIX"
    return "NODE" if host.nics[gpu].numa == host.nics[nic].numa else "SYS"


def _peer_access(host: Host) -> str:
    """`nvidia-smi topo -p2p r` and its like: whether GPUs may reach each other's memory."""
    gpus = range(host.gpus)
    lines = ["\t".join(["", *(f"GPU{n}" for n in gpus), ""])]
    for a in gpus:
        cells = ["X" if a == b else _access(host, a, b) for b in gpus]
        lines.append("\t".join([f" GPU{a}", *cells, ""]))
    legend = ("X    = Self", "OK   = Status Ok", "NS   = Not supported", "U    = Unknown")
    return "\n".join([*lines, "", "Legend:", "", *(f"  {line}" for line in legend)]) + "\n"


def _access(host: Host, a: int, b: int) -> str:
    blocked = (min(a, b), max(a, b)) in host.p2p_blocked
    return "TNS" if blocked else "OK" if _gpu_cell(host, a, b).startswith("NV") else "NS"


def _details(host: Host) -> str:
    """`nvidia-smi -q -x`, of what it tells about each GPU the part that is read."""
    gpus = "".join(_detail(host, index) for index in range(host.gpus))
    head = f"<driver_version>{host.driver}</driver_version><attached_gpus>{host.gpus}</attached_gpus>"
    return f'<?xml version="1.0" ?>\n<nvidia_smi_log>\n{head}\n{gpus}</nvidia_smi_log>\n'


def _detail(host: Host, index: int) -> str:
    reasons = ("gpu_idle", "sw_power_cap", "hw_slowdown", "hw_thermal_slowdown", "hw_power_brake_slowdown")
    told = "".join(
        f"<clocks_event_reason_{reason}>{'Active' if host.throttle.get(index) == reason else 'Not Active'}"
        f"</clocks_event_reason_{reason}>"
        for reason in reasons
    )
    link = "<current_link_gen>5</current_link_gen><max_link_gen>5</max_link_gen>"
    lanes = host.gpu_width.get(index, 16)
    widths = f"<current_link_width>{lanes}x</current_link_width><max_link_width>16x</max_link_width>"
    wrong = host.memory_faults.get(index, "")
    ecc = "Disabled" if wrong == "ecc_off" else "Enabled"
    remapped = {name: "Yes" if wrong == f"remap_{name}" else "No" for name in ("pending", "failed")}
    return (
        f'<gpu id="{_bus(index)}">\n'
        f"<product_name>{host.gpu_model}</product_name>\n"
        f"<uuid>{_uuid(host, index)}</uuid>\n"
        f"<mig_mode><current_mig>Disabled</current_mig></mig_mode>\n"
        f"<pci><pci_gpu_link_info><pcie_gen>{link}</pcie_gen><link_widths>{widths}</link_widths></pci_gpu_link_info>"
        "<replay_counter>0</replay_counter></pci>\n"
        "<performance_state>P0</performance_state>\n"
        f"<clocks_event_reasons>{told}</clocks_event_reasons>\n"
        "<fabric><state>Completed</state><status>Success</status></fabric>\n"
        f"<ecc_mode><current_ecc>{ecc}</current_ecc></ecc_mode>\n"
        f"<ecc_errors><volatile><dram_uncorrectable>{3 * (wrong == 'uncorrected')}</dram_uncorrectable></volatile>"
        "</ecc_errors>\n<remapped_rows><remapped_row_unc>0</remapped_row_unc>"
        f"<remapped_row_pending>{remapped['pending']}</remapped_row_pending>"
        f"<remapped_row_failure>{remapped['failed']}</remapped_row_failure></remapped_rows>\n"
        "<temperature><gpu_temp>41 C</gpu_temp></temperature>\n"
        "</gpu>\n"
    )


def _bus(index: int) -> str:
    return f"00000000:{0x1B + 0x10 * (index % 14):02X}:00.0"


def _uuid(host: Host, index: int) -> str:
    return f"GPU-00000000-0000-4000-8000-{sum(host.name.encode()):06d}{index:06d}"


def _query(host: Host, fields: list[str]) -> str:
    rows = [", ".join(fields)]
    for index in range(host.gpus):
        known = {
            "index": str(index),
            "uuid": _uuid(host, index),
            "pci.bus_id": _bus(index),
            "driver_version": host.driver,
            "name": host.gpu_model,
        }
        rows.append(", ".join(known.get(field, "[N/A]") for field in fields))
    return "\n".join(rows) + "\n"
