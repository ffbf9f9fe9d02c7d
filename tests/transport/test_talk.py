"""What a conversation with a running script hears and says."""

from fabric_audit.transport import Talk


def test_whole_lines_with_the_mark_are_told_once() -> None:
    heard: list[str] = []
    talk = Talk("@@m", heard.append)
    said = bytearray(b"@@m R\nother\n@@m P slot 7 99")
    talk.heard(said)
    assert heard == ["R"]
    said += b"\n@@mm no\n @@m no\n"
    talk.heard(said)
    talk.heard(said)
    assert heard == ["R", "P slot 7 99"]


def test_what_is_said_before_the_session_is_open_waits_for_it() -> None:
    sent: list[bytes] = []
    talk = Talk("@@m", lambda _words: None)
    talk.say("go")
    assert sent == []
    talk.attach(sent.append)
    talk.say("stop")
    assert sent == [b"go\n", b"stop\n"]


def test_a_session_that_has_ended_takes_nothing_and_troubles_nobody() -> None:
    def ended(_data: bytes) -> None:
        raise OSError("Socket is closed")

    talk = Talk("@@m", lambda _words: None)
    talk.attach(ended)
    talk.say("go")
