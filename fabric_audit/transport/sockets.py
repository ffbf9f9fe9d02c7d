"""The way to an endpoint before SSH begins: a TCP connection, or a program that makes one."""

import re
import socket
import subprocess
from collections.abc import Mapping

from fabric_audit.errors import UnreachableError
from fabric_audit.transport.endpoints import Endpoint

_PLAIN = re.compile(r"(?!-)[A-Za-z0-9.:@_%+-]*")


def tcp(endpoint: Endpoint, timeout_s: float) -> socket.socket:
    """A TCP connection with Nagle's algorithm off: requests are small and each waits for its answer.

    Raises:
        UnreachableError: with the true cause.
    """
    try:
        made = socket.create_connection((endpoint.address, endpoint.port), timeout=timeout_s)
    except socket.gaierror as error:
        raise UnreachableError(f"{endpoint.address}: name not resolved: {error.strerror}", "check address") from None
    except TimeoutError:
        words = f"{endpoint.where}: no answer within {timeout_s:g} s"
        raise UnreachableError(words, "check power, cabling, firewall") from None
    except (OSError, UnicodeError) as error:
        cause = getattr(error, "strerror", None) or error
        raise UnreachableError(f"{endpoint.where}: {cause}", "check that sshd runs there") from None
    made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return made


def by_command(
    endpoint: Endpoint, environment: Mapping[str, str] | None = None
) -> tuple[socket.socket, "subprocess.Popen[bytes]"]:
    """What ``ProxyCommand`` leads to, and its process; ssh_config(5) names the tokens.

    The command is a shell's, so what stands for a token must mean nothing to a shell, as OpenSSH has it since 9.6.

    Raises:
        UnreachableError: the program cannot be started, or a name or user holds what a shell would act upon.
    """
    values = {"h": endpoint.address, "n": endpoint.name, "p": str(endpoint.port), "r": endpoint.user, "%": "%"}
    for value in values.values():
        if not _PLAIN.fullmatch(value):
            words = f"{value!r} cannot go into a ProxyCommand: a shell would act upon it"
            raise UnreachableError(words, "letters, digits and . : @ _ % + - only, and no - in front")
    command = re.sub(r"%([hnpr%])", lambda token: values[token[1]], endpoint.command)
    ours, theirs = socket.socketpair()
    with theirs:
        try:
            process = subprocess.Popen(
                ["/bin/sh", "-c", f"exec {command}"],
                stdin=theirs.fileno(),
                stdout=theirs.fileno(),
                start_new_session=True,
                env=environment,
            )
        except OSError as error:
            ours.close()
            raise UnreachableError(f"{endpoint.name}: ProxyCommand {command!r}: {error.strerror}") from None
    return ours, process
