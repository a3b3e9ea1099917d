"""Rounding of plain numbers."""


def rounded(number, digits=2):
    """A rounded number: rounded half to even, as Money is rounded."""
    return round(number, digits)


def all_rounded(numbers):
    return [rounded(it) for it in numbers]
