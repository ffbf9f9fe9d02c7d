"""The embedded pod: one fabric model, its faults, and the SSH servers that let it stand in for devices.

``fabric`` says what exists, ``faults`` what is wrong with it, ``traffic`` moves flows through it and counts;
``hosts`` and ``switches`` render what a device would print; ``pod`` answers one question to one target; ``server``
puts that behind SSH. Nothing here knows the parsers: a parser must not be tested by its twin.
"""
