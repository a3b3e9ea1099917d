"""Prints a barcode."""

from ledger.barcode import barcode

for number in (1, 12, 123):
    print(barcode(number))
    print(barcode(number, quiet_zone=0))
    print(barcode(number, with_check_digit=False))
