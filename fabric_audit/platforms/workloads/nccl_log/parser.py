"""``NCCL_DEBUG=INFO``: a job's own account of the paths it uses."""

from collections.abc import Iterator
from io import StringIO

from fabric_audit.errors import ParseError
from fabric_audit.facts.nccl import (
    NcclChannel,
    NcclDevice,
    NcclEnv,
    NcclEvent,
    NcclGdrDistance,
    NcclGraph,
    NcclLog,
    NcclRank,
)
from fabric_audit.platforms.model import Answer, Output, Provenance, section
from fabric_audit.platforms.reading import first_line
from fabric_audit.platforms.workloads.nccl_log.reader import read_log


@section(
    "nccl-log",
    yields=(NcclLog, NcclRank, NcclChannel, NcclGraph, NcclDevice, NcclGdrDistance, NcclEnv, NcclEvent),
    proven=Provenance.FIELD,
)
def parse_nccl_log(output: Output) -> Iterator[Answer]:
    """NCCL's debug log, versions 2.4 to 2.30, alone or mixed with anything else a job prints.

    Every line of NCCL carries ``host:pid:tid [cudaDev] NCCL INFO``; launchers put time stamps,
    ``[1,0]<stdout>:`` or ``0: `` in front. Read are: the path of each channel (``... via P2P/CUMEM``,
    ``SHM/direct/direct``, ``NET/IB/0/GDRDMA``), rings and trees, the devices in use, GPUDirect RDMA per NIC and
    by distance, the environment, communicators, warnings.

    Traps. The default subsystems print no distance and no per-NIC line, so that their absence proves nothing, while
    the line of each channel is always there. ``GPU Direct RDMA Enabled for HCA`` says that it is possible. Numbers
    of distances changed with 2.6, 2.8, 2.12, 2.26 and 2.27 and are named only with the version known. A line that
    two writers share, that is cut, or whose path is in no version's words is skipped and counted; NET lines with a
    stray ``/GDRDMA`` soon after are skipped too: one of them lost it by tearing.

    Source: NCCL src/transport/{net,p2p,shm,coll_net,net_ib}.cc, src/graph/{paths,topo}.cc, src/init.cc,
    src/debug.cc, tags v2.4.2 to v2.30.7.
    """
    understood = False
    for answer in read_log(StringIO(output.stdout, newline="\n")):
        if isinstance(answer, NcclLog) and not answer.nccl_lines:
            break
        understood = True
        yield answer
    if not understood:
        line = first_line(output.stdout)
        raise ParseError(1 if line else 0, line, "lines of NCCL: host:pid:tid [device] NCCL INFO ...")
