"""One file is one check; its folder is the family, its docstring the manual.

A check module holds::

    ON = Scope.LINKS                                   # what it examines
    RESTS_ON = ("pfc_port", "link")                    # optional: needs without which it can say nothing
    JUDGES_BY = ("links.mtu",)                         # optional: checks whose findings it puts together
    BY_CONFIGURATION = True                            # optional: a saved configuration alone can decide it

    @dataclass(frozen=True)                            # optional: thresholds, which a policy may override
    class Options: ...

    def check(pfc_port, link, design, options) -> Iterator[Finding]: ...

Parameter names are its needs: fact tables by name, as frames, and the reserved ``design`` (the policy's intent:
``design.of(target)`` with the overrides of that target, ``design.fabric`` for the pod as a whole), ``options``,
``coverage`` (what became of every question), ``cannot`` (what platforms document that they cannot tell) and
``findings`` (those of the checks that it judges by, by their ids). It yields one finding for every subject it
examines, pass or fail; ``SKIPPED`` for a subject of which the policy asks nothing. A need that a target did not
deliver makes the check UNKNOWN; so does one that the target does not support, unless ``RESTS_ON`` names the needs
that decide and this is none of them: then the check itself says what it could not see. The module's docstring says in
its first line what must hold, then why (in production terms), then how to fix it per platform, with sources.
"""
