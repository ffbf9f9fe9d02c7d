"""Planning and judging touch no device: proved with sockets and other programs forbidden."""

import os
import shutil
from pathlib import Path

import pytest

from tests.end_to_end.program import ROOT, Program, Ran

FORBIDDING = """
import socket, subprocess, os

def forbidden(*_arguments, **_options):
    os.write(2, b"FORBIDDEN: a socket or a program\\n")
    os._exit(99)

class Socket(socket.socket):
    __init__ = forbidden

socket.socket = socket.SocketType = Socket
socket.create_connection = socket.getaddrinfo = socket.socketpair = forbidden
subprocess.Popen.__init__ = os.system = os.fork = os.posix_spawn = forbidden
"""


@pytest.fixture
def isolated(program: Program) -> Program:
    """A program that ends with 99 when it opens a socket or starts another program."""
    folder = program.folder / "forbidding"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(FORBIDDING, "utf-8")
    path = ":".join(filter(None, (str(folder), os.environ.get("PYTHONPATH"))))
    return Program(program.folder, {**program.environment, "PYTHONPATH": path})


@pytest.mark.ssh
def test_a_run_would_trip_it(isolated: Program) -> None:
    assert isolated.run("run", isolated.inventory("clos-2x2"), "--yes").rc == 99


@pytest.mark.parametrize("name", ["demo.yaml", "demo-healthy.yaml", "example.yaml"])
def test_plan_opens_no_connection(isolated: Program, name: str) -> None:
    ran = isolated.run("plan", str(ROOT / "inventories" / name), "--commands", SWITCH_PASSWORD="unused")
    assert ran.rc == 0, ran.err
    assert "traffic tournament: " in ran.out
    assert "32 host(s)" in ran.out if name == "example.yaml" else "8 host(s)" in ran.out


@pytest.mark.ssh
def test_check_gives_the_same_bytes_again_and_again(isolated: Program, faulty: tuple[Program, Ran]) -> None:
    """In a copy of the capture alone, without a network, with the reports of the run gone."""
    run, _ = faulty
    shutil.copytree(run.folder / "out" / "capture", isolated.folder / "moved" / "capture")
    first = isolated.run("check", "moved")
    assert first.rc == 1, first.err
    once = (isolated.folder / "moved" / "findings.json").read_bytes()
    second = isolated.run("check", "moved/capture", "--output", "elsewhere")
    assert second.out.replace("elsewhere", "moved") == first.out
    assert (isolated.folder / "elsewhere" / "findings.json").read_bytes() == once
    assert (run.folder / "out" / "findings.json").read_bytes() == once


@pytest.mark.ssh
def test_report_ends_with_0_whatever_the_verdict_is(isolated: Program, faulty: tuple[Program, Ran]) -> None:
    run, _ = faulty
    ran = isolated.run("report", str(run.folder / "out"), "--output", "reports", "--format", "html")
    assert ran.rc == 0, ran.err
    assert ran.last_line == "reports/report.html"
    assert (isolated.folder / "reports" / "report.html").stat().st_mode & 0o077 == 0


@pytest.mark.ssh
def test_another_policy_judges_the_same_capture(isolated: Program, faulty: tuple[Program, Ran]) -> None:
    run, _ = faulty
    Path(isolated.folder / "lenient.yaml").write_text(
        "extends: roce-lossless\ndesign:\n  ecn_required: {value: false, source: a test}\n", "utf-8"
    )
    ran = isolated.run("check", str(run.folder / "out"), "--policy", "lenient.yaml", "--output", "lenient")
    assert ran.rc == 0, ran.out
