"""Host scripts run by real shells, and their frames."""

import shutil
import subprocess
from collections.abc import Iterator

import pytest

from fabric_audit.capture.frames import Frame, split
from fabric_audit.plan.script import Script, verbs
from fabric_audit.platforms.model import Answer, Each, Files, Links, Output, Provenance, Run, Section

MARK = "@@0123456789abcdef"
SHELLS = [shell for shell in ("sh", "bash", "dash", "busybox") if shutil.which(shell)]


@pytest.fixture(params=SHELLS)
def shell(request: pytest.FixtureRequest) -> list[str]:
    return ["busybox", "sh", "-s"] if request.param == "busybox" else [str(shutil.which(request.param)), "-s"]


def ran(shell: list[str], *body: str) -> tuple[tuple[Frame, ...], bytes, bytes]:
    text = Script(command="test", body=body, run="run-1").text(MARK)
    done = subprocess.run(shell, input=text.encode(), capture_output=True, timeout=30, check=False)
    return split(done.stdout, done.stderr, MARK), done.stdout, done.stderr


def test_streams_and_status_of_each_section_are_apart(shell: list[str]) -> None:
    frames, out, err = ran(shell, "run one 5 echo 'two  words'", "run two 5 sh -c 'printf no; echo why >&2; exit 3'")
    assert [(f.section, f.rc) for f in frames] == [("one", 0), ("two", 3)]
    assert [out[slice(*f.out)] for f in frames] == [b"two  words\n", b"no"]
    assert [err[slice(*f.err)] for f in frames] == [b"", b"why\n"]


def test_a_program_that_is_missing_ends_with_127(shell: list[str]) -> None:
    frames, _, _ = ran(shell, "run gone 5 no-such-program --flag")
    assert frames[0].rc == 127


def test_a_program_that_hangs_is_ended_and_the_rest_goes_on(shell: list[str]) -> None:
    frames, out, _ = ran(shell, "run slow 1 sleep 60", "run next 5 echo here")
    assert frames[0].rc in (124, 143)  # coreutils, busybox
    assert out[slice(*frames[1].out)] == b"here\n"


def test_a_program_cannot_read_the_script(shell: list[str]) -> None:
    frames, out, _ = ran(shell, "run eats 5 cat", "run next 5 echo here")
    assert out[slice(*frames[0].out)] == b""
    assert out[slice(*frames[1].out)] == b"here\n"


def test_files_show_path_and_content(shell: list[str], tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("sys")
    (folder / "a b").write_text("1\n2\n")
    (folder / "c").write_text("3\n")
    frames, out, err = ran(shell, f"files f 5 '{folder}/*' '{folder}/none/*'")
    assert out[slice(*frames[0].out)].decode() == f"{folder}/a b:1\n{folder}/a b:2\n{folder}/c:3\n"
    assert b"none" in err[slice(*frames[0].err)]


def test_links_show_where_they_lead(shell: list[str], tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("links")
    (folder / "real").mkdir()
    (folder / "link").symlink_to("real")
    frames, out, _ = ran(shell, f"links l 5 '{folder}/lin*' '{folder}/gone*'")
    assert out[slice(*frames[0].out)].decode() == f"{folder}/link -> {folder}/real\n"


def test_a_walk_without_devices_says_so(shell: list[str]) -> None:
    frames, _, err = ran(shell, "each rdma_nowhere w 5 echo '{}'")
    assert [(f.section, f.item, f.rc) for f in frames] == [("w", "", 0)]
    assert err[slice(*frames[0].err)].endswith(b"no devices: rdma_nowhere\n")


def test_a_device_name_is_put_where_the_braces_stand(shell: list[str]) -> None:
    text = Script(command="t", body=("each two w 5 echo 'x{}y' '{}' '*'",), run="r").text(MARK)
    text = text.replace("main() {", "two() { echo eth0; echo '$(reboot)'; }\nmain() {")
    done = subprocess.run(shell, input=text.encode(), capture_output=True, timeout=30, check=False)
    frames = split(done.stdout, done.stderr, MARK)
    assert [f.item for f in frames] == ["eth0", "$(reboot)"]
    assert [done.stdout[slice(*f.out)] for f in frames] == [b"xeth0y eth0 *\n", b"x$(reboot)y $(reboot) *\n"]


def test_a_walk_finds_devices_by_pattern(shell: list[str], tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("class")
    (folder / "mlx5_0").mkdir()
    text = Script(command="t", body=("each found w 5 echo '{}'",), run="r").text(MARK)
    text = text.replace("main() {", f'found() {{ for f in {folder}/*; do echo "${{f##*/}}"; done; }}\nmain() {{')
    done = subprocess.run(shell, input=text.encode(), capture_output=True, timeout=30, check=False)
    assert [f.item for f in split(done.stdout, done.stderr, MARK)] == ["mlx5_0"]


def test_output_cannot_forge_a_frame() -> None:
    frames, out, _ = ran([SHELLS[0], "-s"], "run liar 5 printf '\\n@@other E 0\\n@@other B fake \\n'")
    assert [f.section for f in frames] == ["liar"]
    assert b"fake" in out[slice(*frames[0].out)]


def test_an_answer_cut_short_has_no_status() -> None:
    frames, out, err = ran([SHELLS[0], "-s"], "run one 5 echo 1", "run two 5 echo 2")
    cut = out[: out.rindex(b"2\n") + 1]
    assert [f.rc for f in split(cut, err, MARK)] == [0, None]
    assert len(frames) == 2


def parser(_output: Output) -> Iterator[Answer]:
    yield from ()


def test_a_section_becomes_one_line_with_every_word_quoted() -> None:
    def made(ask: Run | Files | Links | Each) -> Section:
        return Section(name="s", ask=ask, parse=parser, yields=(), proven=Provenance.FIELD, timeout_s=7)

    lines = verbs(
        [
            made(Run("a", "b c;d", root=True)),
            made(Files("/sys/*/x y")),
            made(Links("/sys/*")),
            made(Each("netdevs", Run("ethtool", "{}"))),
        ]
    )
    assert lines == (
        "root s 7 a 'b c;d'",
        "files s 7 '/sys/*/x y'",
        "links s 7 '/sys/*'",
        "each netdevs s 7 ethtool '{}'",
    )
