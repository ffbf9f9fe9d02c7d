from fabric_audit.platforms.indented import blocks, find, last

TEXT = """! a comment
hostname a
banner motd
  interface Ethernet9
EOF
interface Ethernet1
   mtu 9214
   !
   tx-queue 3
      no priority
interface Ethernet2
   mtu 1500
"""


def free_text(line: str) -> str | None:
    return "EOF" if line.startswith("banner") else None


def test_lines_lie_below_the_line_they_are_indented_under() -> None:
    top = blocks(TEXT, ends_of_text=free_text)
    assert [(block.line, block.text) for block in top] == [
        (2, "hostname a"),
        (3, "banner motd"),
        (6, "interface Ethernet1"),
        (11, "interface Ethernet2"),
    ]
    (queue,) = [child for child, _ in top[2].find(r"tx-queue \d")]
    assert [(line.line, line.text) for line in queue.children] == [(10, "no priority")]


def test_the_last_line_wins() -> None:
    top = blocks("mtu 1\nmtu 2\n")
    assert last(top, r"mtu (\d)")[1][1] == "2"  # type: ignore[index]  # it is there
    assert [found[1] for _, found in find(top, r"mtu (\d)")] == ["1", "2"]
    assert last(top, "speed") is None


def test_lost_indentation_is_made_up_from_the_lines_that_open_blocks() -> None:
    text = "policy-map P\nclass A\nset 1\nclass B\nset 2\ninterface E1\nmtu 9\n!\nglobal\n"
    top = blocks(text, flat_depths=(r"policy-map |interface ", r"class "))
    assert [block.text for block in top] == ["policy-map P", "interface E1", "global"]
    assert [[line.text for line in named.children] for named in top[0].children] == [["set 1"], ["set 2"]]


def test_a_deep_text_is_read() -> None:
    text = "".join(" " * depth + "x\n" for depth in range(3000))
    assert len(blocks(text)) == 1
