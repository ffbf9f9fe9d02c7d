"""The forms in which Junos writes a configuration, and its answers in XML and JSON."""

import pytest

from fabric_audit.errors import ParseError
from fabric_audit.platforms.switches.juniper_junos.elements import elements
from fabric_audit.platforms.switches.juniper_junos.statements import matching, statements


def test_a_list_is_one_word_for_each_member_below_the_same_place() -> None:
    root = statements("fill-level [ 55 90 ];\n")
    assert list(root.get("fill-level").children) == ["55", "90"]
    assert statements("set fill-level 55\nset fill-level 90\n").get("fill-level").children.keys() == {"55", "90"}


def test_a_bracket_within_a_name_is_a_wildcard() -> None:
    root = statements("et-0/0/[0-3] {\n    mtu 9216;\n}\n")
    assert root.get("et-0/0/[0-3]", "mtu").word() == "9216"
    assert [
        name for name, _ in matching(statements("et-0/0/2 { a; }\net-0/0/7 { a; }\n").children, "et-0/0/[0-3]")
    ] == ["et-0/0/2"]


def test_lines_are_those_of_the_first_word() -> None:
    root = statements("system {\n    host-name leaf3;\n}\n")
    assert (root.get("system").line, root.get("system", "host-name").line) == (1, 2)


def test_comments_prompts_and_echoes_say_nothing() -> None:
    text = (
        "netops@leaf3> show configuration\n## Last commit: now\n/* a remark\n   of two lines */\n"
        'a { b "{ not ## a brace }"; ## SECRET-DATA\n}\n\n{master:0}\nnetops@leaf3> \n'
    )
    root = statements(text)
    assert list(root.children) == ["a"]
    assert root.get("a", "b").word() == "{ not ## a brace }"


@pytest.mark.parametrize("text", ["a {\n    b;\n", "a {\n    b\n", "a {\n}\n}\n", "a {\n    b;\n}\nc d\n"])
def test_what_is_cut_is_refused(text: str) -> None:
    with pytest.raises(ParseError):
        statements(text)


def test_the_search_for_a_value_sees_every_depth() -> None:
    root = statements("a {\n    b {\n        c 5;\n    }\n}\n")
    assert root.value("c") == ("5", 3)
    assert root.value("d") is None


def test_tags_lose_their_name_space_and_keep_their_attributes() -> None:
    root = elements('<a xmlns="http://example.net/x" xmlns:j="http://example.net/j">\n<b j:seconds="5">1</b>\n</a>\n')
    assert root.first("a", "b").attributes == {"seconds": "5"}
    assert root.first("a").integer("b") == 1
    assert root.first("a", "c").word("d") is None


def test_json_has_the_same_tree() -> None:
    root = elements('{"a": [{"b": [{"data": "1", "attributes": {"junos:seconds": "5"}}, {"data": "2"}]}]}\n')
    assert root.first("a", "b").attributes == {"seconds": "5"}
    assert [one.text for one in root.find("b")] == ["1", "2"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nothing\n",
        "<a><b></a>\n",
        "<a>\n<b>1</b>\n",
        "<a>" + "<b>" * 300 + "</b>" * 300 + "</a>\n",
        '{"a": [{"b": 1}\n',
        "[1, 2]\n",
        '{"a": ' + '[{"b": ' * 300 + "1" + "}]" * 300 + "}\n",
    ],
)
def test_what_is_no_tree_is_refused(text: str) -> None:
    with pytest.raises(ParseError):
        elements(text)
