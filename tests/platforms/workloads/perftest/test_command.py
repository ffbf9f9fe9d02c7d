from typing import Any

import pytest

from fabric_audit.platforms.workloads.perftest.command import Request, Unavailable, command

KNOWN = frozenset({"--tclass", "--report_gbits", "--ipv6-addr", "--use_cuda", "--use_cuda_dmabuf"})


def request(**changed: Any) -> Request:
    given: dict[str, Any] = {
        "tool": "ib_write_bw",
        "role": "client",
        "address": "192.0.2.34",
        "device": "mlx5_2",
        "tcp_port": 18515,
        "size_bytes": 8388608,
        "qps": 4,
        "duration_s": 10.0,
        "traffic_class": 106,
        "gid_index": 3,
        "options": KNOWN,
    }
    return Request(**(given | changed))


BANDWIDTH = "-d mlx5_2 -i 1 -x 3 -p 18515 -s 8388608 -q 4 -D 10 --tclass=106 --report_gbits -F"
LATENCY = "-d mlx5_2 -i 1 -x 3 -p 18515 -s 2 -n 5000 --tclass=106 -F"


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({}, f"ib_write_bw {BANDWIDTH} 192.0.2.34"),
        ({"role": "server"}, f"ib_write_bw {BANDWIDTH}"),
        ({"tool": "ib_send_bw", "bidirectional": True}, f"ib_send_bw {BANDWIDTH} -b 192.0.2.34"),
        ({"tool": "ib_read_bw"}, f"ib_read_bw {BANDWIDTH} 192.0.2.34"),
        ({"program": "/opt/perftest/bin/ib_write_bw"}, f"/opt/perftest/bin/ib_write_bw {BANDWIDTH} 192.0.2.34"),
        ({"cpus": "0-15,32-47"}, f"taskset -c 0-15,32-47 ib_write_bw {BANDWIDTH} 192.0.2.34"),
        ({"options": None}, f"ib_write_bw {BANDWIDTH} 192.0.2.34"),
        ({"address": "gpu002.example.net"}, f"ib_write_bw {BANDWIDTH} gpu002.example.net"),
        ({"address": "2001:db8::34"}, f"ib_write_bw {BANDWIDTH} --ipv6-addr 2001:db8::34"),
        ({"address": "2001:db8::34", "role": "server"}, f"ib_write_bw {BANDWIDTH} --ipv6-addr"),
        (
            {"memory": "gpu", "cuda_index": 5, "mechanism": "peermem"},
            f"ib_write_bw {BANDWIDTH} --use_cuda=5 192.0.2.34",
        ),
        (
            {"memory": "gpu", "cuda_index": 5, "mechanism": "dmabuf"},
            f"ib_write_bw {BANDWIDTH} --use_cuda=5 --use_cuda_dmabuf 192.0.2.34",
        ),
        (
            {"memory": "gpu", "cuda_index": 0, "mechanism": "dmabuf", "options": KNOWN | {"--cuda_mem_type"}},
            f"ib_write_bw {BANDWIDTH} --use_cuda=0 --use_cuda_dmabuf --cuda_mem_type=0 192.0.2.34",
        ),
        (
            {"gid_index": None, "ib_port": 2, "duration_s": 0.4},
            "ib_write_bw -d mlx5_2 -i 2 -p 18515 -s 8388608 -q 4 -D 1 --tclass=106 --report_gbits -F 192.0.2.34",
        ),
        (
            {"tool": "ib_write_lat", "size_bytes": 2, "qps": 1, "iterations": 20000},
            f"ib_write_lat {LATENCY.replace('5000', '20000')} 192.0.2.34",
        ),
        (
            {"tool": "ib_send_lat", "size_bytes": 2, "qps": 1, "memory": "gpu", "cuda_index": 1, "mechanism": "dmabuf"},
            f"ib_send_lat {LATENCY} --use_cuda=1 --use_cuda_dmabuf 192.0.2.34",
        ),
    ],
)
def test_the_arguments_and_their_order(changed: dict[str, Any], words: str) -> None:
    assert command(request(**changed)) == tuple(words.split())


GPU = {"memory": "gpu", "cuda_index": 0, "mechanism": "dmabuf"}


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"tool": "iperf3"}, "iperf3 is no test this audit runs"),
        ({"role": "both"}, "both is neither client nor server"),
        ({"device": "-a"}, "'-a' is no name of an RDMA device"),
        ({"address": "--help"}, "'--help' is no address of a host"),
        ({"address": ""}, "'' is no address of a host"),
        ({"cpus": "all"}, "'all' is no cpu list"),
        ({"tcp_port": 70000}, "70000 is no TCP port"),
        ({"traffic_class": 256}, "256 is no traffic class"),
        ({"size_bytes": 0}, "messages of 0 bytes are not possible"),
        ({"qps": 0}, "0 queue pairs are not possible"),
        ({"duration_s": 0}, "a bandwidth test needs a duration"),
        ({"tool": "ib_write_lat"}, "ib_write_lat runs on one queue pair only"),
        ({"tool": "ib_write_lat", "qps": 1, "bidirectional": True}, "ib_write_lat has no bidirectional form"),
        ({"tool": "ib_write_lat", "qps": 1, "iterations": 4}, "a latency test needs 5 iterations"),
        ({"memory": "disk"}, "disk is neither host nor gpu memory"),
        ({"memory": "gpu", "mechanism": "dmabuf"}, "GPU memory needs a CUDA index and one of peermem, dmabuf"),
        ({"memory": "gpu", "cuda_index": 0}, "GPU memory needs a CUDA index and one of peermem, dmabuf"),
        (
            GPU | {"tool": "ib_write_lat", "qps": 1},
            "ib_write_lat cannot use GPU memory: the CPU polls the buffer that the peer writes",
        ),
        (
            GPU | {"options": frozenset({"--tclass"})},
            "this build of ib_write_bw has no --use_cuda: it was built without CUDA",
        ),
        (
            GPU | {"options": frozenset({"--tclass", "--use_cuda"})},
            "this build of ib_write_bw has no --use_cuda_dmabuf: it was built without DMA-BUF",
        ),
        (
            GPU | {"options": None},
            "whether ib_write_bw has --use_cuda is not known: its help could not be read",
        ),
        (
            {"address": "2001:db8::34", "options": KNOWN - {"--ipv6-addr"}},
            "this build of ib_write_bw has no --ipv6-addr: it exchanges its parameters over IPv4 only",
        ),
        (
            {"options": frozenset({"--report_gbits"})},
            "this build of ib_write_bw has no --tclass: it cannot set a traffic class",
        ),
    ],
)
def test_what_cannot_be_run_is_said(changed: dict[str, Any], reason: str) -> None:
    assert command(request(**changed)) == Unavailable(reason)
