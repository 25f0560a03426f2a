"""Samples of logic lines, as sigrok-cli writes them: a sample is some bytes, and a line is
one of their bits."""

import re
from collections import Counter


def high_and_rises(samples, unit, lines):
    """In how many samples each line is high, and how often it rises."""
    lengths, rises, last = Counter(), Counter(), 0
    # Equal samples at once: there are millions of them, and few changes.
    for run in re.finditer(rb"(.{%d})\1*" % unit, samples, re.DOTALL):
        sample = int.from_bytes(run[1], "little")
        lengths[sample] += (run.end() - run.start()) // unit
        rises[sample & ~last] += 1
        last = sample

    def of_lines(counts):
        return [sum(count for bits, count in counts.items() if bits >> line & 1) for line in range(lines)]

    return of_lines(lengths), of_lines(rises)
