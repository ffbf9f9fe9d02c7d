"""What a link's speed means to a job: collectives wait for the slowest link they cross.

A ring all-reduce of S bytes over N GPUs sends 2 (N - 1) / N x S through every GPU's link: a reduce-scatter and an
all-gather of N - 1 steps each, and in every step each GPU sends an Nth part to the next. All steps are as long as that
of the slowest link. Source: NVIDIA/nccl-tests doc/PERFORMANCE.md (algorithm and bus bandwidth); Patarasuk and Yuan,
"Bandwidth optimal all-reduce algorithms for clusters of workstations" (2009).
"""


def ring_share(gpus: int) -> float:
    """Bytes that a ring all-reduce sends through each GPU's link, for each byte reduced: 1.75 at 8, towards 2."""
    return 2 * (gpus - 1) / gpus if gpus > 0 else 0.0


def ring_seconds(gpus: int, size_bytes: int, slowest_bps: float) -> float:
    """How long a ring all-reduce takes at least when its slowest link carries so many bits a second."""
    return ring_share(gpus) * size_bytes * 8 / slowest_bps


def times_longer(slowest_bps: float, usual_bps: float) -> float:
    """How many times as long a collective takes for its slowest link, compared with one whose links are all usual."""
    return max(1.0, usual_bps / slowest_bps) if slowest_bps > 0 else float("inf")


def impact(subject: str, slowest_bps: float, usual_bps: float, gpus: int) -> str:
    """In words for a report, what a slow link does to jobs that cross it, and what mending it gives back."""
    longer = times_longer(slowest_bps, usual_bps)
    if longer == float("inf"):
        return f"collectives between hosts that include {subject} do not end"
    words = f"collectives between hosts that include {subject} take up to {longer:.2f} times as long"
    if gpus < 2:  # noqa: PLR2004 - a ring
        return words
    saved = [ring_seconds(gpus, 10**9, bps) * 1e3 for bps in (slowest_bps, usual_bps)]
    return f"{words}: a ring all-reduce of 1 GB over {gpus} GPUs {saved[0]:.3g} ms instead of {saved[1]:.3g} ms"
