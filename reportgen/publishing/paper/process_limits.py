"""Limits that a process sets itself before it touches what came from outside."""

import resource


def set_limits(seconds: int, memory: int) -> None:
    """Limits the seconds of computing and the bytes of memory of this process; it leaves no core file either."""
    _lower(resource.RLIMIT_AS, memory, memory)
    _lower(resource.RLIMIT_CPU, seconds, seconds + 5)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _lower(kind: int, soft: int, hard: int) -> None:
    """Sets a limit, unless the system's own is lower."""
    _, given = resource.getrlimit(kind)
    most = hard if given == resource.RLIM_INFINITY else min(hard, given)
    resource.setrlimit(kind, (min(soft, most), most))
