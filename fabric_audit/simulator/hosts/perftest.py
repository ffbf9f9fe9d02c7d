"""perftest of a simulated host: the flow a command line asks for, and what both ends print about it."""

from collections.abc import Mapping
from dataclasses import dataclass

from fabric_audit.simulator.fabric import Fabric, Host, Nic
from fabric_audit.simulator.traffic import Listening, Traffic, nic_by_ip

TOOLS = ("ib_write_bw", "ib_send_bw", "ib_read_bw", "ib_write_lat", "ib_send_lat")
_TITLES = {"write": "RDMA_Write", "send": "Send", "read": "RDMA_Read"}
_RULE = "-" * 87
VERSION = "Version: 6.24\n"
_HELP = """Usage:
  {tool}            start a server and wait for connection
  {tool} <host>     connect to server at <host>

Options:
  -b, --bidirectional  Measure bidirectional bandwidth (default unidirectional)
  -d, --ib-dev=<dev>  Use IB device <dev> (default first device found)
  -D, --duration  Run test for a customized period of seconds.
  -F, --CPU-freq  Do not show a warning even if cpufreq_ondemand module is loaded, and cpu-freq is not on max.
  -i, --ib-port=<port>  Use port <port> of IB device (default 1)
  -n, --iters=<iters>  Number of exchanges (at least 5, default 5000)
  -p, --port=<port>  Listen on/connect to port <port> (default 18515)
  -q, --qp=<num of qp's>  Num of qp's(default 1)
  -s, --size=<size>  Size of message to exchange (default 65536)
  -x, --gid-index=<index>  Test uses GID with GID index
      --ipv6-addr  Use IPv6 address
      --tclass=<value>  Set the Traffic Class in GRH (if GRH is in use)
      --report_gbits  Report Max/Average BW of test in Gbit/sec (instead of MiB/sec)
      --use_cuda=<cuda device id>  Use CUDA specific device for GPUDirect RDMA testing
      --use_cuda_dmabuf  Use CUDA DMA-BUF for GPUDirect RDMA testing
      --use_hugepages  Use Hugepages instead of contig, memalign allocations.
"""


_RETRIED = " Completion with error at client\n Failed status 12: wr_id 0 syndrom 0x81\nscnt=128, ccnt=0\n"
"""What a client says of packets that never were acknowledged."""


@dataclass(frozen=True, slots=True)
class Call:
    """A perftest command line, read."""

    tool: str
    options: Mapping[str, str]
    peer: str

    @property
    def gpu(self) -> int | None:
        """The GPU whose memory it uses; None for the host's."""
        return int(self.options["--use_cuda"]) if "--use_cuda" in self.options else None

    @property
    def latency(self) -> bool:
        """Whether it measures latency."""
        return self.tool.endswith("_lat")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one end left behind."""

    stdout: str
    stderr: str = ""
    rc: int = 0


def help_text(tool: str, arguments: tuple[str, ...]) -> tuple[str, str, int]:
    """What `--version` and `--help` print."""
    if "--version" in arguments or "-V" in arguments:
        return VERSION, "", 0
    return _HELP.replace("{tool}", tool), "", 0


def read_call(argv: tuple[str, ...]) -> Call:
    """Read a command line; `taskset -c CPUS` before it is passed over."""
    words = list(argv[3:] if argv[0] == "taskset" else argv)
    tool, options, peer = words.pop(0).rsplit("/", 1)[-1], {}, ""
    flags = {"-F", "-b", "--report_gbits", "--use_cuda_dmabuf", "--ipv6-addr"}
    while words:
        word = words.pop(0)
        if word in flags:
            options[word] = "1"
        elif word.startswith("--"):
            name, _, value = word.partition("=")
            options[name] = value
        elif word.startswith("-"):
            options[word] = words.pop(0)
        else:
            peer = word
    return Call(tool, options, peer)


def nic_of(host: Host, call: Call) -> Nic | None:
    """The NIC that the command line names."""
    return next((nic for nic in host.nics if nic.device == call.options.get("-d")), None)


def unusable(host: Host, call: Call) -> Outcome | None:
    """Why the test cannot begin on this host, None where it can."""
    if not host.perftest:
        return Outcome("", f"timeout: failed to run command '{call.tool}': No such file or directory\n", 127)
    nic = nic_of(host, call)
    if nic is None:
        words = f"IB device {call.options.get('-d')} not found\n Unable to find the Infiniband/RoCE device\n"
        return Outcome("", words, 1)
    if not nic.up:
        return Outcome("", " Port number 1 state is Down\n Couldn't set the link layer\n", 1)
    if "--use_cuda" in call.options and not host.peermem and "--use_cuda_dmabuf" not in call.options:
        return Outcome(
            "", "Couldn't allocate MR with error=14\nFailed to create MR\n Couldn't create IB resources\n", 1
        )
    return None


async def serve(traffic: Traffic, host: Host, call: Call) -> Outcome:
    """Wait for the client, then repeat its figures."""
    nic = nic_of(host, call)
    if nic is None:
        raise AssertionError
    waiting = traffic.listening[nic.host, int(call.options["-p"])]
    await waiting.arrived.wait()
    await waiting.done.wait()
    return Outcome(waiting.client)


async def send(traffic: Traffic, fabric: Fabric, host: Host, call: Call) -> Outcome:
    """Find the server, send, and print what came of it."""
    nic, server = nic_of(host, call), nic_by_ip(fabric.nics(), call.peer)
    port = call.options["-p"]
    waiting = traffic.listening.get((server.host, int(port))) if server else None
    if nic is None or server is None or waiting is None:
        words = f"Couldn't connect to {call.peer}:{port}\nUnable to open file descriptor for socket connection"
        return Outcome("", f"{words}\n Unable to init the socket connection\n", 1)
    waiting.arrived.set()
    pairs = int(call.options.get("-q", "1"))
    flows = traffic.flows(nic, waiting.nic, int(call.options.get("--tclass", "0")), int(port), pairs)
    mine, theirs = call.gpu, waiting.gpu
    for flow in flows:
        flow.client_gpu_bps = None if mine is None else host.gpu_bps(mine)
        flow.server_gpu_bps = None if theirs is None else fabric.hosts[server.host].gpu_bps(theirs)
    duration = float(call.options.get("-D", "1"))
    if any(flow.broken for flow in flows):
        await traffic.clock.sleep(duration)
        return Outcome("", _RETRIED, 1)
    bps = await traffic.test(flows, duration)
    text = _printed(call, nic, waiting.nic, bps, duration, flows[0].payload)
    waiting.client = text.replace(f"Device         : {nic.device}", f"Device         : {waiting.nic.device}")
    waiting.done.set()
    return Outcome(text)


def _printed(call: Call, nic: Nic, server: Nic, bps: float, duration: float, mtu: int) -> str:
    kind = call.tool.split("_")[1]
    title = f"{_TITLES[kind]} {'Latency' if call.latency else 'BW'} Test"
    size = int(call.options.get("-s", "65536"))
    head = [
        *([" WARNING: BW peak won't be measured in this run."] if "-D" in call.options else []),
        _RULE,
        f"                    {title}",
        f" Dual-port       : OFF\t\tDevice         : {nic.device}",
        f" Number of qps   : {call.options.get('-q', '1')}\t\tTransport type : IB",
        " Connection type : RC\t\tUsing SRQ      : OFF",
        " PCIe relax order: ON\t\tLock-free      : OFF",
        " ibv_wr* API     : ON\t\tUsing DDP      : OFF",
        " TX depth        : 128",
        " CQ Moderation   : 1",
        f" Mtu             : {mtu}[B]",
        " Link type       : Ethernet",
        f" GID index       : {call.options.get('-x', '3')}",
        " Max inline data : 0[B]",
        " rdma_cm QPs\t : OFF",
        " Data ex. method : Ethernet",
        _RULE,
        " local address: LID 0000 QPN 0x0050 PSN 0x67e3ec RKey 0x003e29 VAddr 0x007fc17cdae000",
        f" GID: {_gid(nic)}",
        " remote address: LID 0000 QPN 0x0051 PSN 0x40e6c2 RKey 0x003d5b VAddr 0x007fadbf509000",
        f" GID: {_gid(server)}",
        _RULE,
    ]
    return "\n".join([*head, *(_latency(size) if call.latency else _bandwidth(size, bps, duration)), _RULE]) + "\n"


def _gid(nic: Nic) -> str:
    octets = (f"{int(part):02d}" for part in nic.ip.split("."))
    return f"00:00:00:00:00:00:00:00:00:00:255:255:{':'.join(octets)}"


def _bandwidth(size: int, bps: float, duration: float) -> list[str]:
    iterations = int(bps * duration / 8 / size)
    return [
        " #bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]",
        f" {size:<10d} {iterations:<16d} 0.00               {bps / 1e9:.2f}   \t\t     {bps / 8 / size / 1e6:.6f}",
    ]


def _latency(size: int) -> list[str]:
    names = "t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]    t_stdev[usec]   99% percentile[usec]"
    figures = "1.71           5.06         1.84      \t       1.86        \t0.07   \t\t2.01    \t\t3.05"
    return [f" #bytes #iterations    {names}   99.9% percentile[usec] ", f" {size:<7d} 5000          {figures}"]


def listen(traffic: Traffic, host: Host, call: Call) -> bool:
    """Take the port; False where it is taken."""
    nic = nic_of(host, call)
    key = (host.name, int(call.options["-p"]))
    if nic is None or key in traffic.listening:
        return False
    traffic.listening[key] = Listening(nic, call.gpu)
    return True


def hang_up(traffic: Traffic, host: Host, call: Call) -> None:
    """Give the port back."""
    traffic.listening.pop((host.name, int(call.options["-p"])), None)
