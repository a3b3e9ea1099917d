"""Writes statements as MT940."""

from decimal import Decimal, ROUND_HALF_EVEN

from ledger.csvio import read_rows
from ledger.money import CENT


def write_lines(stream, source):
    for row in read_rows(source):
        amount = Decimal(row["amount"]).quantize(CENT, rounding=ROUND_HALF_EVEN)
        stream.write(f":61:{row['date']:%y%m%d}C{amount}\n")
