"""Barcodes as they were: barcode of a number without check digit."""


def barcode(number):
    """A barcode."""
    return ["1" if it in "13579" else "0" for it in str(number)]


def print_barcode(number):
    print("".join(barcode(number)))
