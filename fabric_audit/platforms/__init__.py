"""Everything that knows a vendor. A folder is a product; a section sits on its parser.

    @section("ibdev2netdev", Run("ibdev2netdev"), yields=(RdmaPort,), proven=Provenance.FIELD)
    def parse_ibdev2netdev(output: Output) -> Iterator[Answer]: ...

is all it takes to add a tool: it is planned where a check needs one of its tables, collected, parsed, listed by
``fabric-audit commands`` and offered by ``fabric-audit parse``.
"""
