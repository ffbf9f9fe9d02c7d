"""Room for connections: each is an open file of this process."""

import resource

from fabric_audit.errors import UsageError

BESIDES = 256
"""Open files besides connections: captures being written, agents, bastions, libraries."""


def make_room(connections: int) -> None:
    """Raise this process's limit of open files as far as needed; never lower it.

    Raises:
        UsageError: the hard limit does not allow as many.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = connections + BESIDES
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return
    if hard != resource.RLIM_INFINITY and hard < wanted:
        words = f"{connections} targets need {wanted} open files and the limit is {hard}"
        raise UsageError(f"{words}; raise it (ulimit -Hn, limits.conf) or audit fewer at once with --limit")
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
