"""Node sets: bounded, without groups, and only names that may be folder names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric_audit.inventory.nodes import MOST_NODES, NodesError, count, expand, fold


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("gpu1", ("gpu1",)),
        ("gpu[008-010]", ("gpu008", "gpu009", "gpu010")),
        ("gpu[1-8/3],leaf2", ("gpu1", "gpu4", "gpu7", "leaf2")),
        ("r[1-2]n[1,3]", ("r1n1", "r1n3", "r2n1", "r2n3")),
        ("gpu[1-4]!gpu[2-3]", ("gpu1", "gpu4")),
        ("gpu[1-4]&gpu[3-9]", ("gpu3", "gpu4")),
        ("a.b-c_d", ("a.b-c_d",)),
    ],
)
def test_names_are_expanded(text: str, names: tuple[str, ...]) -> None:
    assert expand(text) == names


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is empty"),
        ("gpu[]", "nothing stands in the brackets"),
        ("gpu[1-2]!gpu[1-2]", "is empty"),
        ("gpu[5-1]", "cannot be read"),
        ("gpu[001-3]", "cannot be read"),
        ("gpu[1-4/0]", "cannot be read"),
        ("gpu[1 - 900000000]", "cannot be read"),
        ("gpu[[1-3]]", "cannot be read"),
        ("gpu*", "cannot be read"),
        ("@all", "groups are not asked for"),
        ("gpu1 gpu2", "no host name"),
        ("../etc", "no host name"),
        (".", "no host name"),
        ("gpu[1-200000]", "200,000 names"),
        ("r[1-1000]n[1-1000]", "1,000,000 names"),
        ("gpu[1-99999999999999999999]", "cannot be read"),
    ],
)
def test_what_is_no_node_set_says_why(text: str, words: str) -> None:
    with pytest.raises(NodesError, match=words):
        expand(text)


def test_a_set_of_the_largest_size_is_expanded() -> None:
    assert len(expand(f"gpu[1-{MOST_NODES}]")) == MOST_NODES


@given(st.text("gpu0123456789[],-/!&^@. ", max_size=40))
def test_any_text_is_names_or_an_error(text: str) -> None:
    try:
        names = expand(text)
    except NodesError:
        return
    assert 0 < len(names) <= count(text)
    assert set(expand(fold(names))) == set(names)
