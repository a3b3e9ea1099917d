"""Barcodes of receipts."""

WIDTHS = {"0": "00110", "1": "10001", "2": "01001"}


def barcode(number, *, quiet_zone=10, with_check_digit=True):
    """Widths of bars and gaps, in modules."""
    digits = str(number)
    if with_check_digit:
        digits += str(sum(int(it) for it in digits) % 10)
    bars = [WIDTHS.get(it, "00000") for it in digits]
    return [quiet_zone, *bars, quiet_zone]
