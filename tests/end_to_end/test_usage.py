"""What a user can get wrong: a clear line each, exit 2, before any device is touched."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.end_to_end.program import ROOT, TRACEBACK, Program, children_of

EIGHT = ROOT / "tests" / "inventory" / "faults" / "eight.yaml"


def refused(program: Program, *words: str, typed: str | None = None) -> str:
    ran = program.run(*words, typed=typed)
    assert ran.rc == 2, ran.out + ran.err
    assert TRACEBACK not in ran.err
    return ran.err


def test_eight_faults_of_an_inventory_are_eight_lines_with_their_places(program: Program) -> None:
    shutil.copy(EIGHT, program.folder / "eight.yaml")
    for verb in (("plan",), ("run", "--yes"), ("collect", "--yes"), ("cleanup",)):
        lines = refused(program, verb[0], "eight.yaml", *verb[1:]).strip().splitlines()
        places = [re.match(r"(?:fabric-audit: )?eight\.yaml:(\d+):(\d+): (.+); (.+)$", line) for line in lines]
        assert all(places), lines
        assert len(lines) == 8
        assert [int(place[1]) for place in places if place] == [3, 6, 8, 10, 11, 12, 13, 15]


def test_without_a_terminal_and_without_yes_nothing_begins(program: Program) -> None:
    name = program.inventory("clos-3x3")
    for verb in ("run", "collect"):
        assert refused(program, verb, name) == (
            "fabric-audit: no terminal to ask on; look at `fabric-audit plan`, then run with --yes\n"
        )
    assert sorted(path.name for path in program.folder.iterdir()) == [name]
    assert children_of("clos-3x3") == []


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["run", "nowhere.yaml", "--yes"], "nowhere.yaml: no such inventory"),
        (["run", ".", "--yes"], "."),
        (["run", "pod.yaml", "--yes", "--policy", "roce-lossles"], "unknown policy 'roce-lossles'"),
        (["run", "pod.yaml", "--yes", "--select", "pfcc"], "no check or family is called 'pfcc'; did you mean 'pfc'?"),
        (["run", "pod.yaml", "--yes", "--traffic", "everything"], "no traffic mode is called 'everything'"),
        (["run", "pod.yaml", "--yes", "--limit", "gpu[001-"], "--limit 'gpu[001-'"),
        (["run", "pod.yaml", "--yes", "--limit", "gpu099"], "no target is called gpu099"),
        (["run", "pod.yaml", "--yes", "--format", "pdf"], "no report format is called 'pdf'"),
        (["run", "pod.yaml", "--yes", "--fail-on", "horrid"], "horrid"),
        (["run", "pod.yaml", "--yes", "--jobs", "0"], "--jobs"),
        (["run", "pod.yaml", "--yes", "--frobnicate"], "No such option"),
        (["rum", "pod.yaml"], "no such verb 'rum'; did you mean 'run'?"),
        (["check", "nowhere"], "nowhere: no capture there (no manifest.json); name a run folder"),
        (["report", "pod.yaml"], "no capture there"),
        (["explain", "pfc.enabled"], "nothing is called 'pfc.enabled'"),
        (["parse", "nvidia-smi-tpo"], "no parser is called 'nvidia-smi-tpo'; did you mean 'nvidia-smi-topo'?"),
        (["simulate", "ring-8"], "no pod is called 'ring-8'"),
        (["simulate", "clos-2x2", "--fault", "gone@gpu001"], "no fault is called 'gone'"),
    ],
)
def test_what_is_wrong_is_said_with_what_would_be_right(program: Program, words: list[str], said: str) -> None:
    program.inventory("clos-2x2")
    assert said in refused(program, *words)


def test_a_pod_that_does_not_exist_is_named(program: Program) -> None:
    for verb in (("plan",), ("run", "--yes")):
        words = refused(program, verb[0], program.inventory("ring-8"), *verb[1:])
        assert words.startswith("fabric-audit: simulated pod: no pod is called 'ring-8'")


def test_a_run_folder_is_not_written_over(program: Program) -> None:
    name = program.inventory("clos-2x2")
    (program.folder / "out" / "capture").mkdir(parents=True)
    (program.folder / "out" / "capture" / "manifest.json").write_text("{}", "utf-8")
    words = refused(program, "run", name, "--yes", "--traffic", "none", "--output", "out")
    assert "holds a capture already; name another --output" in words


def test_an_output_that_cannot_be_a_folder_is_named(program: Program) -> None:
    name = program.inventory("clos-2x2")
    (program.folder / "taken").write_text("a file", "utf-8")
    words = refused(program, "run", name, "--yes", "--traffic", "none", "--output", "taken")
    assert "taken" in words
    assert "name another --output" in words


@pytest.mark.ssh
def test_a_disk_that_fills_up_ends_the_run_with_a_clear_line(program: Program) -> None:
    """Files may grow to 32 KiB, which the journal of a run outgrows."""
    name = program.inventory("clos-2x2")
    command = f'ulimit -f 64; exec "{program.path}" run {name} --yes --output out'
    done = subprocess.run(
        ["/bin/sh", "-c", command],
        cwd=program.folder,
        env=program.whole_environment | {"PYTHONDONTWRITEBYTECODE": "1"},  # byte code would be cut short, too
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 2, done.stderr
    assert TRACEBACK not in done.stderr
    assert re.search(r"fabric-audit: out/capture/\S+: .*(File too large|half a line).*free space", done.stderr)
    assert program.run("check", "out").rc in (0, 1, 3), "what was written before stays readable"


HEAVY = ("pandas", "numpy", "paramiko", "netmiko", "asyncssh", "bokeh", "jinja2", "pydantic", "ruamel", "rich")


@pytest.mark.parametrize("words", [["--help"], ["--version"], ["run", "--help"], ["nccl-log", "--help"]])
def test_help_loads_nothing_heavy(program: Program, words: list[str]) -> None:
    code = (
        "import sys; from fabric_audit.cli import run\n"
        f"code = run({words!r})\n"
        f"print(sorted({HEAVY!r} & sys.modules.keys()), file=sys.stderr)\n"
        "sys.exit(code)\n"
    ).replace(f"{HEAVY!r} &", f"set({HEAVY!r}) &")
    done = subprocess.run(
        [sys.executable, "-c", code], env=program.whole_environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "[]\n")
    assert done.stdout


def test_every_verb_explains_itself(program: Program) -> None:
    verbs = re.findall(r"^  ([a-z-]+) ", program.run("--help").out.partition("Commands:")[2], re.MULTILINE)
    assert {"run", "plan", "collect", "check", "report", "parse", "explain", "simulate", "cleanup"} <= set(verbs)
    for verb in verbs:
        ran = program.run(verb, "--help")
        assert ran.rc == 0
        assert ran.out.startswith(f"Usage: fabric-audit {verb}")


def test_a_reader_that_goes_away_is_no_error(program: Program) -> None:
    command = f'"{program.path}" commands | head -1'
    done = subprocess.run(
        ["/bin/sh", "-c", command], env=program.whole_environment, capture_output=True, text=True, check=False
    )
    assert done.stdout.startswith("# Hosts")
    assert done.stderr == ""


def test_the_folder_of_the_inventory_does_not_matter(program: Program) -> None:
    elsewhere = Path(program.folder / "deep")
    elsewhere.mkdir()
    (elsewhere / "mine.yaml").write_text("extends: roce-lossless\n", "utf-8")
    (elsewhere / "pod.yaml").write_text("fabric: p\npolicy: mine.yaml\nsimulated: {pod: clos-2x2}\n", "utf-8")
    assert program.run("plan", "deep/pod.yaml").rc == 0
