"""The parser of the file that ``--out_json`` writes."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from fabric_audit.errors import ParseError
from fabric_audit.facts.performance import PerftestRow
from fabric_audit.platforms.model import Answer, Missing, Output, Provenance, When, Why, section
from fabric_audit.platforms.text import numbered, plain
from fabric_audit.platforms.workloads.perftest.figures import Bandwidth, bandwidth, figure, latency
from fabric_audit.platforms.workloads.perftest.header import program, title

Values: TypeAlias = Mapping[str, str]
"""Names and values of one of the file's two objects, values as printed."""

_TIMES = ("t_min", "t_max", "t_typical", "t_avg", "percentile_99", "percentile_99.9")
_ONE_FIGURE = ("bw_avg", "msgRate_avg", "avg_lat")
_OBJECT = re.compile(r'"?(?P<name>[\w.]+)"?\s*:\s*\{')
_PAIR = re.compile(r'"?(?P<name>[\w. ]+?)"?\s*:\s*(?:"(?P<quoted>[^"]*)"|(?P<bare>[^",{}]+?))\s*,?')


@section("perftest-json", yields=(PerftestRow,), proven=Provenance.FIELD, when=When.REQUEST)
def perftest_json(output: Output) -> Iterator[Answer]:
    """The file of ``--out_json --out_json_file=FILE``: two objects, ``test_info`` and ``results``.

    perftest truncates the file before each row: with ``-a`` it holds the last size only. Before January 2024 no
    name and few values were quoted and commas stood before closing braces; the raw Ethernet QoS form still has
    ``sl: 3``, and a deviation that cannot be computed is ``-nan``. All of these are read, a cut file is not.

    The unit is not stored. It is the one in which size times message rate gives the average; where the message
    rate is too small to tell, the bandwidth is left out.

    Source: linux-rdma/perftest ``src/perftest_parameters.c`` ``write_test_info_to_file``,
    ``write_bw_report_to_file``; pull request 239.
    """
    info, results = _objects(output.stdout)
    line = next((n for n, text in numbered(output.stdout) if "MsgSize" in text), 1)
    if any(name in results for name in _ONE_FIGURE):
        yield Missing(PerftestRow.TABLE, Why.NOT_SUPPORTED, "--output left one figure, without size and unit")
        return
    size, iterations = (_whole(results, name, line) for name in ("MsgSize", "n_iterations"))
    about = _about(info, line)
    if "BW_average" in results:
        printed = Bandwidth(
            size=size,
            iterations=iterations,
            average=figure(results["BW_average"], line),
            peak=figure(results["BW_peak"], line) if "BW_peak" in results else None,
            rate=figure(results["MsgRate"], line) if "MsgRate" in results else None,
            bidirectional=bool(about["bidirectional"]),
        )
        if printed.rate is None:
            raise ParseError(line, str(dict(results)), "MsgRate, without which no unit can be told")
        figures = bandwidth(printed, None, line)
    else:
        times = {name: figure(results[name], line) for name in _TIMES if name in results}
        if "t_avg" not in times:
            raise ParseError(line, str(dict(results)), "BW_average or t_avg")
        figures = latency(iterations, times, line)
    yield PerftestRow(**about, **figures, size_bytes=size, line=line)


def _about(info: Values, line: int) -> dict[str, Any]:
    named = title(info.get("test", ""))
    if named is None:
        raise ParseError(line, info.get("test", ""), "a test of perftest, such as RDMA_Write_BW_Test")
    connection = info.get("Connection_type")
    whole = {"qps": "Number_of_qps", "mtu_bytes": "Mtu", "gid_index": "GID_index"}
    return {
        "tool": program(named[0], connection),
        "bidirectional": named[1],
        "device": info.get("Device"),
        "connection": connection,
        "link_layer": info.get("Link_type"),
    } | {field: _whole(info, name, line) for field, name in whole.items() if name in info}


def _whole(values: Values, name: str, line: int) -> int:
    if not re.fullmatch(r"\d{1,15}", values.get(name, "")):
        raise ParseError(line, values.get(name, ""), f"a whole number for {name}")
    return int(values[name])


def _objects(text: str) -> tuple[Values, Values]:
    """(test_info, results), from JSON or from the forms that resemble it.

    Raises:
        ParseError: the text is neither, or cut.
    """
    decoder = json.JSONDecoder(parse_float=str, parse_int=str, parse_constant=str)
    try:
        found: Any = decoder.decode(plain(text).strip())
    except (json.JSONDecodeError, RecursionError):
        found = _lines(text)
    if not isinstance(found, dict):
        raise ParseError(1, text.strip().split("\n")[0], "an object with test_info and results")
    parts = []
    for name in ("test_info", "results"):
        part = found.get(name)
        if not isinstance(part, dict) or not all(isinstance(value, str) for value in part.values()):
            raise ParseError(1, str(part or ""), f"an object {name} of names and plain values")
        parts.append(part)
    return parts[0], parts[1]


def _lines(text: str) -> dict[str, dict[str, str]]:
    """The objects of a text that holds one name and value a line, quoted or not."""
    found: dict[str, dict[str, str]] = {}
    depth, inner = 0, ""
    number, line = 0, ""
    for number, line in numbered(text):
        stripped = line.strip()
        if depth == 0 and stripped == "{":
            depth = 1
        elif depth == 1 and (opened := _OBJECT.fullmatch(stripped)):
            depth, inner = 2, opened["name"]
            found[inner] = {}
        elif depth and stripped in ("}", "},"):
            depth -= 1
        elif depth == 2 and (pair := _PAIR.fullmatch(stripped)):  # noqa: PLR2004 - within an inner object
            found[inner][pair["name"]] = pair["bare"] if pair["quoted"] is None else pair["quoted"]
        elif stripped:
            raise ParseError(number, line, "a name and a value of perftest's result file")
    if depth or not found:
        raise ParseError(number, line, "a result file with all its closing braces")
    return found
