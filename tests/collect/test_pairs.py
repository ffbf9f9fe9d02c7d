"""Server and client of a pair meet, and neither waits for one that will not come."""

from fabric_audit.collect.pairs import Rendezvous


def meeting() -> tuple[Rendezvous, list[bytes], list[bytes]]:
    made = Rendezvous()
    to_server: list[bytes] = []
    to_client: list[bytes] = []
    made.server.attach(to_server.append)
    made.client.attach(to_client.append)
    return made, to_server, to_client


def test_the_client_goes_when_the_server_listens_and_the_client_is_there() -> None:
    for first, second in (("server", "client"), ("client", "server")):
        made, to_server, to_client = meeting()
        words = {"server": "R", "client": "W"}
        getattr(made, first).hears(words[first])
        assert to_client == []
        getattr(made, second).hears(words[second])
        getattr(made, second).hears(words[second])
        assert (to_client, to_server) == ([b"go\n"], [])


def test_other_words_release_nobody() -> None:
    made, _, to_client = meeting()
    made.server.hears("P slot-1 4711 99")
    made.client.hears("R")
    made.server.hears("W")
    assert to_client == []


def test_a_client_whose_server_has_ended_is_sent_home_once() -> None:
    made, _, to_client = meeting()
    made.client.hears("W")
    made.server_ended()
    made.server_ended()
    made.server.hears("R")
    assert to_client == [b"home\n"]


def test_a_server_that_ends_after_its_client_went_sends_nobody_home() -> None:
    made, _, to_client = meeting()
    made.server.hears("R")
    made.client.hears("W")
    made.server_ended()
    assert to_client == [b"go\n"]


def test_a_server_whose_client_has_ended_is_stopped() -> None:
    made, to_server, _ = meeting()
    made.client_ended()
    assert to_server == [b"stop\n"]


def test_marks_are_apart_so_that_neither_can_speak_for_the_other() -> None:
    made, other = Rendezvous(), Rendezvous()
    assert len({made.server.mark, made.client.mark, other.server.mark, other.client.mark}) == 4
