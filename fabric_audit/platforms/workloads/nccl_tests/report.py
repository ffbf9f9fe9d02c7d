"""The JSON report of nccl-tests (``-J FILE``)."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from fabric_audit.errors import ParseError
from fabric_audit.facts.gpu_traffic import NcclTestRow
from fabric_audit.platforms.model import Answer, Skipped
from fabric_audit.platforms.text import json_document, mapping
from fabric_audit.platforms.workloads.nccl_tests.devices import Device, bus_address
from fabric_audit.platforms.workloads.nccl_tests.runs import Run
from fabric_audit.platforms.workloads.nccl_tests.table import bits_per_second


def is_report(text: str) -> bool:
    """Whether the text is a report, whole or cut."""
    return re.match(r'\s*\{\s*"version"\s*:', text) is not None


def read_report(text: str) -> Iterator[Answer]:
    """Runs of a report. Its ``env`` is a whole environment, secrets included, and is not looked at.

    Raises:
        ParseError: the report is cut, or lacks what every one has.
    """
    report = mapping(json_document(text), "a report of nccl-tests")
    config = mapping(report.get("config"), '"config" of a report of nccl-tests')
    results = report.get("results")
    if not isinstance(results, list):
        raise ParseError(0, str(results), '"results", a list')
    run = Run(1, 1, starts=1, devices_ended=True)
    arguments = report.get("args")
    program = str(arguments[0]) if isinstance(arguments, list) and arguments else ""
    found = re.search(r"(\w+)_perf$", program)
    run.collective = found[1] if found else None
    run.nccl_version = _version(report.get("nccl_version"))
    run.iterations = _whole(config.get("iterations"))
    validation = _whole(config.get("validation"))
    run.validation = None if validation is None else validation != 0
    run.devices = [device for entry in _list(config.get("devices")) if (device := _device(entry))]
    for number, entry in enumerate(results, 1):
        rows = _rows(entry)
        run.rows.extend(rows)
        if not rows:
            run.torn_rows += 1
            yield Skipped(0, str(entry)[:200], f"result {number} with size, count, out_of_place and in_place")
    _summary(run, report)
    yield from run.facts()


def _summary(run: Run, report: Mapping[str, Any]) -> None:
    bounds, average = report.get("out_of_bounds"), report.get("average_bus_bandwidth")
    run.out_of_bounds = _whole(bounds.get("count")) if isinstance(bounds, dict) else None
    value = _number(average.get("bandwidth")) if isinstance(average, dict) else None
    run.average_bps = None if value is None else bits_per_second(value)
    errors = [str(error) for error in _list(report.get("errors")) if error]
    run.failure = errors[0][:300] if errors else None


def _device(entry: object) -> Device | None:
    if not isinstance(entry, dict):
        return None
    rank, pid, device = (_whole(entry.get(name)) for name in ("rank", "pid", "device"))
    if rank is None or pid is None or device is None:
        return None
    host, bus, model = (str(entry.get(name, "")) for name in ("hostname", "device_hex", "device_info"))
    return Device(rank, pid, host, device, bus_address(bus), model)


def _rows(entry: object) -> list[NcclTestRow]:
    size = _whole(entry.get("size")) if isinstance(entry, dict) else None
    count = _whole(entry.get("count")) if isinstance(entry, dict) else None
    if not isinstance(entry, dict) or size is None or count is None:
        return []
    modes = [(name == "in_place", entry.get(name)) for name in ("out_of_place", "in_place")]
    return [_row(size, count, mode, in_place=in_place) for in_place, mode in modes if isinstance(mode, dict)]


def _row(size: int, count: int, mode: Mapping[str, Any], *, in_place: bool) -> NcclTestRow:
    algbw, busbw = _number(mode.get("alg_bw")), _number(mode.get("bus_bw"))
    wrong = _number(mode.get("nwrong"))
    return NcclTestRow(
        run=1,
        size_bytes=size,
        count=count,
        in_place=in_place,
        time_us=_number(mode.get("time", mode.get("cpu_time"))),
        algbw_bps=None if algbw is None else bits_per_second(algbw),
        busbw_bps=None if busbw is None else bits_per_second(busbw),
        wrong=None if wrong is None else int(wrong),
    )


def _version(code: object) -> str | None:
    """``22907`` is 2.29.7; before 2.9 there was one digit for the minor. Source: nccl.h NCCL_VERSION."""
    number = _whole(code)
    if number is None or number <= 0:
        return None
    major = 10_000 if number >= 10_000 else 1000  # noqa: PLR2004 - NCCL_VERSION
    return f"{number // major}.{number % major // 100}.{number % 100}"


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _whole(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _number(value: object) -> float | None:
    finite = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e300  # noqa: PLR2004
    return float(value) if finite else None  # type: ignore[arg-type]
