"""Traffic scripts on a real shell: listening proof, lifeline, stop, sweep."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from fabric_audit.capture.frames import split
from fabric_audit.plan.script import Script

MARK = "@@fedcba98"
SERVER = (
    "import socket,sys;s=socket.socket();s.setsockopt(socket.SOL_SOCKET,socket.SO_REUSEADDR,1);"
    "s.bind(('127.0.0.1',int(sys.argv[1])));s.listen();c,_=s.accept();print('served',c.recv(9).decode(),flush=True)"
)
SHARED = Path("/dev/shm")  # noqa: S108 - where scripts keep results; only listed here
pytestmark = pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="reads /proc/net/tcp")


@contextmanager
def running(*body: str, run: str = "run-1") -> Iterator["subprocess.Popen[bytes]"]:
    text = Script(command="t", body=body, run=run, traffic=True).text(MARK)
    pipe = subprocess.PIPE
    script = subprocess.Popen(["/bin/sh", "-s"], stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True)
    assert script.stdin
    script.stdin.write(text.encode())
    script.stdin.flush()
    try:
        yield script
    finally:
        if not script.stdin.closed:
            script.stdin.close()
        try:
            script.wait(10)
        finally:
            script.kill()
            script.wait()
        for stream in (script.stdin, script.stdout, script.stderr):
            if stream and not stream.closed:
                stream.close()


def read_to(script: "subprocess.Popen[bytes]", line: bytes) -> bytes:
    said = b""
    assert script.stdout
    while not said.endswith(line + b"\n"):
        got = script.stdout.readline()
        assert got, said
        said += got
    return said


def whole(script: "subprocess.Popen[bytes]") -> tuple[bytes, bytes]:
    """Both streams to their end, with stdin held open: its end would end the tests."""
    assert script.stdout
    assert script.stderr
    return script.stdout.read(), script.stderr.read()


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


def eventually(holds: Callable[[], bool]) -> bool:
    end = time.monotonic() + 10
    while time.monotonic() < end:
        if holds():
            return True
        time.sleep(0.02)
    return False


def tagged(run: str) -> list[int]:
    """Processes that carry a run's tag."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            environ = (folder / "environ").read_bytes()
        except OSError:
            continue
        if f"FABRIC_AUDIT_RUN={run}:".encode() in environ:
            found.append(int(folder.name))
    return found


def serve(port: int) -> str:
    return f'listen perftest@s1 {port} 60 {sys.executable} -c "{SERVER}" {port}'


def test_ready_is_said_when_the_port_listens_and_the_result_follows() -> None:
    port = free_port()
    with running(serve(port), "lifeline", "ready", "finish", run=f"ready-1-{os.getpid()}") as script:
        said = read_to(script, f"{MARK} R".encode())
        assert f"{MARK} P perftest@s1 ".encode() in said
        with socket.create_connection(("127.0.0.1", port)) as client:
            client.sendall(b"hello")
        assert script.stdin
        assert script.stdout
        rest = script.stdout.read()
        assert script.wait(10) == 0
    (frame,) = split(rest, b"", MARK)
    assert (frame.section, frame.item, frame.rc) == ("perftest", "s1", 0)
    assert rest[slice(*frame.out)] == b"served hello\n"


def test_a_port_that_is_taken_is_told_and_not_waited_for() -> None:
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        port = holder.getsockname()[1]
        with running(serve(port), "lifeline", "ready", "finish") as script:
            out, err = whole(script)
    (frame,) = split(out, err, MARK)
    assert frame.rc == 98
    assert b"is taken" in err


def test_a_server_that_dies_does_not_hold_ready_up() -> None:
    with running(f"listen perftest@s1 {free_port()} 60 false", "lifeline", "ready", "finish") as script:
        out, err = whole(script)
    assert split(out, err, MARK)[0].rc == 1


def test_the_client_waits_for_the_word() -> None:
    with running("go", "background perftest@c1 60 echo sent", "lifeline", "finish") as script:
        read_to(script, f"{MARK} W".encode())
        assert script.stdin
        assert script.stdout
        script.stdin.write(b"go\n")
        script.stdin.flush()
        rest = script.stdout.read()
        assert script.wait(10) == 0
    assert b"sent\n" in rest


def test_any_other_word_sends_the_client_home() -> None:
    with running("go", "background perftest@c1 60 echo sent", "finish") as script:
        read_to(script, f"{MARK} W".encode())
        out, _ = script.communicate(b"home\n", timeout=10)
        assert script.returncode == 75
    assert b"sent" not in out


def test_the_end_of_stdin_ends_every_test() -> None:
    with running("background perftest@c1 600 sleep 600", "lifeline", "finish", run=f"life-1-{os.getpid()}") as script:
        assert eventually(lambda: len(tagged(f"life-1-{os.getpid()}")) > 1)
        assert script.stdin
        script.stdin.close()
        assert script.wait(10) == 143
    assert eventually(lambda: tagged(f"life-1-{os.getpid()}") == [])


def test_a_test_that_ignores_the_signal_is_killed() -> None:
    stubborn = (
        f"{sys.executable} -c 'import signal,time;signal.signal(15,signal.SIG_IGN);print(1,flush=True);time.sleep(600)'"
    )
    with running(f"background perftest@c1 600 {stubborn}", "lifeline", "finish", run=f"life-2-{os.getpid()}") as script:
        assert eventually(lambda: len(tagged(f"life-2-{os.getpid()}")) > 1)
        time.sleep(0.5)
        assert script.stdin
        script.stdin.close()
        assert script.wait(15) == 143
    assert eventually(lambda: tagged(f"life-2-{os.getpid()}") == [])


def test_stop_ends_the_tests_and_the_script_goes_on() -> None:
    with running("background perftest@c1 600 sleep 600", "lifeline", "finish", "run after 5 echo after") as script:
        assert script.stdin
        assert script.stdout
        time.sleep(0.3)
        script.stdin.write(b"stop\n")
        script.stdin.flush()
        rest = script.stdout.read()
        assert script.wait(10) == 0
    frames = split(rest, b"", MARK)
    assert [(f.section, f.rc) for f in frames] == [("perftest", 143), ("after", 0)]


def test_a_killed_script_leaves_work_for_the_sweep_and_a_live_one_is_left_alone() -> None:
    with running("background perftest@c1 600 sleep 600", "lifeline", "finish", run=f"killed-1-{os.getpid()}") as killed:
        assert eventually(lambda: len(tagged(f"killed-1-{os.getpid()}")) > 1)
        os.kill(killed.pid, signal.SIGKILL)
        killed.wait()
        assert tagged(f"killed-1-{os.getpid()}")
        with running("background perftest@c2 600 sleep 600", "lifeline", "finish", run=f"alive-1-{os.getpid()}"):
            assert eventually(lambda: len(tagged(f"alive-1-{os.getpid()}")) > 1)
            with running("begin sweep", "sweep", "end", run="sweep") as sweep:
                out, _ = sweep.communicate(timeout=20)
            assert eventually(lambda: tagged(f"killed-1-{os.getpid()}") == [])
            assert len(tagged(f"alive-1-{os.getpid()}")) > 1
    assert b"left by an ended run" in out


def test_temporary_files_go_with_the_script() -> None:
    before = set(SHARED.glob("fabric-audit.*"))
    with running("background perftest@c1 60 echo x", "lifeline", "finish") as script:
        whole(script)
    assert set(SHARED.glob("fabric-audit.*")) <= before


def test_the_sweep_removes_folders_of_killed_scripts_and_of_no_others() -> None:
    with running("background perftest@c1 60 echo x", "lifeline", "go", run=f"folder-1-{os.getpid()}") as killed:
        read_to(killed, f"{MARK} W".encode())
        (folder,) = SHARED.glob(f"fabric-audit.{killed.pid}.*")
        with running("lifeline", "go", run=f"folder-2-{os.getpid()}") as alive:
            read_to(alive, f"{MARK} W".encode())
            os.kill(killed.pid, signal.SIGKILL)
            killed.wait()
            with running("begin sweep", "sweep", "end", run="sweep") as sweep:
                out, _ = sweep.communicate(timeout=20)
            assert len(list(SHARED.glob(f"fabric-audit.{alive.pid}.*"))) == 1
    assert not folder.exists()
    assert f"left by an ended run: folder {folder}\n".encode() in out
    assert f"fabric-audit.{alive.pid}.".encode() not in out
