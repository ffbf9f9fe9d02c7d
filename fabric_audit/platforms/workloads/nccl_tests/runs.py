"""What one run of an nccl-tests program comes to."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from fabric_audit.facts.gpu_traffic import NcclTest, NcclTestGpu, NcclTestRow
from fabric_audit.platforms.model import Answer, Missing, Why
from fabric_audit.platforms.workloads.nccl_tests.devices import Device

_SHARES = {"all_reduce": 2, "all_gather": 1, "reduce_scatter": 1, "alltoall": 1}
"""Bus bandwidth is (n - 1) / n times so much of the algorithm's. Source: nccl-tests doc/PERFORMANCE.md."""
_ROUNDED_BPS = 0.02 * 8e9  # both are printed with two decimals of GB/s


@dataclass(slots=True)
class Run:
    """A run as far as it was read."""

    number: int
    line: int
    starts: int = 0
    """How many programs announced themselves before the first row."""
    collective: str | None = None
    version: str | None = None
    nccl_version: str | None = None
    iterations: int | None = None
    validation: bool | None = None
    devices: list[Device] = field(default_factory=list)
    lost_devices: bool = False
    """Whether a line of the list of devices could not be read."""
    devices_ended: bool = False
    """Whether anything stands below the list of devices."""
    rows: list[NcclTestRow] = field(default_factory=list)
    torn_rows: int = 0
    average_bps: float | None = None
    out_of_bounds: int | None = None
    failure: str | None = None

    @property
    def begun(self) -> bool:
        """Whether anything but an announcement was read."""
        return bool(self.rows or self.torn_rows or self.out_of_bounds is not None or self.failure)

    def facts(self) -> Iterator[Answer]:
        """The run as one row, its GPUs and its sizes."""
        outcome = self._outcome()
        shared = [] if outcome == "not_one_communicator" else self.rows
        largest = max((row.size_bytes for row in shared if row.busbw_bps is not None), default=None)
        models = {device.model for device in self.devices}
        ranks = self._ranks
        yield NcclTest(
            run=self.number,
            collective=self.collective,
            version=self.version,
            nccl_version=self.nccl_version,
            ranks=ranks,
            hosts=len({device.host for device in self.devices}) if ranks and self._all_listed else None,
            model=models.pop() if len(models) == 1 else None,
            iterations=self.iterations,
            validation=self.validation,
            largest_bytes=largest,
            busbw_bps=_busbw(shared, largest, in_place=False),
            busbw_in_place_bps=_busbw(shared, largest, in_place=True),
            average_busbw_bps=self.average_bps,
            wrong=_wrong(shared),
            out_of_bounds=self.out_of_bounds,
            outcome=outcome,
            message=self.failure,
            line=self.line,
        )
        if outcome != "not_one_communicator":
            for device in self.devices:
                yield NcclTestGpu(
                    run=self.number,
                    rank=device.rank,
                    host=device.host,
                    pid=device.pid,
                    device=device.device,
                    bus=device.bus,
                    model=device.model,
                )
        yield from shared
        if not shared:
            yield Missing(NcclTestRow.TABLE, Why.ABSENT, f"no usable row in run {self.number}: {outcome}")

    @property
    def _all_listed(self) -> bool:
        ranks = sorted(device.rank for device in self.devices)
        return bool(ranks) and ranks == list(range(len(ranks)))

    @property
    def _ranks(self) -> int | None:
        """The number of ranks as their list says, unless the list is torn or the bandwidths tell another."""
        ranks = max((device.rank for device in self.devices), default=-1) + 1
        if self.lost_devices or not ranks or not self.devices_ended:
            return None
        measured = [row for row in self.rows if row.algbw_bps and row.busbw_bps is not None]
        row = max(measured, key=lambda row: row.algbw_bps or 0, default=None)
        if row is None:
            return ranks
        if self.collective not in _SHARES:
            return ranks if ranks > 1 or self.collective or not row.busbw_bps else None
        algbw, busbw = row.algbw_bps or 0.0, row.busbw_bps or 0.0
        fits = abs(busbw - _SHARES[self.collective] * (ranks - 1) / ranks * algbw) <= _ROUNDED_BPS + 0.01 * algbw
        return ranks if fits else None

    def _outcome(self) -> str:
        alone = [device for device in self.devices if device.rank == 0]
        if len(alone) > 1 or (self.starts > 1 and len(alone) == len(self.devices)):
            return "not_one_communicator"
        if self.failure:
            return "failed"
        if self.out_of_bounds or _wrong(self.rows):
            return "wrong_values"
        if not any(row.busbw_bps is not None for row in self.rows):
            return "no_result"
        if self.out_of_bounds is None:
            return "cut"
        return "single_gpu" if self._ranks == 1 else "ok"


def _busbw(rows: Sequence[NcclTestRow], size: int | None, *, in_place: bool) -> float | None:
    found = [row.busbw_bps for row in rows if row.size_bytes == size and row.in_place is in_place]
    return found[-1] if found and size is not None else None


def _wrong(rows: Sequence[NcclTestRow]) -> int | None:
    checked = [row.wrong for row in rows if row.wrong is not None]
    return sum(checked) if checked else None
