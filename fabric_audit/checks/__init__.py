"""One file is one check; its folder is the family, its docstring the manual.

A check module holds::

    ON = Scope.PORTS                                   # what it examines

    @dataclass(frozen=True)                            # optional: thresholds, which a policy may override
    class Options: ...

    def check(pfc_port, link, design, options) -> Iterator[Finding]: ...

Parameter names are its needs: fact tables by name, as frames, and the reserved ``design`` (the policy's intent:
``design.of(target)`` with the overrides of that target, ``design.fabric`` for the pod as a whole), ``options`` and
``coverage`` (what became of every question). It yields one finding for every subject it examines, pass or fail;
``SKIPPED`` for a subject of which the policy asks nothing. The module's docstring says in its first line what must
hold, then why (in production terms), then how to fix it per platform, with sources.
"""
