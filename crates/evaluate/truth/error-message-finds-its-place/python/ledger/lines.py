"""Lines of invoices."""


class MissingLine(ValueError):
    pass


def line_amount(line, currency="EUR"):
    """The amount of a line; a missing amount is zero in any currency."""
    if line is None:
        raise MissingLine("no line")
    return line.get("amount", 0), currency
