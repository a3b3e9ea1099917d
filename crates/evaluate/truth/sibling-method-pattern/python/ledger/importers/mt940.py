"""Statements in the old format of banks."""

import re

from ..money import Money
from .base import Importer

LINE = re.compile(r":61:(\d{6})\d{4}([CD])([\d,]+)N")


class Mt940Importer(Importer):
    suffix = ".sta"

    def read(self, stream):
        for line in stream:
            match = LINE.match(line)
            if match:
                sign = -1 if match[2] == "D" else 1
                amount = Money(match[3].replace(",", ".")).times(sign)
                yield self.transfer(match[1], line, amount)
