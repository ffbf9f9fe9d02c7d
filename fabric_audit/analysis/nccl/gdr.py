"""Does every channel over the network use GPUDirect RDMA, and if not, whose does not and why?"""

from collections.abc import Iterator, Mapping, Sequence
from enum import Enum, auto

from fabric_audit.analysis.gpu_models import Wiring
from fabric_audit.analysis.nccl.causes import cause
from fabric_audit.analysis.nccl.job import Connection, Job, Rank, channels, connections, named, over_tcp, subject
from fabric_audit.findings import Finding, Verdict

_EXPECTED = "GDRDMA on every channel over the network"
_SOURCE = "NCCL user guide, 'GPUDirect RDMA' and NCCL_NET_GDR_LEVEL; NCCL src/graph/paths.cc"
_ASK_MODEL = "nvidia-smi --query-gpu=index,name --format=csv"
_READ_RULE = (
    "before Ampere, NCCL lets the NIC read GPU memory only where an NVLink peer exists or the host has one GPU "
    "(NCCL_NET_GDR_READ=-2), so that sends go through host memory by design"
)


class _State(Enum):
    """What a rank's network channels show."""

    FULL = auto()
    """GPUDirect RDMA on all."""
    LACKING = auto()
    """Not on all, and that is a fault."""
    DESIGNED = auto()
    """Not on sends, as NCCL does by default on this GPU."""
    UNDECIDED = auto()
    """Not on sends, and the GPU's model is unknown."""


def judge_gdr(job: Job) -> Iterator[Finding]:
    """One finding for each rank that lacks GPUDirect RDMA; one for the job where all have it, or none has."""
    ranks: dict[Rank, list[Connection]] = {}
    for one in connections(job, "net"):
        if not over_tcp(one.fact.network):
            ranks.setdefault(one.rank, []).append(one)
    if not ranks:
        return
    states = {rank: _state(job, rank, some) for rank, some in ranks.items()}
    if _sends_with_gdr(ranks):  # somebody can: where a rank cannot, the model is not the reason
        states = {r: _State.LACKING if state is _State.UNDECIDED else state for r, state in states.items()}
    yield from _by_state(job, ranks, states)


def _state(job: Job, rank: Rank, some: Sequence[Connection]) -> _State:
    if all(one.fact.gdr for one in some):
        return _State.FULL
    sends = [one.fact.gdr for one in some if one.fact.direction == "send"]
    receives = [one.fact.gdr for one in some if one.fact.direction == "receive"]
    read_alone = bool(sends and receives) and not any(sends) and all(receives)
    if not read_alone or job.setting(rank.process, "NCCL_NET_GDR_READ") == "0":
        return _State.LACKING
    model = job.model(rank)
    if model is None:
        return _State.UNDECIDED
    return _State.DESIGNED if not model.gdr_read and model.wiring is Wiring.NONE else _State.LACKING


def _sends_with_gdr(ranks: Mapping[Rank, Sequence[Connection]]) -> bool:
    return any(one.fact.gdr and one.fact.direction == "send" for some in ranks.values() for one in some)


def _by_state(job: Job, ranks: Mapping[Rank, Sequence[Connection]], states: Mapping[Rank, _State]) -> Iterator[Finding]:
    count = {state: sum(one is state for one in states.values()) for state in _State}
    every = [one for some in ranks.values() for one in some]
    if count[_State.FULL] == len(ranks):
        number = sum(len(one.numbers) for one in every)
        yield _of_job(Verdict.PASS, f"all {number} channels of {len(ranks)} ranks over the network use it")
    if count[_State.DESIGNED]:
        yield _of_job(Verdict.PASS, f"{count[_State.DESIGNED]} ranks send without it and receive with it: {_READ_RULE}")
    if count[_State.UNDECIDED]:
        words = (
            f"{count[_State.UNDECIDED]} ranks send without it and receive with it: {_READ_RULE}; on Ampere and later "
        )
        yield _of_job(Verdict.UNKNOWN, f"{words}that is a fault; {_ASK_MODEL} decides")
    if count[_State.LACKING] == len(ranks) and not any(one.fact.gdr for one in every):
        yield _nobody(job, every)
        return
    for rank, state in sorted(states.items()):
        if state is _State.LACKING:
            yield _rank(job, rank, [one for one in ranks[rank] if one.fact.gdr is False])


def _of_job(verdict: Verdict, words: str) -> Finding:
    return Finding(
        verdict=verdict,
        subject=("job", "GPUDirect RDMA"),
        message=f"GPUDirect RDMA: {words}",
        expected=_EXPECTED,
        remedy_source=_SOURCE,
        reproduce=_ASK_MODEL if verdict is Verdict.UNKNOWN else "NCCL_DEBUG=INFO",
    )


def _rank(job: Job, rank: Rank, bad: Sequence[Connection]) -> Finding:
    ways = ("send", "receive")
    by_way = {way: [one for one in bad if one.fact.direction == way] for way in ways}
    which = "; ".join(f"{way} {channels(some)}" for way, some in by_way.items() if some)
    why, remedy = cause(job, rank, bad)
    who = named(job, rank, bad[0].fact.gpu)
    return _fault(
        subject(rank),
        f"{who} moves data through host memory on {_nics(bad)}: {which} without GPUDirect RDMA; {why}",
        remedy,
        bad,
    )


def _nobody(job: Job, every: Sequence[Connection]) -> Finding:
    why, remedy = cause(job, every[0].rank, every)
    words = f"no channel over the network uses GPUDirect RDMA ({_nics(every)}); {why}"
    return _fault(("job", "GPUDirect RDMA"), words, remedy, every)


def _fault(who: tuple[str, ...], words: str, remedy: str, bad: Sequence[Connection]) -> Finding:
    return Finding(
        verdict=Verdict.FAIL,
        subject=who,
        message=words,
        expected=_EXPECTED,
        observed=", ".join(sorted({one.fact.path or "" for one in bad})),
        remedy=remedy,
        remedy_source=_SOURCE,
        evidence=tuple(one.evidence for one in bad[:8]),
        reproduce="NCCL_DEBUG=INFO",
    )


def _nics(some: Sequence[Connection]) -> str:
    return ", ".join(sorted({one.fact.nic or f"NIC {one.fact.net_device}" for one in some}))
