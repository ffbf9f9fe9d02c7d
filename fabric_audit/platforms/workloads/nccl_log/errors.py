"""NCCL's warnings, with what they mean."""

import re
from collections.abc import Callable
from dataclasses import dataclass

# rdma-core libibverbs/verbs.h, enum ibv_wc_status; meanings: InfiniBand Architecture 1.4, 11.6.2.
WC_STATUS = {
    1: ("LOC_LEN_ERR", "a message was longer than the buffer that waited for it"),
    2: ("LOC_QP_OP_ERR", "the queue pair was misused: a software fault"),
    4: ("LOC_PROT_ERR", "local memory was not registered for this access: registration or a stale address"),
    5: ("WR_FLUSH_ERR", "a consequence: the queue pair had failed before; look for the first error"),
    9: ("REM_INV_REQ_ERR", "the peer refused the request as invalid: both ends disagree"),
    10: ("REM_ACCESS_ERR", "the peer's memory was not registered for this access"),
    11: ("REM_OP_ERR", "the peer could not complete the request: an MTU or hardware fault there"),
    12: ("RETRY_EXC_ERR", "no answer from the peer: path down or lossy, wrong GID, or the peer died"),
    13: ("RNR_RETRY_EXC_ERR", "the peer had no buffer ready: its process is slow, stuck or gone"),
    19: ("FATAL_ERR", "the device failed"),
    20: ("RESP_TIMEOUT_ERR", "the peer did not respond in time"),
    21: ("GENERAL_ERR", "a transport error that the device does not name"),
}
_ERRNO = {
    "Network is unreachable": 101,
    "No route to host": 113,
    "Connection timed out": 110,
    "Connection refused": 111,
    "Connection reset by peer": 104,
    "Invalid argument": 22,
    "Cannot allocate memory": 12,
    "Bad address": 14,
    "Operation not supported": 95,
    "Protocol not supported": 93,
    "No such device": 19,
}
_GID = "the GID chosen cannot reach the peer: wrong index, no route, or no answer to ARP"
_MEMORY = "registration failed: locked-memory limit (ulimit -l), no peer memory module, or no memory left"
_VERBS = {
    "ibv_modify_qp": _GID,
    "ibv_reg_mr": _MEMORY,
    "ibv_reg_mr_iova2": _MEMORY,
    "ibv_reg_dmabuf_mr": "the kernel or the device does not take GPU memory as a DMA-BUF",
    "ibv_create_cq": _MEMORY,
    "ibv_create_qp": _MEMORY,
}


@dataclass(frozen=True, slots=True)
class Event:
    """One warning, decoded; the fields are those of the table ``nccl_event``."""

    kind: str
    cause: str | None = None
    status: int = -1
    nic: str = ""
    peer: str = ""
    what: str = ""
    direction: str | None = None


_COMPLETION = re.compile(
    r"NET/\S+ ?: Got completion (?:from peer (\S+?)(?:<[0-9]+>)? )?with "
    r"(?:error ([0-9]+)|status=(?:[0-9]+|\w+\(([0-9]+)\)))"
)
_STATUS = re.compile(r"status=([0-9]+)")
_ASYNC = re.compile(
    r"NET/\S+ ?: (?:(\S+:[0-9]+) )?(?:Got (?:non-fatal |fatal )?async (?:error |fatal )?event|async fatal event)"
    r" ?: (.*)$"
)
_SPEED = re.compile(r"NET/\S+ ?: (\S+:[0-9]+) speed change detected: ([0-9]+) -> ([0-9]+) Mbps")
_CALL = re.compile(r"Call to ((?:ibv|mlx5dv)_\w+) failed(?: with error (.*?))?(?: errno ([0-9]+).*)?$")
_CONNECT = re.compile(r"(?:\w+: )?Connect to (\S+?)(?:<[0-9]+>)? failed : (.*)$")
_DUPLICATE = re.compile(r"Duplicate GPU detected : rank ([0-9]+) and rank ([0-9]+) both on CUDA device (\w+)")
_CUDA = re.compile(r"(?:Cuda|CUDA) failure(?: ([0-9]+))? '([^']*)'")
_P2P = re.compile(r"P2P is disabled between (NVLINK )?connected GPUs ([0-9]+) and ([0-9]+)")


def _completion(message: str, _source: str) -> Event | None:
    found = _COMPLETION.match(message)
    if not found:
        return None
    plain_status = _STATUS.search(message)
    status = int(found[2] or found[3] or (plain_status[1] if plain_status else "-1"))
    hca = re.search(r"\bhca (\S+)", message)
    way = re.search(r"\((Send|Recv)\)|req_type=(Send|Recv)", message)
    name, cause = WC_STATUS.get(status, ("", ""))
    return Event(
        kind="completion_error",
        status=status,
        cause=f"{name}: {cause}" if name else None,
        nic=hca[1] if hca else "",
        peer=found[1] or "",
        direction=(way[1] or way[2]) if way else None,
    )


def _async(message: str, _source: str) -> Event | None:
    found = _ASYNC.match(message)
    if not found:
        return None
    what = re.sub(r"\([0-9]+\)$", "", found[2]).strip()
    down = "port error" in what
    cause = "the port went down; no proof that it flaps" if down else "the device reported an asynchronous event"
    return Event(kind="async_event", nic=found[1] or "", what=what, cause=cause)


def _speed(message: str, _source: str) -> Event | None:
    found = _SPEED.match(message)
    if not found:
        return None
    words = f"{found[2]} -> {found[3]} Mb/s"
    slower = int(found[3]) < int(found[2])
    cause = f"the link came back {'slower' if slower else 'at another speed'}: {words}"
    return Event(kind="speed_change", nic=found[1], what=words, cause=cause)


def _verbs_call(message: str, _source: str) -> Event | None:
    found = _CALL.match(message)
    if not found:
        return None
    errno = int(found[3]) if found[3] else _ERRNO.get((found[2] or "").strip(), -1)
    return Event(kind="verbs_call", status=errno, what=found[1], cause=_VERBS.get(found[1]))


def _connect(message: str, _source: str) -> Event | None:
    found = _CONNECT.match(message)
    if not found:
        return None
    cause = "TCP between the processes, before any RDMA: the peer's process or the out-of-band interface"
    return Event(kind="connect", status=_ERRNO.get(found[2].strip(), -1), peer=found[1], cause=cause)


def _duplicate(message: str, _source: str) -> Event | None:
    found = _DUPLICATE.match(message)
    if not found:
        return None
    cause = "two ranks were given the same GPU: a fault of the launch, not of the fabric"
    return Event(kind="duplicate_gpu", what=f"ranks {found[2]} and {found[1]} on {found[3]}", cause=cause)


def _cuda(message: str, source: str) -> Event | None:
    found = _CUDA.search(message)
    if not found:
        return None
    nvls = "nvls" in source
    cause = "NVLink multicast could not be set up: container limits, or the fabric manager" if nvls else None
    return Event(kind="nvls" if nvls else "cuda", status=int(found[1] or -1), what=found[2], cause=cause)


def _p2p(message: str, _source: str) -> Event | None:
    found = _P2P.match(message)
    if not found:
        return None
    cause = "the driver denies peer access over NVLink: a hardware fault is likely" if found[1] else None
    return Event(kind="p2p_disabled", what=f"GPUs {found[2]} and {found[3]}", cause=cause)


_READERS: tuple[Callable[[str, str], Event | None], ...] = (
    _completion,
    _async,
    _speed,
    _verbs_call,
    _connect,
    _duplicate,
    _cuda,
    _p2p,
)


def read_warning(message: str, source: str) -> Event:
    """What a warning says; one of no known kind keeps its words, numbers left out."""
    return read_event(message, source) or Event(kind="warning", what=_without_numbers(message))


def read_event(message: str, source: str = "") -> Event | None:
    """What a message says, if it is of a known kind."""
    return next((event for reader in _READERS if (event := reader(message, source))), None)


def _without_numbers(message: str) -> str:
    return re.sub(r"0x[0-9a-fA-F]+|[0-9]+", "N", message)[:160]
